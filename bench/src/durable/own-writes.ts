/** How long a client waits for a list that must hold the order that it has just placed: the tables are written for it first. */
import { signUp } from '@cambist/server/test/fault/traders.ts';
import { startServerProcess } from '@cambist/server/test/server-process.ts';
import { median } from '../statistics.ts';

/** Ms, medians. */
export interface OwnWrites {
  readonly afterOrder: number;
  /** The same list once more, when nothing is left to be written. */
  readonly again: number;
}

const TIMES = 60;
const WARM_UPS = 20;
const ORDER = { symbol: 'BTC-USDT', side: 'BUY', type: 'limit', price: '50000', quantity: '0.001' };

export async function measureOwnWrites(environment: Record<string, string>): Promise<OwnWrites> {
  const server = await startServerProcess(environment);
  try {
    const token = await signUp(server.url, `list-${process.pid}-${Date.now()}@example.test`);
    const authorized = { authorization: `Bearer ${token}` };
    const list = async (): Promise<number> => {
      const began = performance.now();
      const answer = await fetch(`${server.url}/api/v3/trades/order-histories?limit=20`, { headers: authorized });
      await answer.arrayBuffer();
      if (!answer.ok) throw new Error(`The list was answered with ${answer.status}`);
      return performance.now() - began;
    };
    const runs: [number, number][] = [];
    for (let time = 0; time < TIMES; time += 1) {
      const headers = { ...authorized, 'content-type': 'application/json' };
      const placed = await fetch(`${server.url}/api/v3/orders`, {
        method: 'POST',
        headers,
        body: JSON.stringify(ORDER),
      });
      await placed.arrayBuffer();
      if (!placed.ok) throw new Error(`The order was answered with ${placed.status}`);
      runs.push([await list(), await list()]);
    }
    const measured = runs.slice(WARM_UPS);
    return {
      afterOrder: median(measured.map(([first]) => first)),
      again: median(measured.map(([, second]) => second)),
    };
  } finally {
    await server.stop();
  }
}
