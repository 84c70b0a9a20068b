/**
 * Signs a refill of the hot wallet on a machine without a network: it reads a request from a file, checks it against its own
 * policy, and writes the signed transaction beside it.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { formatAmount } from '@cambist/core/money/amount.ts';
import { canonicalAddress, familyOf } from '../funds/chains/addresses.ts';
import { type RefillRequest, refillRequest, writeSigned } from '../funds/chains/refill-files.ts';
import { highestCost, NATIVE_COINS, nonceOf } from '../funds/chains/transactions.ts';
import { lockDirectory } from '../platform/directory-lock.ts';
import { type KeptSigner, openKept, type SignerSettings } from './folder.ts';
import type { CoinPolicy, NetworkPolicy } from './policy.ts';

/** As a person reads it: a coin by the name and the decimals that the policy of this machine gives it. */
function amountOf({ contract, units: amount }: RefillRequest, coin: CoinPolicy): string {
  if (coin.name !== undefined && coin.decimals !== undefined)
    return `${formatAmount(amount, coin.decimals)} ${coin.name}`;
  return `${amount} smallest units of ${contract === null ? "the chain's own coin" : `the token ${contract}`}`;
}

function describe(asked: RefillRequest, policy: NetworkPolicy, coin: CoinPolicy): string[] {
  const native = NATIVE_COINS[asked.network];
  const nonce = nonceOf(asked.terms);
  const change = asked.terms.format === 'bitcoin' ? asked.terms.change : 0n;
  return [
    `Network     ${asked.network}`,
    `Pays        ${amountOf(asked, coin)}`,
    `From        ${asked.from}   (the wallet of this machine)`,
    `To          ${asked.to}   (the hot wallet of the policy${policy.format === 'development' ? ', on a development chain' : ''})`,
    `Costs       at most ${formatAmount(highestCost(asked.terms), native.scale)} ${native.coin}`,
    ...(nonce === null ? [] : [`Nonce       ${nonce}`]),
    ...(change === 0n
      ? []
      : [`Keeps       ${formatAmount(change, native.scale)} ${native.coin}   (back to the wallet of this machine)`]),
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
  return { signed: writeSigned({ request: id, network, raw: answer.raw }), words: describe(asked, allowed, coin) };
}

/** @param path of the request @returns what was signed, in words */
export async function coldSign(settings: Omit<SignerSettings, 'listen'>, path: string): Promise<string> {
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
