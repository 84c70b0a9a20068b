/**
 * A step-up confirms an act with the transaction password and, where the client has one, a second factor. A grant is for
 * one act with its values and is used once. It belongs to one session and one epoch of its client, so it ends with a
 * change of either password or a factor, and with all sessions.
 */
import type { AnswerOf, BodyOf, StepUpPurpose } from '@cambist/contract/call.ts';
import type { stepUp } from '@cambist/contract/step-up.ts';
import type { Authority } from '../../platform/authority.ts';
import type { Identity } from '../../platform/calls.ts';
import { createExpiring } from '../../platform/expiring.ts';
import type { Site } from '../../platform/site.ts';
import type { StepUpNeed } from '../../platform/step-up.ts';
import type { AccountService } from '../accounts/service.ts';
import { canHavePasskeys, type Passkeys, type Totp } from '../factors/service.ts';

export interface StepUpDeps {
  readonly accounts: Pick<AccountService, 'checkTransactionPassword' | 'epochOf' | 'changes' | 'clients'>;
  readonly totp: Totp;
  readonly passkeys: Passkeys;
  readonly clock: { now(): number };
}

const GRANT_MS = 10 * 60_000;
const GRANTS = 50_000;
/** A session and a stolen password are not enough for these: the owner reads the mail. */
const MAILED: ReadonlySet<StepUpPurpose> = new Set(['withdrawal-settings']);

type Asked = Required<Pick<BodyOf<typeof stepUp>, 'purpose' | 'act' | 'transaction_password'>> &
  Pick<BodyOf<typeof stepUp>, 'second_factor' | 'email_code'> & {
    readonly passkey?: Parameters<Passkeys['confirms']>[2] | undefined;
  };

export function createStepUp({ accounts, totp, passkeys, clock }: StepUpDeps) {
  /** The epoch under which each was given. */
  const grants = createExpiring<number>(clock, { lifetimeMs: GRANT_MS, limit: GRANTS });
  const keyOf = (sessionId: number, purpose: StepUpPurpose, act: string) => `${sessionId}/${purpose}/${act}`;

  async function factorsOf(clientId: number): Promise<StepUpNeed['second_factors']> {
    const [enabledAt, keys] = await Promise.all([totp.enabledAt(clientId), passkeys.list(clientId)]);
    const app = enabledAt === null ? [] : (['totp', 'recovery_code'] as const);
    return [...app, ...(keys.length > 0 ? (['passkey'] as const) : [])];
  }

  /** An account without an address proves itself by the other ways alone. */
  const needsMail = async (clientId: number, purpose: StepUpPurpose) =>
    MAILED.has(purpose) && Boolean((await accounts.clients.clientById(clientId))?.email);

  async function checkFactor(clientId: number, asked: Asked, site: Site | undefined) {
    if (asked.passkey === undefined) return totp.verdict(clientId, asked.second_factor ?? '');
    const isGood = canHavePasskeys(site) && (await passkeys.confirms(site, clientId, asked.passkey));
    return isGood ? 'right' : 'wrong';
  }

  return {
    factorsOf,
    /** Of the session alone, at the epoch of now: to be read before anything that decides whether more is asked. */
    own: async ({ clientId, sessionId }: Identity): Promise<Authority> => ({
      clientId,
      sessionId,
      epoch: await accounts.epochOf(clientId),
    }),
    /** Takes the grant, so that of two requests one is done. @returns what the act is done by; or what is missing */
    async authority(
      { clientId, sessionId }: Identity,
      purpose: StepUpPurpose,
      act: string,
    ): Promise<Authority | StepUpNeed> {
      const epoch = grants.take(keyOf(sessionId, purpose, act));
      if (epoch !== undefined && epoch === (await accounts.epochOf(clientId))) return { clientId, sessionId, epoch };
      const second_factors = await factorsOf(clientId);
      const mailed = (await needsMail(clientId, purpose)) ? (['email_code'] as const) : [];
      const factor = second_factors.length > 0 ? (['second_factor'] as const) : [];
      return { purpose, act, needs: ['transaction_password', ...mailed, ...factor], second_factors };
    },
    async ask(identity: Identity, asked: Asked, site: Site | undefined): Promise<AnswerOf<typeof stepUp>> {
      const { clientId, sessionId } = identity;
      // Read before anything is checked: a change that comes between makes the grant worthless.
      const epoch = await accounts.epochOf(clientId);
      if (!(await accounts.checkTransactionPassword(clientId, asked.transaction_password))) {
        return { message: 'wrong_transaction_password', granted_until: null };
      }
      const code = asked.email_code ?? '';
      const isMailed = await needsMail(clientId, asked.purpose);
      // A right code stays good until the second factor is right too.
      if (isMailed && !(await accounts.changes.fitsCode(clientId, code, 'withdrawal-rules'))) {
        return { message: 'wrong_email_code', granted_until: null };
      }
      if ((await factorsOf(clientId)).length > 0) {
        if (!asked.second_factor && asked.passkey === undefined) {
          return { message: 'second_factor_required', granted_until: null };
        }
        const verdict = await checkFactor(clientId, asked, site);
        if (verdict !== 'right') return { message: `${verdict}_second_factor`, granted_until: null };
      }
      if (isMailed && !(await accounts.changes.useCode(clientId, 'withdrawal-rules', code))) {
        return { message: 'wrong_email_code', granted_until: null };
      }
      grants.put(keyOf(sessionId, asked.purpose, asked.act), epoch);
      return { message: 'success', granted_until: clock.now() + GRANT_MS };
    },
  };
}

export type StepUp = ReturnType<typeof createStepUp>;
