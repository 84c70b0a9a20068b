/** What rows of the ledger are called, by what their movement means to a client. */
import { type Effect, TRANSFERS } from '@cambist/core/ledger/movements.ts';

/** A transfer that was reserved first has a row for each of its two stages, which its reason says at its end. */
const STAGES = ['', '-pending', '-post', '-void'];

export const rowReasons = (...effects: readonly Effect[]): readonly string[] =>
  TRANSFERS.filter(({ effect }) => effects.includes(effect)).flatMap(({ reason }) =>
    STAGES.map((stage) => reason + stage),
  );
