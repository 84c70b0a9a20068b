/**
 * Signs on a machine without a network: a refill of the hot wallet, checked against its own policy, or a statement of what its
 * own wallet holds. It reads what is asked from a file, and writes what it has signed beside it.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { formatAmount } from '@cambist/core/money/amount.ts';
import { canonicalAddress, familyOf } from '../funds/chains/addresses.ts';
import { type RefillRequest, refillRequest, writeSigned } from '../funds/chains/refill-files.ts';
import { highestCost, lastsUntil, NATIVE_COINS, nonceOf } from '../funds/chains/transactions.ts';
import { lockDirectory } from '../platform/directory-lock.ts';
import { type KeptSigner, openKept, type SignerSettings } from './folder.ts';
import type { CoinPolicy, NetworkPolicy } from './policy.ts';
import { coldReserves, type Reserves, writeSignedColdReserves } from './reserves.ts';
import type { Signer } from './signer.ts';

/** As a person reads it: a coin by the name and the decimals that the policy of this machine gives it. */
function amountOf({ contract, units: amount }: RefillRequest, coin: CoinPolicy): string {
  if (coin.name !== undefined && coin.decimals !== undefined)
    return `${formatAmount(amount, coin.decimals)} ${coin.name}`;
  return `${amount} smallest units of ${contract === null ? "the chain's own coin" : `the token ${contract}`}`;
}

function describe(asked: RefillRequest, policy: NetworkPolicy, coin: CoinPolicy): string[] {
  const native = NATIVE_COINS[asked.network];
  const until = lastsUntil(asked.terms);
  // Of a chain on which only time ends a transaction, the number that tells it from others says nothing to a person.
  const nonce = until === null ? nonceOf(asked.terms) : null;
  const change = asked.terms.format === 'bitcoin' ? asked.terms.change : 0n;
  return [
    `Network     ${asked.network}`,
    `Pays        ${amountOf(asked, coin)}`,
    `From        ${asked.from}   (the wallet of this machine)`,
    `To          ${asked.to}   (the hot wallet of the policy${policy.format === 'development' ? ', on a development chain' : ''})`,
    `Costs       at most ${formatAmount(highestCost(asked.terms), native.scale)} ${native.coin}`,
    ...(nonce === null ? [] : [`Nonce       ${nonce}`]),
    ...(until === null ? [] : [`Good until  ${moment(until)}: upload it before`]),
    ...(change === 0n
      ? []
      : [`Keeps       ${formatAmount(change, native.scale)} ${native.coin}   (back to the wallet of this machine)`]),
    `Request     ${asked.request}`,
  ];
}

const moment = (time: number): string => `${new Date(time).toISOString().slice(0, 16).replace('T', ' ')} UTC`;

/** What the chain takes for a day at most. */
const DAY_MS = 86_400_000;

/** @throws where time has ended it, or will later than the chain allows */
function checkTime(until: number | null, now: number): void {
  if (until === null) return;
  const here = `the clock of this machine says ${moment(now)}`;
  if (until <= now) throw new Error(`The request was good until ${moment(until)}, and ${here}: take the next one`);
  if (until > now + DAY_MS)
    throw new Error(`The request is good until ${moment(until)}, more than a day from now: ${here}. Set it right`);
}

/** @returns the signed file's text, and what it pays in words @throws with the reason where it is not signed */
export async function signRefill(
  { signer, policy }: Pick<KeptSigner, 'signer' | 'policy'>,
  text: string,
  clock: { now(): number } = Date,
): Promise<Written> {
  const asked = refillRequest.parse(JSON.parse(text));
  checkTime(lastsUntil(asked.terms), clock.now());
  const { request: id, network, from, to, contract } = asked;
  const family = familyOf(network);
  const allowed = policy().networks[network];
  const coin = allowed?.coins.find((one) => one.contract === contract);
  if (allowed?.only_to === undefined)
    throw new Error(`The policy of this machine names no hot wallet of ${network}: set "only_to"`);
  if (coin === undefined) throw new Error(`The policy of this machine does not have this coin on ${network}`);
  const own = canonicalAddress(family, signer.hotAddress(network));
  if (from !== own) throw new Error(`The request is of the wallet ${from}; that of this machine is ${own}`);
  if (to !== allowed.only_to) throw new Error(`The request pays to ${to}; the policy allows ${allowed.only_to} alone`);
  const paid = { network, contract, address: to, units: asked.units };
  const answer = await signer.sign({ id, attempt: 1, source: null, payment: paid, terms: asked.terms }, null);
  if (!answer.ok) throw new Error(`Not signed: ${answer.code}`);
  return { signed: writeSigned({ request: id, network, raw: answer.raw }), words: describe(asked, allowed, coin) };
}

interface Written {
  readonly signed: string;
  /** What it says, for a person. */
  readonly words: readonly string[];
}

/** @throws with the reason where it is not signed */
export async function signColdReserves(
  { signer }: { readonly signer: Pick<Signer, 'reserves'> },
  statement: Reserves,
): Promise<Written> {
  const { batch, commitment, time, holdings } = statement;
  const answer = await signer.reserves(statement, 'cold');
  if (!answer.ok)
    throw new Error(
      answer.code === 'NOT_OWN'
        ? 'Not signed: the statement is of another wallet than that of this machine'
        : `Not signed: ${answer.code}`,
    );
  const [{ address, signature } = { address: '', signature: '' }, ...others] = answer.signatures;
  if (others.length > 0) throw new Error('Not signed: a statement is of one wallet');
  const held = holdings.map(
    ({ network, coin, scale, units, height, hash }) =>
      `Holds       ${formatAmount(units, scale)} ${coin} on ${network}, at block ${height} (${hash})`,
  );
  return {
    signed: writeSignedColdReserves({ batch, commitment, address, signature }),
    words: [
      'This states what the wallet holds. It moves nothing.',
      `Run         ${batch} of ${new Date(time).toISOString()}`,
      `Commitment  ${commitment}`,
      `Wallet      ${address}   (the wallet of this machine)`,
      ...held,
    ],
  };
}

/** By its schema, a statement of reserves or a request for a refill. */
function signFile(kept: KeptSigner, text: string): Promise<Written> {
  const asked = coldReserves.safeParse(JSON.parse(text));
  return asked.success ? signColdReserves(kept, asked.data.statement) : signRefill(kept, text);
}

/** @param path of the request @returns what was signed, in words */
export async function coldSign(settings: Omit<SignerSettings, 'listen'>, path: string): Promise<string> {
  const unlock = lockDirectory(settings.folder);
  try {
    const { signed, words } = await signFile(await openKept(settings, Date), readFileSync(path, 'utf8'));
    const out = `${path.replace(/\.json$/, '')}.signed.json`;
    writeFileSync(out, signed);
    return [...words, '', `Signed. Carry ${out} back and upload it in the console.`].join('\n');
  } finally {
    unlock();
  }
}
