/**
 * Which coins pay. First a set that needs no change, by branch and bound as Murch describes it ("An Evaluation of Coin
 * Selection Strategies", 2016) and Bitcoin Core does it. Else change is made that is worth spending later: by the smallest
 * coin that leaves such change, or by the largest ones until they do.
 */

import { dustOf } from './bitcoin-addresses.ts';
import type { Coin } from './bitcoin-coins.ts';
import { MOST_INPUTS } from './transactions.ts';

export interface Selection {
  readonly inputs: readonly Coin[];
  /** Back to the wallet; zero where it would be worth less than spending it costs. */
  readonly change: bigint;
  readonly fee: bigint;
}

export interface Wanted {
  /** Those that are paid. */
  readonly scripts: readonly Uint8Array[];
  /** Their sum. */
  readonly units: bigint;
  /** Smallest units for 1,000 virtual bytes. */
  readonly rate: bigint;
  /** Of change. */
  readonly ownScript: Uint8Array;
}

/** Change below this would be of little use for the next payment (as Bitcoin Core's lower bound for change). */
const USEFUL_CHANGE = 50_000n;
const TRIES = 20_000;
/** Coins that are looked at: the largest ones, so that dust that is sent to the wallet costs nothing. */
const LOOKED_AT = 2_000;

/** Weight units of an input of a key hash: 41 bytes, and a witness of a signature and a key. */
const INPUT_WEIGHT = 41n * 4n + 108n;

const outputBytes = (script: Uint8Array): bigint => BigInt(8 + 1 + script.length);
const ceilDiv = (dividend: bigint, divisor: bigint): bigint => (dividend + divisor - 1n) / divisor;

/** Of a transaction with inputs of key hashes, at most. */
export function virtualBytes(inputs: number, scripts: readonly Uint8Array[]): bigint {
  const counts = 2n + (inputs > 252 ? 2n : 0n) + (scripts.length > 252 ? 2n : 0n);
  const plain = 8n + counts + scripts.reduce((sum, script) => sum + outputBytes(script), 0n);
  return ceilDiv(plain * 4n + 2n + BigInt(inputs) * INPUT_WEIGHT, 4n);
}

/** Rounded up. */
export const feeOf = (bytes: bigint, rate: bigint): bigint => ceilDiv(bytes * rate, 1000n);

const sumOf = (coins: readonly Coin[]): bigint => coins.reduce((sum, { units }) => sum + units, 0n);

/** Change as it can be made of what is left; what would be dust goes to the fee. */
function withChange(inputs: readonly Coin[], { scripts, units, rate, ownScript }: Wanted): Selection | undefined {
  const left = sumOf(inputs) - units;
  const change = left - feeOf(virtualBytes(inputs.length, [...scripts, ownScript]), rate);
  if (change >= dustOf(ownScript)) return { inputs, change, fee: left - change };
  return left >= feeOf(virtualBytes(inputs.length, scripts), rate) ? { inputs, change: 0n, fee: left } : undefined;
}

/** A set whose sum is what is wanted, or so little more that change would cost more than it is worth. */
function exact(coins: readonly Coin[], wanted: Wanted): readonly Coin[] | undefined {
  const { scripts, units, rate, ownScript } = wanted;
  const inputCost = feeOf(ceilDiv(INPUT_WEIGHT, 4n), rate);
  const values = coins.map((coin) => coin.units - inputCost);
  const target = units + feeOf(virtualBytes(0, scripts) + 1n, rate);
  const most = target + inputCost + feeOf(outputBytes(ownScript), rate);
  const rest = values.map(() => 0n);
  for (let index = values.length - 1; index >= 0; index -= 1)
    rest[index] = (rest[index + 1] ?? 0n) + (values[index] ?? 0n);
  const chosen: number[] = [];
  let [sum, next] = [0n, 0];
  for (let tries = 0; tries < TRIES; tries += 1) {
    if (sum >= target && sum <= most) return chosen.flatMap((index) => coins[index] ?? []);
    const isHopeless = sum > most || sum + (rest[next] ?? 0n) < target || chosen.length >= MOST_INPUTS;
    if (!isHopeless && next < values.length) {
      chosen.push(next);
      sum += values[next] ?? 0n;
      next += 1;
      continue;
    }
    // Without the coin that was chosen last.
    const last = chosen.pop();
    if (last === undefined) return undefined;
    sum -= values[last] ?? 0n;
    next = last + 1;
  }
  return undefined;
}

function largestFirst(coins: readonly Coin[], wanted: Wanted): Selection | undefined {
  let enough: Selection | undefined;
  for (let count = 1; count <= Math.min(coins.length, MOST_INPUTS); count += 1) {
    const selection = withChange(coins.slice(0, count), wanted);
    enough ??= selection;
    if (selection !== undefined && selection.change >= USEFUL_CHANGE) return selection;
  }
  return enough;
}

/** @returns undefined where the coins are not enough */
export function selectCoins(coins: readonly Coin[], wanted: Wanted): Selection | undefined {
  const inputCost = feeOf(ceilDiv(INPUT_WEIGHT, 4n), wanted.rate);
  const worth = coins
    .filter(({ units }) => units > inputCost)
    .sort((one, other) => Number(other.units - one.units) || (one.transaction < other.transaction ? -1 : 1))
    .slice(0, LOOKED_AT);
  const without = exact(worth, wanted);
  if (without !== undefined) {
    const fee = sumOf(without) - wanted.units;
    if (fee >= feeOf(virtualBytes(without.length, wanted.scripts), wanted.rate))
      return { inputs: without, change: 0n, fee };
  }
  const single = worth
    .map((coin) => withChange([coin], wanted))
    .findLast((selection) => selection !== undefined && selection.change >= USEFUL_CHANGE);
  return single ?? largestFirst(worth, wanted);
}
