/** One way to confirm that it is the person: the transaction password, and a second factor of who has one. */

import type { AnswerOf, BodyOf } from '@cambist/contract/call.ts';
import type { stepUp, stepUpPurpose } from '@cambist/contract/security.ts';
import type { z } from 'zod';
import type { AccountService } from '../accounts/service.ts';
import { canHavePasskeys, type Passkeys, type Totp } from '../factors/service.ts';
import type { Identity } from '../platform/calls.ts';
import { createExpiring } from '../platform/expiring.ts';
import type { Site } from '../platform/site.ts';
import type { StepUpNeed } from '../platform/step-up.ts';

export type Purpose = z.output<typeof stepUpPurpose>;

export interface StepUpDeps {
  readonly accounts: Pick<AccountService, 'checkTransactionPassword'>;
  readonly totp: Totp;
  readonly passkeys: Passkeys;
  readonly clock: { now(): number };
}

const GRANT_MS = 10 * 60_000;
const GRANTS = 50_000;

type Asked = Required<Pick<BodyOf<typeof stepUp>, 'purpose' | 'transaction_password'>> &
  Pick<BodyOf<typeof stepUp>, 'second_factor'> & { readonly passkey?: Parameters<Passkeys['confirms']>[2] | undefined };

export function createStepUp({ accounts, totp, passkeys, clock }: StepUpDeps) {
  const grants = createExpiring<true>(clock, { lifetimeMs: GRANT_MS, limit: GRANTS });
  const keyOf = ({ sessionId }: Identity, purpose: Purpose) => `${sessionId}/${purpose}`;

  async function factorsOf(clientId: number): Promise<StepUpNeed['second_factors']> {
    const [enabledAt, keys] = await Promise.all([totp.enabledAt(clientId), passkeys.list(clientId)]);
    const app = enabledAt === null ? [] : (['totp', 'recovery_code'] as const);
    return [...app, ...(keys.length > 0 ? (['passkey'] as const) : [])];
  }

  async function checkFactor(clientId: number, asked: Asked, site: Site | undefined): Promise<boolean> {
    if (asked.passkey !== undefined) return canHavePasskeys(site) && passkeys.confirms(site, clientId, asked.passkey);
    return totp.check(clientId, asked.second_factor ?? '');
  }

  return {
    factorsOf,
    /** @returns what is still missing; undefined once it was shown in this session, for this purpose, lately */
    async missing(identity: Identity, purpose: Purpose): Promise<StepUpNeed | undefined> {
      if (grants.peek(keyOf(identity, purpose))) return undefined;
      const second_factors = await factorsOf(identity.clientId);
      const needs =
        second_factors.length > 0
          ? (['transaction_password', 'second_factor'] as const)
          : (['transaction_password'] as const);
      return { purpose, needs: [...needs], second_factors };
    },
    async ask(identity: Identity, asked: Asked, site: Site | undefined): Promise<AnswerOf<typeof stepUp>> {
      const { clientId } = identity;
      if (!(await accounts.checkTransactionPassword(clientId, asked.transaction_password))) {
        return { message: 'wrong_transaction_password', granted_until: null };
      }
      if ((await factorsOf(clientId)).length > 0) {
        if (!asked.second_factor && asked.passkey === undefined) {
          return { message: 'second_factor_required', granted_until: null };
        }
        if (!(await checkFactor(clientId, asked, site))) return { message: 'wrong_second_factor', granted_until: null };
      }
      grants.put(keyOf(identity, asked.purpose), true);
      return { message: 'success', granted_until: clock.now() + GRANT_MS };
    },
  };
}

export type StepUp = ReturnType<typeof createStepUp>;
