/** Calls about second factors: the authenticator app, recovery codes, passkeys. */
import {
  addPasskey,
  deletePasskey,
  passkeyConfirmOptions,
  passkeyRegistration,
  passkeys as passkeysCall,
  renamePasskey,
} from '@cambist/contract/passkeys.ts';
import { disableTotp, enableTotp, renewRecoveryCodes, totpEnrolment } from '@cambist/contract/security.ts';
import { type CallServer, Refusal } from '../../platform/calls.ts';
import { canHavePasskeys, type Passkeys, type Totp } from '../factors/service.ts';
import type { SecurityRouteDeps } from './routes.ts';

const isEnabled = new Refusal(409, 'TOTP_ENABLED', 'An authenticator app is connected already.');
const isDisabled = new Refusal(409, 'TOTP_DISABLED', 'No authenticator app is connected.');
const tooMany = new Refusal(409, 'TOO_MANY_PASSKEYS', 'Remove a passkey before you add another.');
const notHere = new Refusal(404, 'NOT_SET_UP', 'Passkeys need the name of the site in the settings.');
const notVerified = new Refusal(422, 'PASSKEY_NOT_VERIFIED', 'The passkey could not be verified. Start again.');
const notThere = new Refusal(404, 'NOT_FOUND', 'There is no such entry.');

const success = { message: 'success' as const };

export interface FactorRouteDeps extends SecurityRouteDeps {
  readonly totp: Totp;
  readonly passkeys: Passkeys;
}

function serveTotp(calls: CallServer, { security, totp }: FactorRouteDeps): void {
  calls.serve(totpEnrolment, async ({ authority }) => {
    return (await security.enrolTotp(authority)) ?? isEnabled;
  });

  calls.serve(enableTotp, async ({ authority, body }) => {
    const codes = await security.enableTotp(authority, body.code);
    if (codes === undefined) return { message: 'CODE_DOES_NOT_MATCH' as const, recovery_codes: [] };
    return { ...success, recovery_codes: codes };
  });

  calls.serve(disableTotp, async ({ identity, authority }) => {
    if ((await totp.enabledAt(identity.clientId)) === null) return isDisabled;
    await security.disableTotp(authority);
    return success;
  });

  calls.serve(renewRecoveryCodes, async ({ identity, authority }) => {
    if ((await totp.enabledAt(identity.clientId)) === null) return isDisabled;
    return { ...success, recovery_codes: await totp.renewRecoveryCodes(authority) };
  });
}

type PasskeyRow = Awaited<ReturnType<Passkeys['list']>>[number];
const shown = ({ id, label, created_at, last_used_at, backed_up }: PasskeyRow) => ({
  id,
  label,
  created_at,
  last_used_at,
  backed_up,
});

function servePasskeys(calls: CallServer, { security, passkeys, siteOf }: FactorRouteDeps): void {
  calls.serve(passkeysCall, async ({ identity }) => ({
    passkeys: (await passkeys.list(identity.clientId)).map(shown),
  }));

  calls.serve(passkeyRegistration, async ({ identity, authority, http }) => {
    const site = siteOf(http);
    if (!canHavePasskeys(site)) return notHere;
    const { id, email, unique_id } = await security.client(identity.clientId);
    return (await passkeys.registrationOptions(site, authority, { id, email, user_unique_id: unique_id })) ?? tooMany;
  });

  calls.serve(addPasskey, async ({ identity, body, http }) => {
    const site = siteOf(http);
    if (!canHavePasskeys(site)) return notVerified;
    const add = () => passkeys.add(site, identity, body);
    const added = await security.changingPasskeys(identity.clientId, add, (row) => typeof row === 'object');
    if (added === undefined) return notVerified;
    if (added === 'too-many') return tooMany;
    return { ...success, passkey: shown(added) };
  });

  calls.serve(renamePasskey, async ({ identity, params, body }) => {
    return (await passkeys.rename(identity.clientId, Number(params.id), body.label)) ? success : notThere;
  });

  calls.serve(deletePasskey, async ({ identity, authority, params }) => {
    const remove = () => passkeys.remove(authority, Number(params.id));
    return (await security.changingPasskeys(identity.clientId, remove, Boolean)) ? success : notThere;
  });

  calls.serve(passkeyConfirmOptions, async ({ identity, http }) => {
    const site = siteOf(http);
    return canHavePasskeys(site) ? passkeys.confirmOptions(site, identity.clientId) : notHere;
  });
}

export function serveFactors(calls: CallServer, deps: FactorRouteDeps): void {
  serveTotp(calls, deps);
  servePasskeys(calls, deps);
}
