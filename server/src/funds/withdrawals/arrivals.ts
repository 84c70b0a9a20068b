/** How long it takes until a withdrawal is there: as its figures say, else as the chain itself estimates. */
import { bech32 } from '@scure/base';
import { createExpiring } from '../../platform/expiring.ts';
import { type Family, familyOf, unitsOf } from '../chains/service.ts';
import type { Payouts } from '../payouts/service.ts';
import type { Way } from './inspection.ts';

/** To estimate by, before an address is known: nothing is sent there. */
const samples: Readonly<Record<Family, string>> = {
  EVM: `0x${'0'.repeat(36)}dead`,
  TRON: 'T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb',
  BTC: bech32.encode('bc', [0, ...bech32.toWords(new Uint8Array(20))]),
};

const KEPT_MS = 30_000;

export function createArrivals({
  payouts,
  clock,
}: {
  readonly payouts: Payouts | undefined;
  readonly clock: { now(): number };
}) {
  const estimates = createExpiring<string | null>(clock, { lifetimeMs: KEPT_MS, limit: 100 });

  async function estimate({ coin, network, chain_scale, withdraw_minimum, withdraw_confirmations }: Way) {
    const units = unitsOf(withdraw_minimum, chain_scale);
    if (payouts === undefined || units === undefined) return null;
    const payment = { network, coin, address: samples[familyOf(network)], units };
    const found = await payouts.estimate(payment, withdraw_confirmations).catch(() => undefined);
    return found === undefined ? null : String(Math.max(1, Math.ceil(found.minutes)));
  }

  return {
    /** As people are told them; null while the chain cannot say. */
    async minutes(way: Way): Promise<string | null> {
      if (way.withdraw_arrival !== null) return way.withdraw_arrival;
      const key = `${way.coin} ${way.network}`;
      const kept = estimates.peek(key);
      if (kept !== undefined) return kept;
      const minutes = await estimate(way);
      estimates.put(key, minutes);
      return minutes;
    },
  };
}

export type Arrivals = ReturnType<typeof createArrivals>;
