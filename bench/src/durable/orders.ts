/** The orders of the load: half buys, half sells around one price, so that most of them trade. */

/** mulberry32 by Tommy Ettinger (public domain). */
function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

function orderBody(random: () => number): string {
  const side = random() < 0.5 ? 'BUY' : 'SELL';
  const price = (50_000 + (random() - 0.5) * 200).toFixed(1);
  const quantity = (0.001 + random() * 0.02).toFixed(5);
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
    const random = seededRandom(index + 1);
    return Array.from({ length: each }, () => message(token, orderBody(random)));
  });
}
