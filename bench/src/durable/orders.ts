/** The orders of the load: half buys, half sells around one price, so that most of them trade. */
import { Random } from '@cambist/core/simulation/random.ts';

function orderBody(random: Random): string {
  const side = random.chance(50) ? 'BUY' : 'SELL';
  const price = (50_000 + (random.fraction() - 0.5) * 200).toFixed(1);
  const quantity = (0.001 + random.fraction() * 0.02).toFixed(5);
  return JSON.stringify({ symbol: 'BTC-USDT', side, type: 'limit', price, quantity });
}

function message(token: string, body: string): string {
  return [
    'POST /api/v3/orders HTTP/1.1',
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
    return Array.from({ length: each }, () => message(token, orderBody(random)));
  });
}
