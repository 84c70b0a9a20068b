/**
 * Signs a refill of the hot wallet on a machine without a network: it reads a request from a file, checks it against its own
 * policy, and writes the signed transaction beside it.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { networkName } from '@cambist/contract/deposits.ts';
import { formatAmount } from '@cambist/core/money/amount.ts';
import { z } from 'zod';
import { canonicalAddress, familyOf } from '../funds/chains/addresses.ts';
import { NATIVE_COINS } from '../funds/chains/service.ts';
import { highestCost, nonceOf, payment, terms, units, writeJson } from '../funds/chains/transactions.ts';
import { lockDirectory } from '../platform/directory-lock.ts';
import { type KeptSigner, openKept } from './folder.ts';
import { intent } from './intent.ts';
import type { CoinPolicy, NetworkPolicy } from './policy.ts';

const VERSION = 1;

/** What the server asks of the cold wallet. */
export const refillRequest = z.strictObject({
  version: z.literal(VERSION),
  request: intent.shape.id,
  network: networkName,
  /** The cold wallet and the hot one, canonical. */
  from: payment.shape.address,
  to: payment.shape.address,
  /** The token; null for the chain's own coin. */
  contract: payment.shape.contract,
  /** Smallest units of the chain. */
  units: units.pipe(z.bigint().positive()),
  terms,
});
export type RefillRequest = z.output<typeof refillRequest>;

/** What comes back. */
export const signedRefill = z.strictObject({
  version: z.literal(VERSION),
  request: intent.shape.id,
  network: networkName,
  raw: z.string().min(1).max(100_000),
});
export type SignedRefill = z.output<typeof signedRefill>;

export const writeRequest = (asked: Omit<RefillRequest, 'version'>): string =>
  `${writeJson({ version: VERSION, ...asked })}\n`;

/** As a person reads it: a coin by the name and the decimals that the policy of this machine gives it. */
function amountOf({ contract, units: amount }: RefillRequest, coin: CoinPolicy): string {
  if (coin.name !== undefined && coin.decimals !== undefined)
    return `${formatAmount(amount, coin.decimals)} ${coin.name}`;
  return `${amount} smallest units of ${contract === null ? "the chain's own coin" : `the token ${contract}`}`;
}

function describe(asked: RefillRequest, policy: NetworkPolicy, coin: CoinPolicy): string[] {
  const native = NATIVE_COINS[asked.network];
  const nonce = nonceOf(asked.terms);
  return [
    `Network     ${asked.network}`,
    `Pays        ${amountOf(asked, coin)}`,
    `From        ${asked.from}   (the wallet of this machine)`,
    `To          ${asked.to}   (the hot wallet of the policy${policy.format === 'development' ? ', on a development chain' : ''})`,
    `Costs       at most ${formatAmount(highestCost(asked.terms), native.scale)} ${native.coin}`,
    ...(nonce === null ? [] : [`Nonce       ${nonce}`]),
    `Request     ${asked.request}`,
  ];
}

/** @returns the signed file's text, and what it pays in words @throws with the reason where it is not signed */
export async function signRefill(
  { signer, policy }: Pick<KeptSigner, 'signer' | 'policy'>,
  text: string,
): Promise<{ signed: string; words: readonly string[] }> {
  const asked = refillRequest.parse(JSON.parse(text));
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
  const answer = await signer.sign({ id, attempt: 1, source: null, payment: paid, terms: asked.terms });
  if (!answer.ok) throw new Error(`Not signed: ${answer.code}`);
  const file: SignedRefill = { version: VERSION, request: id, network, raw: answer.raw };
  return { signed: `${writeJson(file)}\n`, words: describe(asked, allowed, coin) };
}

/** @param path of the request @returns what was signed, in words */
export async function coldSign(settings: { folder: string; passphraseFile: string }, path: string): Promise<string> {
  const unlock = lockDirectory(settings.folder);
  try {
    const { signed, words } = await signRefill(openKept(settings, Date), readFileSync(path, 'utf8'));
    const out = `${path.replace(/\.json$/, '')}.signed.json`;
    writeFileSync(out, signed);
    return [...words, '', `Signed. Carry ${out} back and upload it in the console.`].join('\n');
  } finally {
    unlock();
  }
}
