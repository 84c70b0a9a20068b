/** The orders of the load: half buys, half sells around one price, so that most of them trade. */
import { Random } from '@cambist/core/simulation/random.ts';

function orderFields(random: Random): object {
  const side = random.chance(50) ? 'BUY' : 'SELL';
  const price = (50_000 + (random.fraction() - 0.5) * 200).toFixed(1);
  const quantity = (0.001 + random.fraction() * 0.02).toFixed(5);
  return { symbol: 'BTC-USDT', side, type: 'limit', price, quantity };
}

function message(token: string, path: string, body: string): string {
  return [
    `POST ${path} HTTP/1.1`,
    'host: 127.0.0.1',
    `authorization: Bearer ${token}`,
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(body)}`,
    '',
    body,
  ].join('\r\n');
}

/** Distinct requests for each connection, one trader each. */
export function orderRequests(tokens: readonly string[], each: number): string[][] {
  return tokens.map((token, index) => {
    const random = new Random(index + 1);
    return Array.from({ length: each }, () => message(token, '/api/v3/orders', JSON.stringify(orderFields(random))));
  });
}

/** The same orders as requests of the private socket. */
export function socketRequests(tokens: readonly string[], each: number): string[][] {
  return tokens.map((_, index) => {
    const random = new Random(index + 1);
    return Array.from({ length: each }, (_order, id) =>
      JSON.stringify({ id: String(id), op: 'place', args: orderFields(random) }),
    );
  });
}

/** The same orders, so many to a request. */
export function batchRequests(tokens: readonly string[], each: number, size: number): string[][] {
  return tokens.map((token, index) => {
    const random = new Random(index + 1);
    return Array.from({ length: each }, () => {
      const orders = Array.from({ length: size }, () => orderFields(random));
      return message(token, '/api/v3/orders/batch', JSON.stringify({ orders }));
    });
  });
}
