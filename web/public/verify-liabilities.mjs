/**
 * Checks that a balance is counted in what the exchange says it owes. The page /proof runs this very file; with Node it
 * runs by itself, against a file that was downloaded there:
 *
 *   node verify-liabilities.mjs my-proof.json
 *
 * There is one tree for each coin. A leaf holds a part of one client's balance, and each node above the sum of both below:
 *
 *   domain = SHA-256("cambist liabilities 1\n" batch "\n" coin "\n" scale)
 *   leaf   = SHA-256(0x00, domain, client id (8 bytes), salt (32 bytes), part (1 byte), sum (8 bytes))
 *   node   = SHA-256(0x01, domain, level (1 byte), left hash, left sum (8 bytes), right hash, right sum (8 bytes))
 *
 * Numbers are unsigned and begin with the highest byte; sums are in the coin's smallest unit. Both sums are in the hash by
 * themselves, so none of them can be told differently to two clients, and none can be negative. The commitment of a run
 * binds all roots and totals: compare it with one that others have seen.
 */
const MOST = 2n ** 63n;
const MOST_LEVELS = 40;
const encoder = new TextEncoder();

export async function sha256(...pieces) {
  const bytes = new Uint8Array(pieces.reduce((length, piece) => length + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
}

export const hex = (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');

export function bytesOf(text) {
  if (!/^[0-9a-f]{64}$/.test(text)) throw new Error('A hash or salt is not 32 bytes in hexadecimal');
  return Uint8Array.from(text.match(/../g), (pair) => Number.parseInt(pair, 16));
}

export function eightBytes(value) {
  const number = BigInt(value);
  if (number < 0n || number >= MOST) throw new Error(`${value} is not a sum`);
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, number);
  return bytes;
}

/** The root that one part of a balance leads to. */
async function rootOf(domain, client, { part, sum, salt, index, path }) {
  if (!Number.isInteger(index) || index < 0 || path.length > MOST_LEVELS || index >= 2 ** path.length)
    throw new Error('A part is at no place of the tree');
  let hash = await sha256([0], domain, eightBytes(client), bytesOf(salt), [part], eightBytes(sum));
  let total = BigInt(sum);
  for (const [level, beside] of path.entries()) {
    const own = [hash, eightBytes(total)];
    const other = [bytesOf(beside.hash), eightBytes(beside.sum)];
    const isLeft = Math.floor(index / 2 ** level) % 2 === 0;
    hash = await sha256([1], domain, [level], ...(isLeft ? [...own, ...other] : [...other, ...own]));
    total += BigInt(beside.sum);
    eightBytes(total);
  }
  return { hash: hex(hash), total };
}

/** What the totals and roots of a run are bound by. */
export async function commitmentOf({ batch, assets }) {
  const lines = assets.map(({ coin, scale, sum, root }) => `${coin} ${scale} ${sum} ${root}`);
  return hex(await sha256(encoder.encode(['cambist liabilities 1', batch, ...lines].join('\n'))));
}

/**
 * Checks everything that a client was told. Throws with the reason when anything of it does not hold.
 * @returns of each coin, what the parts add up to in smallest units
 */
export async function verify({ run, client, proofs }) {
  if ((await commitmentOf(run)) !== run.commitment) throw new Error('The totals are not those of the commitment');
  const owed = [];
  for (const { coin, parts } of proofs) {
    const asset = run.assets.find((one) => one.coin === coin);
    if (asset === undefined) throw new Error(`${coin} is not in the run`);
    if (owed.some((one) => one.coin === coin)) throw new Error(`${coin} is there twice`);
    const domain = await sha256(encoder.encode(`cambist liabilities 1\n${run.batch}\n${coin}\n${asset.scale}`));
    // The same leaf told twice would make one balance out of another's.
    if (new Set(parts.map(({ index }) => index)).size !== parts.length) throw new Error(`${coin} has a part twice`);
    for (const part of parts) {
      const { hash, total } = await rootOf(domain, client, part);
      if (hash !== asset.root || total !== BigInt(asset.sum)) throw new Error(`${coin} does not lead to the root`);
    }
    owed.push({ coin, scale: asset.scale, sum: String(parts.reduce((sum, part) => sum + BigInt(part.sum), 0n)) });
  }
  return owed;
}

if (globalThis.process?.argv?.[1]?.endsWith('verify-liabilities.mjs')) {
  const { readFileSync } = await import('node:fs');
  const told = JSON.parse(readFileSync(process.argv[2], 'utf8'));
  for (const { coin, scale, sum } of await verify(told)) {
    const digits = sum.padStart(scale + 1, '0');
    const point = digits.length - scale;
    process.stdout.write(`${coin} ${digits.slice(0, point)}${scale ? '.' : ''}${digits.slice(point)} is counted\n`);
  }
  process.stdout.write(`Commitment of batch ${told.run.batch}: ${told.run.commitment}\n`);
}
