/** The end of a pending transfer, for slices that alone end their own. */
import type { Sequencer } from '../engine/service.ts';

/** Resolves once the end is committed, also when an earlier attempt was. */
export async function endPending(
  sequencer: Pick<Sequencer, 'submit'>,
  transferId: number,
  decision: 'post' | 'void',
): Promise<void> {
  const { outcome } = await sequencer.submit({ kind: `${decision}-pending`, transferId });
  // One that is not found has ended by the same decision before.
  if (outcome.ok || outcome.reason === 'TRANSFER_NOT_FOUND') return;
  throw new Error(`Transfer ${transferId} could not be ended: ${outcome.reason}`);
}
