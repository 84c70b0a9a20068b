/** Personal information, limits of the day, the mobile number and accounts elsewhere. */
import type { Locale } from '@cambist/contract/locales.ts';
import type { Authority } from '../../platform/authority.ts';
import type { Outbox } from '../../platform/outbox.ts';
import { inLanguage, say } from '../../platform/texts.ts';
import {
  type AccountService,
  type ClientRow,
  membershipLevel,
  type Provider,
  parsePhone,
  sendCode,
} from '../accounts/service.ts';

export interface ProfileDeps {
  readonly accounts: AccountService;
  readonly tierOf: (clientId: number) => Promise<number>;
  readonly outbox: Pick<Outbox, 'put'>;
  readonly siteName: string;
  /** What came since a moment, in USDT. */
  readonly movedSince: (clientId: number, since: number) => Promise<{ came: string }>;
  /** What withdrawals since a moment count towards their limit, in USDT. */
  readonly leftSince: (clientId: number, since: number) => Promise<string>;
  /** When the oldest of what counts is 24 hours old; null while nothing counts. */
  readonly freesAt: (clientId: number) => Promise<number | null>;
  readonly clock: { now(): number };
}

/** What is undefined stays as it is. */
export interface Edited {
  readonly name?: string | undefined;
  readonly gender?: ClientRow['gender'] | undefined;
  readonly date_of_birth?: string | undefined;
  readonly address?: string | undefined;
}

type SmsResult =
  | { readonly ok: true }
  | { readonly ok: false; readonly error: 'too-soon' | 'not-sent'; readonly waitMs: number }
  | { readonly ok: false; readonly error: 'too-short' | 'invalid' };

const DAY_MS = 86_400_000;

/** By fee tier; null is unlimited. Tier 0 is what the documents show: 50K USD, 8M USDT. */
const tiers: readonly { readonly fiatUsd: number; readonly withdrawalUsdt: number }[] = [
  { fiatUsd: 50_000, withdrawalUsdt: 8_000_000 },
  { fiatUsd: 100_000, withdrawalUsdt: 10_000_000 },
  { fiatUsd: 200_000, withdrawalUsdt: 12_000_000 },
  { fiatUsd: 500_000, withdrawalUsdt: 16_000_000 },
  { fiatUsd: 1_000_000, withdrawalUsdt: 20_000_000 },
  { fiatUsd: 2_000_000, withdrawalUsdt: 30_000_000 },
];

/** USDT that may leave in 24 hours, by fee tier. */
export const withdrawalLimitUsdt = (tier: number): number =>
  (tiers[tier] ?? (tiers[0] as (typeof tiers)[number])).withdrawalUsdt;

/** Fiat and person-to-person trades are not part of the exchange yet, so nothing can have moved there. */
const NOTHING = '0';

type ClientOf = (clientId: number) => Promise<ClientRow>;

function createClientOf({ accounts }: ProfileDeps): ClientOf {
  return async function client(clientId: number): Promise<ClientRow> {
    const row = await accounts.clients.clientById(clientId);
    if (row === undefined) throw new Error(`There is no client ${clientId}`);
    return row;
  };
}

/** What may move in a day, and what has. */
function createLimits({ tierOf, movedSince, leftSince, freesAt, clock }: ProfileDeps) {
  return {
    async limits(clientId: number) {
      const now = clock.now();
      const start = Math.floor(now / DAY_MS) * DAY_MS;
      const [tier, { came }, left, frees] = await Promise.all([
        tierOf(clientId),
        movedSince(clientId, start),
        leftSince(clientId, now - DAY_MS),
        freesAt(clientId),
      ]);
      const ofToday = { unit: 'USDT', resets_at: start + DAY_MS } as const;
      const { fiatUsd, withdrawalUsdt } = tiers[tier] ?? (tiers[0] as (typeof tiers)[number]);
      return {
        tier,
        limits: [
          { ...ofToday, name: 'fiat' as const, limit: String(fiatUsd), unit: 'USD' as const, used_today: NOTHING },
          { ...ofToday, name: 'crypto_deposit' as const, limit: null, used_today: came },
          {
            name: 'crypto_withdrawal' as const,
            limit: String(withdrawalUsdt),
            unit: 'USDT' as const,
            used_today: left,
            resets_at: frees,
          },
          { ...ofToday, name: 'p2p' as const, limit: null, used_today: NOTHING },
        ],
        resets_at: start + DAY_MS,
      };
    },
  };
}

/** The number that a code by SMS proves. */
function createMobile({ accounts, outbox, siteName, clock }: ProfileDeps, client: ClientOf) {
  const { clients, codes } = accounts;
  const smsTarget = (clientId: number, number: string) => `${clientId}:${number}`;

  return {
    async hasMobile(clientId: number): Promise<boolean> {
      return (await client(clientId)).mobile_verified_at !== null;
    },
    async sendSmsCode(clientId: number, mobile: string, locale: Locale): Promise<SmsResult> {
      const phone = parsePhone(mobile);
      if (!phone.ok) return phone;
      return codes.send(smsTarget(clientId, phone.number), 'mobile', (code) => {
        const words = say("{{code}} is your {{site}} code. It expires in ten minutes. Don't share it.", {
          code,
          site: siteName,
        });
        return sendCode(outbox, {
          channel: 'sms',
          recipient: phone.number,
          content: { text: inLanguage(words, locale) },
        });
      });
    },
    /** @returns false for a wrong code, and for a number that another client has proven to be his */
    async bindMobile(by: Authority, mobile: string, code: string): Promise<boolean> {
      const phone = parsePhone(mobile);
      if (!phone.ok || !(await codes.use(smsTarget(by.clientId, phone.number), 'mobile', code))) return false;
      return clients.bindMobile(by, phone.number, clock.now());
    },
  };
}

export function createProfile(deps: ProfileDeps) {
  const { accounts, tierOf } = deps;
  const { clients } = accounts;
  const client = createClientOf(deps);

  async function profile(clientId: number) {
    const [row, tier] = await Promise.all([client(clientId), tierOf(clientId)]);
    const { id, name, gender, date_of_birth, address, email, mobile_number } = row;
    return { id, name, gender, date_of_birth, address, email, mobile_number, membership_level: membershipLevel(tier) };
  }

  return {
    client: (clientId: number, locale: Locale) => accounts.client(clientId, locale),
    profile,
    async update(by: Authority, { name, gender, date_of_birth, address }: Edited) {
      const given = Object.entries({ name, gender, date_of_birth, address }).filter(([, value]) => value !== undefined);
      await clients.change(by, Object.fromEntries(given));
      return profile(by.clientId);
    },
    async summary(clientId: number, locale: Locale) {
      const [row, view, tier, last] = await Promise.all([
        client(clientId),
        accounts.client(clientId, locale),
        tierOf(clientId),
        accounts.lastSignIn(clientId),
      ]);
      if (view === undefined) throw new Error(`There is no client ${clientId}`);
      return { row, client: view, tier, last };
    },
    ...createLimits(deps),
    ...createMobile(deps, client),

    async connections(clientId: number) {
      const [row, identities] = await Promise.all([client(clientId), clients.identitiesOf(clientId)]);
      return { row, of: (provider: Provider) => identities.find((one) => one.provider === provider) };
    },
    connect: accounts.connect,
    disconnect: clients.disconnect,
  };
}

export type ProfileService = ReturnType<typeof createProfile>;
