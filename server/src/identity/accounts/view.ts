/** The client as every answer shows him: one state of the server, said the same everywhere. */
import { type client as clientSchema, NO_BADGE } from '@cambist/contract/accounts.ts';
import { visibleText } from '@cambist/contract/email.ts';
import type { Locale } from '@cambist/contract/locales.ts';
import type { z } from 'zod';
import { inLanguage, say } from '../../platform/texts.ts';
import type { ClientRow, Provider } from './client-store.ts';
import type { RestrictionRow } from './restriction-store.ts';
import { heldUntil } from './restrictions.ts';
import type { Block } from './states.ts';

export type ClientView = z.output<typeof clientSchema>;

export interface ViewParts {
  readonly row: ClientRow;
  readonly providers: readonly Provider[];
  readonly restrictions: readonly RestrictionRow[];
  readonly block: Block | undefined;
  readonly isMaintained: boolean;
  /** 0 is regular. */
  readonly tier: number;
  readonly locale: Locale;
  readonly now: number;
}

export const membershipLevel = (tier: number) => (tier === 0 ? NO_BADGE : `VIP ${tier}`);

/** `23 hours, 59 minutes`, rounded up to the minute. */
function durationText(ms: number, { tag }: Locale): string {
  const total = Math.ceil(ms / 60_000);
  const parts = { day: Math.floor(total / 1440), hour: Math.floor(total / 60) % 24, minute: total % 60 };
  const words = Object.entries(parts)
    .filter(([, count]) => count > 0)
    .map(([unit, count]) => new Intl.NumberFormat(tag, { style: 'unit', unit, unitDisplay: 'long' }).format(count));
  return new Intl.ListFormat(tag, { type: 'unit' }).format(words);
}

function restrictionText(until: number | null, { locale, now }: ViewParts): string {
  return until === null ? inLanguage(say('an unlimited time'), locale) : durationText(until - now, locale);
}

/** How the account was made, unless it is connected to a provider. */
function providerOf({ row, providers }: ViewParts): ClientView['user']['provider'] {
  return providers.find((name) => name !== 'wallet') ?? row.provider;
}

export function viewOf(parts: ViewParts): ClientView {
  const { row, block } = parts;
  const until = heldUntil(parts.restrictions);
  return {
    id: row.id,
    status: block?.kind === 'frozen' ? 'FREEZE_ACCOUNT' : 'ACTIVE',
    platform_status: parts.isMaintained ? 'maintenance' : 'active',
    membership_level: membershipLevel(parts.tier),
    verified: row.verified ? 'TRUE' : 'FALSE',
    withdraw_transfer_status: until === undefined ? 'ALLOWED' : 'NOT_ALLOWED',
    withdraw_restriction: until === undefined ? '' : restrictionText(until, parts),
    withdraw_restricted_until: until ?? null,
    role: row.role,
    restriction: block === undefined ? null : { reason: block.reason, until: block.until, appeal: block.appeal },
    deletion_at: row.deletion_at,
    user: {
      id: row.id,
      email: visibleText(row.email),
      account_status: row.verified ? 'Verified' : 'Unverified',
      user_unique_id: row.unique_id,
      mobile_number: row.mobile_number,
      provider: providerOf(parts),
    },
  };
}
