/**
 * Checks what the exchange says that it holds beside what it owes: that the statement has the commitment of the published
 * run, and that each hot wallet in it has signed it. A cold wallet signs the same text with its own holdings alone, later or
 * not at all: what has not been signed so is told apart. The page /proof runs this very file; with Node it runs by itself, beside
 * `verify-liabilities.mjs`, against files that were downloaded there. With leaves it also adds up their trees:
 *
 *   node verify-reserves.mjs reserves.json [liabilities-7-BTC.txt …]
 *
 *   text   = "cambist statement of reserves 1", "batch …", "time …", "state …", "commitment …", then of each coin
 *            "owed coin scale sum root", and of each holding "held kind network coin scale height hash address units":
 *            for hot wallets all holdings but those of cold ones, for a cold wallet those of its address. What hot wallets
 *            sign ends with "unread network coin height hash" of each coin whose contract could not be read at that block:
 *            nothing of it on that network is among what is held
 *   signed = SHA-256(0x00, text); the address is that of the secp256k1 key that the signature is recovered to
 *
 * What it cannot check is the chain: look up each address at the named block.
 */
import { bytesOf, commitmentOf, domainOf, eightBytes, hex, sha256 } from './verify-liabilities.mjs';

const P = 2n ** 256n - 2n ** 32n - 977n;
const N = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
const G = [
  0x79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798n,
  0x483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8n,
];
/** Statements from before version 2 of the proof do not name a version. */
const FIRST_VERSION = 1;
const encoder = new TextEncoder();
const mod = (value, by = P) => ((value % by) + by) % by;

function power(base, exponent) {
  let result = 1n;
  for (let square = base, left = exponent; left > 0n; left >>= 1n, square = mod(square * square))
    if (left & 1n) result = mod(result * square);
  return result;
}

function inverse(value, by = P) {
  let [low, high, one, other] = [mod(value, by), by, 1n, 0n];
  while (low > 1n) {
    const times = high / low;
    [low, high, one, other] = [high - times * low, low, other - times * one, one];
  }
  return mod(one, by);
}

function add(one, other) {
  if (one === undefined || other === undefined) return one ?? other;
  const [[x1, y1], [x2, y2]] = [one, other];
  if (x1 === x2 && mod(y1 + y2) === 0n) return undefined;
  const slope = x1 === x2 ? 3n * x1 * x1 * inverse(2n * y1) : (y2 - y1) * inverse(x2 - x1);
  const x = mod(slope * slope - x1 - x2);
  return [x, mod(slope * (x1 - x) - y1)];
}

function times(point, count) {
  let sum;
  for (let double = point, left = mod(count, N); left > 0n; left >>= 1n, double = add(double, double))
    if (left & 1n) sum = add(sum, double);
  return sum;
}

/** The public key by which a digest was signed. Of both signatures that a signer could make only the lower one counts. */
function recover(digest, signature) {
  const [, r, s, v] = /^0x([0-9a-f]{64})([0-9a-f]{64})1([bc])$/.exec(signature) ?? [];
  if (r === undefined) throw new Error('A signature is not 65 bytes in hexadecimal');
  const [x, factor] = [BigInt(`0x${r}`), BigInt(`0x${s}`)];
  if (x === 0n || x >= N || factor === 0n || factor > N / 2n) throw new Error('A signature is out of range');
  const root = power(x ** 3n + 7n, (P + 1n) / 4n);
  if (mod(root * root - x ** 3n - 7n) !== 0n) throw new Error('A signature is at no point of the curve');
  const y = (root & 1n) === (v === 'c' ? 1n : 0n) ? root : P - root;
  const byDigest = times(G, -BigInt(`0x${hex(digest)}`) * inverse(x, N));
  const key = add(times([x, y], factor * inverse(x, N)), byDigest);
  if (key === undefined) throw new Error('A signature is of no key');
  return key.map((part) => bytesOf(part.toString(16).padStart(64, '0')));
}

/** Keccak-256, as the Keccak team's compact implementation has it. */
function keccak256(bytes) {
  const state = Array(25).fill(0n);
  const rate = 136;
  const padded = new Uint8Array(Math.ceil((bytes.length + 1) / rate) * rate);
  padded.set(bytes);
  padded[bytes.length] = 1;
  padded[padded.length - 1] |= 0x80;
  const words = new DataView(padded.buffer);
  for (let at = 0; at < padded.length; at += rate) {
    for (let lane = 0; lane < rate / 8; lane += 1) state[lane] ^= words.getBigUint64(at + lane * 8, true);
    permute(state);
  }
  const out = new DataView(new ArrayBuffer(32));
  for (let lane = 0; lane < 4; lane += 1) out.setBigUint64(lane * 8, state[lane], true);
  return new Uint8Array(out.buffer);
}

function permute(state) {
  const rotate = (lane, by) => BigInt.asUintN(64, (lane << BigInt(by)) | (lane >> BigInt(64 - by)));
  let constant = 1;
  for (let round = 0; round < 24; round += 1) {
    const columns = [0, 1, 2, 3, 4].map((x) => [0, 5, 10, 15, 20].reduce((sum, y) => sum ^ state[x + y], 0n));
    for (let lane = 0; lane < 25; lane += 1)
      state[lane] ^= columns[(lane + 4) % 5] ^ rotate(columns[(lane + 1) % 5], 1);
    let [x, y, carried] = [1, 0, state[1]];
    for (let step = 1; step <= 24; step += 1) {
      [x, y] = [y, (2 * x + 3 * y) % 5];
      [carried, state[x + 5 * y]] = [state[x + 5 * y], rotate(carried, ((step * (step + 1)) / 2) % 64)];
    }
    for (let row = 0; row < 25; row += 5) {
      const old = state.slice(row, row + 5);
      for (let at = 0; at < 5; at += 1)
        state[row + at] = old[at] ^ (BigInt.asUintN(64, ~old[(at + 1) % 5]) & old[(at + 2) % 5]);
    }
    for (let bit = 0; bit < 7; bit += 1) {
      constant = ((constant << 1) ^ ((constant >> 7) * 0x71)) % 256;
      if (constant & 2) state[0] ^= 1n << BigInt(2 ** bit - 1);
    }
  }
}

/** RIPEMD-160 of 32 bytes. */
function ripemd160(bytes) {
  const words = new DataView(new ArrayBuffer(64));
  for (const [at, byte] of bytes.entries()) words.setUint8(at, byte);
  words.setUint8(32, 0x80);
  words.setUint32(56, 256, true);
  const order = [7, 4, 13, 1, 10, 6, 15, 3, 12, 0, 9, 5, 2, 14, 11, 8];
  // Turns by word and round, as RIPEMD-160 lists them.
  const shifts = [
    [11, 14, 15, 12, 5, 8, 7, 9, 11, 13, 14, 15, 6, 7, 9, 8],
    [12, 13, 11, 15, 6, 9, 9, 7, 12, 15, 11, 13, 7, 8, 7, 7],
    [13, 15, 14, 11, 7, 7, 6, 8, 13, 14, 13, 12, 5, 5, 6, 9],
    [14, 11, 12, 14, 8, 6, 5, 5, 15, 12, 15, 14, 9, 9, 8, 6],
    [15, 12, 13, 13, 9, 5, 8, 6, 14, 11, 12, 11, 8, 6, 5, 5],
  ];
  const mixes = [
    (x, y, z) => x ^ y ^ z,
    (x, y, z) => (x & y) | (~x & z),
    (x, y, z) => (x | ~y) ^ z,
    (x, y, z) => (x & z) | (y & ~z),
    (x, y, z) => x ^ (y | ~z),
  ];
  const turn = (value, by) => (value << by) | (value >>> (32 - by));
  const start = [0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0];
  function line(places, mixOf, constants) {
    let [a, b, c, d, e] = start;
    let index = places;
    for (let round = 0; round < 5; round += 1) {
      for (const place of index) {
        const mixed = (a + mixes[mixOf(round)](b, c, d) + words.getUint32(place * 4, true) + constants[round]) | 0;
        [a, b, c, d, e] = [e, (turn(mixed, shifts[round][place]) + e) | 0, b, turn(c, 10), d];
      }
      index = index.map((place) => order[place]);
    }
    return [a, b, c, d, e];
  }
  const straight = Array.from({ length: 16 }, (_, at) => at);
  const left = line(straight, (round) => round, [0, 0x5a827999, 0x6ed9eba1, 0x8f1bbcdc, 0xa953fd4e]);
  const crossed = straight.map((at) => (9 * at + 5) % 16);
  const right = line(crossed, (round) => 4 - round, [0x50a28be6, 0x5c4dd124, 0x6d703ef3, 0x7a6d76e9, 0]);
  const out = new DataView(new ArrayBuffer(20));
  for (let at = 0; at < 5; at += 1)
    out.setUint32(at * 4, (start[(at + 1) % 5] + left[(at + 2) % 5] + right[(at + 3) % 5]) | 0, true);
  return new Uint8Array(out.buffer);
}

/** How addresses of Bitcoin's networks begin: the main one, and those whose coins are worth nothing. */
const HUMANS = { bc: true, tb: false, bcrt: false };
const humanOf = (address) => address.slice(0, address.lastIndexOf('1'));

/** @param human how the address begins */
function bech32(human, words) {
  const letters = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l';
  const factors = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3];
  const letterCodes = [...human].map((letter) => letter.charCodeAt(0));
  const prefix = [...letterCodes.map((code) => code >> 5), 0, ...letterCodes.map((code) => code & 31)];
  const values = [...prefix, ...words, 0, 0, 0, 0, 0, 0];
  let check = 1;
  for (const value of values) {
    const top = check >>> 25;
    check = ((check & 0x1ffffff) << 5) ^ value;
    for (const [bit, factor] of factors.entries()) if ((top >>> bit) & 1) check ^= factor;
  }
  const sums = [25, 20, 15, 10, 5, 0].map((by) => ((check ^ 1) >>> by) & 31);
  return `${human}1${[...words, ...sums].map((word) => letters[word]).join('')}`;
}

const fives = (bytes) =>
  [...bytes]
    .map((byte) => byte.toString(2).padStart(8, '0'))
    .join('')
    .match(/.{5}/g)
    .map((bits) => Number.parseInt(bits, 2));

function base58(bytes) {
  const letters = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
  let text = '';
  for (let value = BigInt(`0x${hex(bytes)}`); value > 0n; value /= 58n) text = letters[Number(value % 58n)] + text;
  return text;
}

/** The address of a public key by which a network pays it. @param stated of Bitcoin it says which network it is of */
async function addressOf(network, [x, y], stated) {
  const human = humanOf(stated);
  if (network === 'BTC' && !Object.hasOwn(HUMANS, human)) throw new Error(`${stated} is not an address of Bitcoin`);
  if (network === 'BTC') return bech32(human, [0, ...fives(ripemd160(await sha256([2 + (y[31] & 1)], x)))]);
  const last = keccak256(Uint8Array.from([...x, ...y])).slice(12);
  if (network !== 'TRC20') return `0x${hex(last)}`;
  const body = Uint8Array.from([0x41, ...last]);
  return base58(Uint8Array.from([...body, ...(await sha256(await sha256(body))).slice(0, 4)]));
}

const isEvm = (network) => network === 'ERC20' || network === 'BEP20';
const isSame = (network, one, other) => (isEvm(network) ? one.toLowerCase() === other.toLowerCase() : one === other);

function textOf({ batch, time, state, commitment, assets, holdings, unread = [] }) {
  const owed = assets.map(({ coin, scale, sum, root }) => `owed ${coin} ${scale} ${sum} ${root}`);
  const held = holdings.map((one) =>
    [...['held', one.kind, one.network, one.coin, one.scale, one.height, one.hash, one.address ?? '-', one.units]].join(
      ' ',
    ),
  );
  const head = ['cambist statement of reserves 1', `batch ${batch}`, `time ${time}`, `state ${state}`];
  const missing = unread.map((one) => `unread ${one.network} ${one.coin} ${one.height} ${one.hash}`);
  return [...head, `commitment ${commitment}`, ...owed, ...held, ...missing].join('\n');
}

const scaled = (units, from, to) => (BigInt(units) * 10n ** BigInt(to)) / 10n ** BigInt(from);

/**
 * Checks a statement of reserves. Throws with the reason when anything of it does not hold.
 * @returns of each coin what is owed, what is held, beside that what is held by cold wallets that have not signed, in
 * smallest units of the exchange, and on which networks it was not read; which addresses have signed, and which cold ones
 * have not; and whether the hot wallets have: not where the exchange runs without a signer, which proves nothing
 */
export async function verifyReserves(statement) {
  const { version = FIRST_VERSION, batch, assets, holdings, signatures, commitment, unread = [] } = statement;
  if ((await commitmentOf({ version, batch, assets })) !== commitment)
    throw new Error('The totals and roots are not those of the commitment');
  const keys = holdings.map(({ kind, network, coin }) => `${kind} ${network} ${coin}`);
  if (new Set(keys).size !== keys.length) throw new Error('A holding is there twice');
  const both = unread.find((one) => holdings.some(({ network, coin }) => network === one.network && coin === one.coin));
  if (both !== undefined) throw new Error(`${both.coin} of ${both.network} is held, and was not read`);
  const [hot, cold] = ['hot', 'cold'].map((which) => holdings.filter(({ kind }) => kind === which));
  const shared = hot.find((one) => cold.some((other) => isSame(one.network, one.address, other.address)));
  if (shared !== undefined) throw new Error(`${shared.address} is counted twice`);
  const hasSigned = ({ network, address }) => signatures.some((one) => isSame(network, address, one.address));
  for (const { address, signature } of signatures) {
    const isOf = (one) => isSame(one.network, one.address, address);
    const [own, stated] = cold.some(isOf)
      ? [cold.filter(isOf), { holdings: cold.filter(isOf), unread: [] }]
      : [hot.filter(isOf), { holdings: holdings.filter(({ kind }) => kind !== 'cold'), unread }];
    if (own.length === 0) throw new Error(`${address} is not among what is held`);
    const digest = await sha256([0], encoder.encode(textOf({ ...statement, ...stated })));
    const key = recover(digest, signature);
    for (const { network } of own) {
      if (!isSame(network, await addressOf(network, key, address), address))
        throw new Error(`The signature of ${address} is not of this statement`);
    }
  }
  const unsigned = hot.find((one) => !hasSigned(one));
  if (unsigned !== undefined && hot.some(hasSigned)) throw new Error(`${unsigned.address} has not signed`);
  const coins = assets.map(({ coin, scale, sum }) => {
    const of = holdings.filter((one) => one.coin === coin);
    const isAside = (one) => one.kind === 'cold' && !hasSigned(one);
    const total = (some) => some.reduce((so, one) => so + scaled(eightyDigits(one.units), one.scale, scale), 0n);
    const [held, aside] = [total(of.filter((one) => !isAside(one))), total(of.filter(isAside))];
    const missing = unread.filter((one) => one.coin === coin).map(({ network }) => network);
    return { coin, scale, owed: String(sum), held: String(held), unsigned: String(aside), unread: missing };
  });
  const signers = signatures.map(({ address }) => address);
  const silent = new Set(cold.filter((one) => !hasSigned(one)).map(({ address }) => address));
  return { coins, signers, isSigned: hot.some(hasSigned), unsigned: [...silent] };
}

function eightyDigits(units) {
  if (!/^\d{1,80}$/.test(units)) throw new Error(`${units} is not an amount`);
  return units;
}

/** Checks that the leaves of a coin, a line each, add up to its root and total. */
export async function verifyLeaves({ version = FIRST_VERSION, batch, assets }, coin, text) {
  const asset = assets.find((one) => one.coin === coin);
  if (asset === undefined) throw new Error(`${coin} is not in the run`);
  const domain = await domainOf({ version, batch }, asset);
  let nodes = text
    .trim()
    .split('\n')
    .map((line) => line.split(' '))
    .map(([leaf, sum]) => [bytesOf(leaf), eightBytes(sum), BigInt(sum)]);
  for (let level = 0; nodes.length > 1; level += 1) {
    const above = [];
    for (let at = 0; at < nodes.length; at += 2) {
      const [[left, leftSum, one], [right, rightSum, other]] = [nodes[at], nodes[at + 1]];
      const hash = await sha256([1], domain, [level], left, leftSum, right, rightSum);
      above.push([hash, eightBytes(one + other), one + other]);
    }
    nodes = above;
  }
  const [root, , sum] = nodes[0];
  if (hex(root) !== asset.root || sum !== BigInt(asset.sum)) throw new Error(`${coin} does not add up to its root`);
}

function decimal(units, scale) {
  const digits = units.padStart(scale + 1, '0');
  return `${digits.slice(0, digits.length - scale)}${scale ? '.' : ''}${digits.slice(digits.length - scale)}`;
}

if (globalThis.process?.argv?.[1]?.endsWith('verify-reserves.mjs')) {
  const { readFileSync } = await import('node:fs');
  const [, , file, ...leaves] = process.argv;
  const statement = JSON.parse(readFileSync(file, 'utf8'));
  const { coins, signers, isSigned, unsigned } = await verifyReserves(statement);
  for (const path of leaves) {
    const [, coin] = /-([A-Z0-9]+)\.txt$/.exec(path) ?? [];
    await verifyLeaves(statement, coin, readFileSync(path, 'utf8'));
    process.stdout.write(`${coin} adds up to its root\n`);
  }
  for (const { coin, scale, owed, held, unsigned: aside, unread } of coins) {
    const beside = aside === '0' ? '' : `, and ${decimal(aside, scale)} that no key has signed for`;
    const missing = unread.length === 0 ? '' : `; not read, and not counted, on ${unread.join(', ')}`;
    process.stdout.write(`${coin} owed ${decimal(owed, scale)}, held ${decimal(held, scale)}${beside}${missing}\n`);
  }
  for (const address of signers) process.stdout.write(`Signed by ${address}\n`);
  for (const address of new Set(
    statement.holdings.flatMap((one) => (one.network === 'BTC' ? (one.address ?? []) : [])),
  ))
    if (!HUMANS[humanOf(address)])
      process.stdout.write(`${address} is of a test network of Bitcoin: its coins are worth nothing\n`);
  process.stdout.write(`Commitment of batch ${statement.batch}: ${statement.commitment}\n`);
  for (const address of unsigned) process.stdout.write(`Not signed for this run by the cold wallet ${address}\n`);
  if (!isSigned) {
    process.stdout.write('Not signed: this says what is held, and no key has confirmed it\n');
    process.exitCode = 2;
  }
}
