/**
 * Checks that a balance is counted in what the exchange says it owes. The page /proof runs this very file; with Node it
 * runs by itself, against a file that was downloaded there, for the UID and the email that you know to be yours:
 *
 *   node verify-liabilities.mjs cambist-proof.json 12345678901 me@example.com
 *
 * Write - in place of the email for an account that has none.
 *
 * There is one tree for each coin. A leaf holds a part of one client's balance, and each node above the sum of both below:
 *
 *   identity = SHA-256("cambist liabilities 2 identity\n" salt in hexadecimal "\n" UID "\n" email)
 *   domain   = SHA-256("cambist liabilities 2\n" batch "\n" coin "\n" scale)
 *   leaf     = SHA-256(0x00, domain, identity, salt of the part (32 bytes), part (1 byte), sum (8 bytes))
 *   node     = SHA-256(0x01, domain, level (1 byte), left hash, left sum (8 bytes), right hash, right sum (8 bytes))
 *
 * Numbers are unsigned and begin with the highest byte; sums are in the coin's smallest unit. Both sums are in the hash by
 * themselves, so none of them can be told differently to two clients, and none can be negative. The email is the one that
 * the account had when the run was made, in lower case, and empty for an account without one. Two clients differ in UID
 * or email, so no leaf counts for both. A balance has at most three parts, numbered from 0 on.
 *
 * What it cannot check: an account without an email is bound to its UID alone, which the exchange chooses. The commitment of
 * a run binds all roots and totals: compare it with one that others have seen.
 */
const TITLE = 'cambist liabilities';
/** The version whose proofs this file checks. Totals of version 1 can still be compared with their commitment. */
const VERSION = 2;
const MOST_PARTS = 3;
const MOST_SCALE = 36;
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

/** A sum is written in one way only: digits, without a sign, a space or a zero before them. */
function sumOf(value) {
  if (!/^(0|[1-9][0-9]{0,18})$/.test(value) || typeof value !== 'string') throw new Error(`${value} is not a sum`);
  const number = BigInt(value);
  if (number >= MOST) throw new Error(`${value} is not a sum`);
  return number;
}

export function eightBytes(value) {
  const number = sumOf(String(value));
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, number);
  return bytes;
}

/** The email as leaves bind it: case does not make another mailbox. Only ASCII letters are folded. */
export const emailKey = (email) => email.trim().replace(/[A-Z]/g, (letter) => letter.toLowerCase());

/** A refusal that the page words by itself. */
const refusal = (code, message) => Object.assign(new Error(message), { code });

/** What a client's leaves are bound to, if that is the client who checks. */
async function identityOf({ uid, email, salt }, own) {
  if (typeof own?.uid !== 'string' || typeof own.email !== 'string')
    throw new Error('Name the UID and the email that are yours');
  if (typeof uid !== 'string' || !/^[0-9A-Za-z-]{1,64}$/.test(uid)) throw new Error('The proof has no UID');
  if (typeof email !== 'string' || emailKey(email) !== email) throw new Error('The email is not in lower case');
  if (uid !== own.uid.trim()) throw refusal('OTHER_UID', `The proof is bound to the UID ${uid}, not to yours`);
  if (email !== emailKey(own.email)) {
    const bound = email === '' ? 'no email' : `the email ${email}`;
    const since = 'If your account had that one when the run was made, name it; otherwise the proof is not yours';
    throw refusal('OTHER_EMAIL', `The proof is bound to ${bound}, not to yours. ${since}`);
  }
  bytesOf(salt);
  return sha256(encoder.encode(`${TITLE} ${VERSION} identity\n${salt}\n${uid}\n${email}`));
}

/** The root that one part of a balance leads to. */
async function rootOf(domain, identity, { part, sum, salt, index, path }) {
  if (!Array.isArray(path) || !Number.isInteger(index) || index < 0)
    throw new Error('A part is at no place of the tree');
  if (path.length > MOST_LEVELS || index >= 2 ** path.length) throw new Error('A part is at no place of the tree');
  let total = sumOf(sum);
  let hash = await sha256([0], domain, identity, bytesOf(salt), [part], eightBytes(total));
  for (const [level, beside] of path.entries()) {
    const besideSum = sumOf(beside.sum);
    const own = [hash, eightBytes(total)];
    const other = [bytesOf(beside.hash), eightBytes(besideSum)];
    const isLeft = Math.floor(index / 2 ** level) % 2 === 0;
    hash = await sha256([1], domain, [level], ...(isLeft ? [...own, ...other] : [...other, ...own]));
    total += besideSum;
    eightBytes(total);
  }
  return { hash: hex(hash), total };
}

const isCount = (value) => Number.isSafeInteger(value) && value >= 0;

/** Each field has one form without spaces and new lines, so one commitment cannot be read in two ways. */
function checkTotals({ version, batch, assets }) {
  if (version !== 1 && version !== VERSION)
    throw new Error(`This script does not know version ${version} of the proof`);
  if (!isCount(batch)) throw new Error('The batch is not a number');
  for (const { coin, scale, sum, root } of assets) {
    if (typeof coin !== 'string' || !/^[A-Z0-9]{1,20}$/.test(coin)) throw new Error('A coin has no name');
    if (!isCount(scale) || scale > MOST_SCALE) throw new Error(`${coin} has no scale`);
    sumOf(sum);
    bytesOf(root);
  }
  if (new Set(assets.map(({ coin }) => coin)).size !== assets.length) throw new Error('A coin has two totals');
}

/** What the totals and roots of a run are bound by. */
export async function commitmentOf({ version, batch, assets }) {
  checkTotals({ version, batch, assets });
  const lines = assets.map(({ coin, scale, sum, root }) => `${coin} ${scale} ${sum} ${root}`);
  return hex(await sha256(encoder.encode([`${TITLE} ${version}`, batch, ...lines].join('\n'))));
}

/** What all hashes of one coin's tree begin with. */
export const domainOf = ({ version, batch }, { coin, scale }) =>
  sha256(encoder.encode(`${TITLE} ${version}\n${batch}\n${coin}\n${scale}`));

/** A balance has one to three parts, numbered from 0 on, each at a place of its own. */
function checkParts(coin, parts) {
  if (!Array.isArray(parts) || parts.length < 1 || parts.length > MOST_PARTS)
    throw new Error(`${coin} has not one to three parts`);
  if (parts.some(({ part }, at) => part !== at)) throw new Error(`The parts of ${coin} are not numbered from 0 on`);
  if (new Set(parts.map(({ index }) => index)).size !== parts.length) throw new Error(`${coin} has a part twice`);
}

/**
 * Checks everything that a client was told. Throws with the reason when anything of it does not hold; `code` is OTHER_UID,
 * OTHER_EMAIL or OLD_VERSION where the page has words of its own.
 * @param own UID and email of the client who checks, from anywhere but the proof; the email is empty without one
 * @returns of each coin, what the parts add up to in smallest units
 */
export async function verify({ run, identity: bound, proofs }, own) {
  if (run.version !== VERSION)
    throw refusal('OLD_VERSION', 'Proofs of this run are not bound to a client. Ask for one of a newer run');
  if ((await commitmentOf(run)) !== run.commitment) throw new Error('The totals are not those of the commitment');
  const identity = await identityOf(bound ?? {}, own);
  const owed = [];
  for (const { coin, parts } of proofs) {
    const asset = run.assets.find((one) => one.coin === coin);
    if (asset === undefined) throw new Error(`${coin} is not in the run`);
    if (owed.some((one) => one.coin === coin)) throw new Error(`${coin} is there twice`);
    checkParts(coin, parts);
    const domain = await domainOf(run, asset);
    for (const part of parts) {
      const { hash, total } = await rootOf(domain, identity, part);
      if (hash !== asset.root || total !== sumOf(asset.sum)) throw new Error(`${coin} does not lead to the root`);
    }
    const sum = parts.reduce((total, part) => total + sumOf(part.sum), 0n);
    eightBytes(sum);
    owed.push({ coin, scale: asset.scale, sum: String(sum) });
  }
  return owed;
}

if (globalThis.process?.argv?.[1]?.endsWith('verify-liabilities.mjs')) {
  const { readFileSync } = await import('node:fs');
  const [, , file, uid, email] = process.argv;
  if (process.argv.length !== 5 || uid === '' || email === '')
    throw new Error('Usage: node verify-liabilities.mjs <file> <your UID> <your email, or - without one>');
  const told = JSON.parse(readFileSync(file, 'utf8'));
  const owed = await verify(told, { uid, email: email === '-' ? '' : email });
  const bound = told.identity;
  process.stdout.write(
    `Bound to the UID ${bound.uid} and ${bound.email === '' ? 'no email' : `the email ${bound.email}`}\n`,
  );
  if (bound.email === '') process.stdout.write('Without an email nothing but the UID tells you from other clients\n');
  for (const { coin, scale, sum } of owed) {
    const digits = sum.padStart(scale + 1, '0');
    const point = digits.length - scale;
    process.stdout.write(`${coin} ${digits.slice(0, point)}${scale ? '.' : ''}${digits.slice(point)} is counted\n`);
  }
  if (owed.length === 0) process.stdout.write('No balance is counted\n');
  process.stdout.write(`Commitment of batch ${told.run.batch}: ${told.run.commitment}\n`);
}
