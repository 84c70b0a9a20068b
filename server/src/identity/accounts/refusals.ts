/** What a client hears who is kept out. */
import { Refusal } from '../../platform/calls.ts';
import { say } from '../../platform/texts.ts';
import type { Block, States } from './states.ts';

export function blocked({ kind, reason, until, appeal }: Block): Refusal {
  const members = { restriction: { reason, until, appeal } };
  if (kind === 'frozen') {
    const frozen = say('Your account has been freezed. Please contact customer service for more details.');
    return new Refusal(403, 'FREEZE_ACCOUNT', frozen, {}, undefined, members);
  }
  const text = say(
    'We are performing scheduled maintenance to improve system performance and stability. Please come back later.',
  );
  return new Refusal(403, 'MAINTENANCE', text, {}, undefined, members);
}

/** Why a client may do nothing now, for what was admitted before it was said; undefined where they may. */
export const createShutOut =
  ({ freezeOf }: Pick<States, 'freezeOf'>) =>
  (clientId: number): Refusal | undefined => {
    const freeze = freezeOf(clientId);
    return freeze && blocked({ kind: 'frozen', ...freeze });
  };
