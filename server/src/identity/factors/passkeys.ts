/** Passkeys (WebAuthn): a key in the person's device that signs a challenge of ours, for this site alone. */
import { randomBytes } from 'node:crypto';
import type { assertion, passkeyProof } from '@cambist/contract/passkeys.ts';
import type {
  AuthenticationResponseJSON,
  AuthenticatorTransport,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';
import type { z } from 'zod';
import type { Authority } from '../../platform/authority.ts';
import type { Identity } from '../../platform/calls.ts';
import { createExpiring } from '../../platform/expiring.ts';
import type { Site } from '../../platform/site.ts';
import type { FactorStore, PasskeyRow } from './store.ts';

export interface PasskeyDeps {
  readonly store: FactorStore;
  readonly siteName: string;
  readonly clock: { now(): number };
}

type Proof = z.output<typeof passkeyProof>;

interface Challenge {
  readonly purpose: 'register' | 'sign-in' | 'confirm';
  /** Undefined for a sign-in: the client is not known yet. */
  readonly clientId: number | undefined;
  /** For `register`: what allowed it, which must still hold when the passkey comes. */
  readonly by?: Authority;
  readonly challenge: string;
}

/** Loaded when first needed: it takes longer than the rest of a start. */
const webauthn = () => import('@simplewebauthn/server');

const LIFETIME_MS = 5 * 60_000;
const CHALLENGES = 50_000;
const MAXIMUM_PASSKEYS = 20;

/** An address is no name that a passkey can belong to. */
export const canHavePasskeys = (site: Site | undefined): site is Site =>
  site !== undefined && !/^[\d.]+$|^\[/.test(site.domain);

const transportsOf = (row: PasskeyRow) => row.transports.split(',').filter(Boolean) as AuthenticatorTransport[];

/** What does not verify throws in many ways; all of them mean no. */
async function orNothing<Result>(work: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await work();
  } catch {
    return undefined;
  }
}

/** What was asked of a device, good once and for minutes. */
function createChallenges(clock: PasskeyDeps['clock']) {
  const challenges = createExpiring<Challenge>(clock, { lifetimeMs: LIFETIME_MS, limit: CHALLENGES });

  function keep(challenge: Challenge): string {
    const id = randomBytes(24).toString('base64url');
    challenges.put(id, challenge);
    return id;
  }

  function taken(id: string, purpose: Challenge['purpose'], clientId?: number): Challenge | undefined {
    const challenge = challenges.take(id);
    return challenge?.purpose === purpose && challenge.clientId === clientId ? challenge : undefined;
  }

  return { keep, taken };
}

type Challenges = ReturnType<typeof createChallenges>;

/** A new passkey for a signed-in client. */
function createEnrolment({ store, siteName, clock }: PasskeyDeps, { keep, taken }: Challenges) {
  return {
    async registrationOptions(
      site: Site,
      by: Authority,
      client: { id: number; email: string; user_unique_id: string },
    ) {
      const rows = await store.passkeys(client.id);
      if (rows.length >= MAXIMUM_PASSKEYS) return undefined;
      const { generateRegistrationOptions } = await webauthn();
      const made = await generateRegistrationOptions({
        rpName: siteName,
        rpID: site.domain,
        userName: client.email || client.user_unique_id,
        userID: new TextEncoder().encode(client.user_unique_id),
        attestationType: 'none',
        excludeCredentials: rows.map((row) => ({ id: row.credential_id, transports: transportsOf(row) })),
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      });
      const kept = { purpose: 'register' as const, clientId: client.id, by, challenge: made.challenge };
      return { challenge_id: keep(kept), options: { ...made } };
    },
    /** @returns undefined when it does not verify, or another session began */
    async add(
      site: Site,
      { clientId, sessionId }: Pick<Identity, 'clientId' | 'sessionId'>,
      input: { label: string; challenge_id: string; response: unknown },
    ) {
      const kept = taken(input.challenge_id, 'register', clientId);
      if (kept?.by?.sessionId !== sessionId) return undefined;
      const { verifyRegistrationResponse } = await webauthn();
      const result = await orNothing(() =>
        verifyRegistrationResponse({
          response: input.response as RegistrationResponseJSON,
          expectedChallenge: kept.challenge,
          expectedOrigin: site.origin,
          expectedRPID: site.domain,
          requireUserVerification: true,
        }),
      );
      if (result?.verified !== true) return undefined;
      const { credential, credentialBackedUp } = result.registrationInfo;
      const row = {
        client_id: clientId,
        credential_id: credential.id,
        public_key: Buffer.from(credential.publicKey).toString('base64url'),
        counter: credential.counter,
        transports: (credential.transports ?? []).join(','),
        backed_up: credentialBackedUp,
        label: input.label,
        created_at: clock.now(),
      };
      return store.insertPasskey(kept.by, row, MAXIMUM_PASSKEYS);
    },
  };
}

/** Passkeys that sign: at the sign-in, and to confirm who it is. */
function createSigning({ store, clock }: PasskeyDeps, { keep, taken }: Challenges) {
  async function verifyAssertion(site: Site, { challenge }: Challenge, response: z.output<typeof assertion>) {
    const row = await store.passkey(response.id);
    if (row === undefined) return undefined;
    const { verifyAuthenticationResponse } = await webauthn();
    const verified = await orNothing(() =>
      verifyAuthenticationResponse({
        response: response as AuthenticationResponseJSON,
        expectedChallenge: challenge,
        expectedOrigin: site.origin,
        expectedRPID: site.domain,
        requireUserVerification: true,
        credential: {
          id: row.credential_id,
          publicKey: new Uint8Array(Buffer.from(row.public_key, 'base64url')),
          counter: row.counter,
          transports: transportsOf(row),
        },
      }),
    );
    if (verified?.verified !== true) return undefined;
    const epoch = await store.usePasskey(row.id, verified.authenticationInfo.newCounter, clock.now());
    return epoch === undefined ? undefined : { clientId: row.client_id, epoch };
  }

  async function options(site: Site, purpose: 'sign-in' | 'confirm', clientId?: number) {
    const rows = clientId === undefined ? [] : await store.passkeys(clientId);
    const { generateAuthenticationOptions } = await webauthn();
    const made = await generateAuthenticationOptions({
      rpID: site.domain,
      userVerification: 'required',
      timeout: LIFETIME_MS,
      allowCredentials: rows.map((row) => ({ id: row.credential_id, transports: transportsOf(row) })),
    });
    return { challenge_id: keep({ purpose, clientId, challenge: made.challenge }), options: { ...made } };
  }

  return {
    signInOptions: (site: Site) => options(site, 'sign-in'),
    confirmOptions: (site: Site, clientId: number) => options(site, 'confirm', clientId),
    /** @returns whose passkey it is, and the epoch of its client while it was there */
    async signIn(
      site: Site,
      { challenge_id, response }: Proof,
    ): Promise<{ clientId: number; epoch: number } | undefined> {
      const kept = taken(challenge_id, 'sign-in');
      return kept && verifyAssertion(site, kept, response);
    },
    async confirms(site: Site, clientId: number, { challenge_id, response }: Proof): Promise<boolean> {
      const kept = taken(challenge_id, 'confirm', clientId);
      return kept !== undefined && (await verifyAssertion(site, kept, response))?.clientId === clientId;
    },
  };
}

export function createPasskeys(deps: PasskeyDeps) {
  const { store } = deps;
  const challenges = createChallenges(deps.clock);
  return {
    list: (clientId: number) => store.passkeys(clientId),
    rename: store.renamePasskey,
    remove: store.deletePasskey,
    ...createEnrolment(deps, challenges),
    ...createSigning(deps, challenges),
  };
}

export type Passkeys = ReturnType<typeof createPasskeys>;
