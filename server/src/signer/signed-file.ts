/**
 * What was signed: lines that are only added, each on the disk before it is answered. A line that a killed process left
 * unfinished was never answered, and is cut off at the start. Each line ends with a hash of itself and of all before it, so that none
 * can be changed, left out or put elsewhere. Lines of before there were hashes come first.
 */
import { createHash } from 'node:crypto';
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, truncateSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';
import {
  claimantOf,
  claimsOf,
  highestCost,
  isOrdered,
  othersOf,
  payment,
  terms,
  writeJson,
} from '../funds/chains/transactions.ts';
import { source } from './intent.ts';

const line = z.object({
  id: z.string(),
  attempt: z.number().int(),
  digest: z.string(),
  source,
  /** False of what stays with the exchange: the day's amount does not count it. */
  leaves: z.boolean().default(true),
  payment,
  terms,
  raw: z.string(),
  transaction: z.string(),
  /** Days since 1970 (UTC), by the signer's clock. */
  day: z.number().int(),
});
export type Signed = z.output<typeof line>;

/** A replacement pays nothing more, unless nothing but time tells it from the one before. */
const mayPayMore = ({ attempt, terms: of, leaves }: Signed) => leaves && (attempt === 1 || !isOrdered(of));

const claimOf = (network: string, from: Signed['source'], claim: string) => `${network} ${from ?? ''} ${claim}`;

const CHAINED = /^(.*),"chain":"([0-9a-f]{64})"\}$/;

const chainAfter = (chain: string, text: string): string =>
  createHash('sha256').update(`${chain}\n${text}`).digest('hex');

interface Record {
  readonly lines: readonly Signed[];
  /** The hash of all lines. */
  readonly chain: string;
}

/** @throws where a line cannot be read, or does not follow those before it */
function readRecord(path: string, bytes: Buffer): Record {
  const lines: Signed[] = [];
  let [chain, isChained] = ['', false];
  for (const text of bytes.toString('utf8').split('\n').slice(0, -1)) {
    const [, start, own] = CHAINED.exec(text) ?? [];
    const content = start === undefined ? text : `${start}}`;
    chain = chainAfter(chain, content);
    const place = `Line ${lines.length + 1} of ${path}`;
    if (own === undefined ? isChained : own !== chain)
      throw new Error(`${place} does not follow those before it: the record was changed. Restore it from a backup`);
    isChained = own !== undefined;
    try {
      lines.push(line.parse(JSON.parse(content)));
    } catch (cause) {
      throw new Error(`${place} cannot be read: restore it from a backup`, { cause });
    }
  }
  return { lines, chain };
}

const DAY_MS = 86_400_000;

/**
 * For an operator whose database is older than the file: what has left the exchange. Changes nothing, so that a signer may write
 * meanwhile.
 * @param from a day, `2026-11-27`
 * @returns a line for each payment, by its newest attempt: day, number, network, contract, smallest units, address, transaction
 */
export function listSigned(path: string, from: string): string {
  const payments = new Map<string, readonly (string | bigint)[]>();
  for (const { day, id, leaves, payment: of, terms: by, transaction } of readRecord(path, readFileSync(path)).lines) {
    const date = new Date(day * DAY_MS).toISOString().slice(0, 10);
    if (!leaves || date < from) continue;
    for (const { id: name, address, units } of [{ ...of, id }, ...othersOf(by)]) {
      payments.set(name, [date, name, of.network, of.contract ?? '-', units, address, transaction]);
    }
  }
  const rows = [
    ['day', 'number', 'network', 'contract', 'smallest units', 'address', 'transaction'],
    ...payments.values(),
  ];
  return rows.map((row) => row.join('\t')).join('\n');
}

type Costing = Pick<Signed, 'terms' | 'day'>;

/** Of a payment and what replaces it one is mined, unless only time ends it: a replacement counts by what it costs more. */
export function addedCost({ terms: of, day }: Costing, before: Costing | undefined): bigint {
  const cost = highestCost(of);
  if (before === undefined || before.day !== day || !isOrdered(of)) return cost;
  const known = highestCost(before.terms);
  return cost > known ? cost - known : 0n;
}

function makeRecord(path: string, missing: 'make' | 'refuse'): void {
  if (missing === 'refuse')
    throw new Error(
      `${path} is missing: without the record of what it has signed, this signer could pay twice. Restore it from a backup. ` +
        'A new signer makes it with its seed: npm run signer -- init, or restore',
    );
  // The name of a new file is on the disk once its folder is.
  closeSync(openSync(path, 'a', 0o600));
  const folder = openSync(dirname(path), 'r');
  fsyncSync(folder);
  closeSync(folder);
}

export class SignedFile {
  readonly #path: string;
  readonly #byId = new Map<string, Signed[]>();
  readonly #byClaim = new Map<string, string>();
  readonly #byDay = new Map<string, bigint>();
  /** By network and day. */
  readonly #feesByDay = new Map<string, bigint>();
  #chain: string;
  #isBroken = false;

  /** @param missing what is done where there is no record: only a new signer has none @throws where it is refused, or was changed */
  constructor(path: string, missing: 'make' | 'refuse') {
    this.#path = path;
    if (!existsSync(path)) makeRecord(path, missing);
    const { lines, chain } = this.#load();
    this.#chain = chain;
    for (const one of lines) this.#add(one);
  }

  /** The attempts of a payment, in their order; those of another one that it went along with. */
  attempts(id: string): readonly Signed[] {
    return this.#byId.get(id) ?? [];
  }

  /** The payment that has a claim of an address. */
  ownerOf(network: string, from: Signed['source'], claim: string): string | undefined {
    return this.#byClaim.get(claimOf(network, from, claim));
  }

  /** Units of a coin that were signed on a day, and leave the exchange. */
  sumOf(network: string, contract: string | null, day: number): bigint {
    return this.#byDay.get(`${network} ${contract ?? ''} ${day}`) ?? 0n;
  }

  /** The most that what was signed on a day may cost on a network, in smallest units of its own coin. */
  feesOf(network: string, day: number): bigint {
    return this.#feesByDay.get(`${network} ${day}`) ?? 0n;
  }

  /** On the disk when it returns. What fails leaves an unknown end behind, so nothing is added before the next start. */
  append(signed: Signed): void {
    if (this.#isBroken) throw new Error(`${this.#path} could not be written: start the signer again`);
    this.#isBroken = true;
    const file = openSync(this.#path, 'a', 0o600);
    try {
      const content = writeJson(signed);
      const chain = chainAfter(this.#chain, content);
      const bytes = Buffer.from(`${content.slice(0, -1)},"chain":"${chain}"}\n`);
      for (let written = 0; written < bytes.length; ) written += writeSync(file, bytes, written);
      fsyncSync(file);
      this.#chain = chain;
    } finally {
      closeSync(file);
    }
    this.#isBroken = false;
    this.#add(signed);
  }

  #add(signed: Signed): void {
    const { id, day, payment: of } = signed;
    const fees = `${of.network} ${day}`;
    this.#feesByDay.set(fees, this.feesOf(of.network, day) + addedCost(signed, this.attempts(id).at(-1)));
    const others = othersOf(signed.terms);
    for (const name of [id, ...others.map((other) => other.id)]) this.#byId.set(name, [...this.attempts(name), signed]);
    const claimant = claimantOf(signed.terms, signed.source);
    for (const claim of claimsOf(signed.terms)) this.#byClaim.set(claimOf(of.network, claimant, claim), id);
    if (!mayPayMore(signed)) return;
    const key = `${of.network} ${of.contract ?? ''} ${day}`;
    this.#byDay.set(
      key,
      others.reduce((sum, { units }) => sum + units, (this.#byDay.get(key) ?? 0n) + of.units),
    );
  }

  #load(): Record {
    const bytes = readFileSync(this.#path);
    const end = bytes.lastIndexOf(0x0a) + 1;
    if (end < bytes.length) truncateSync(this.#path, end);
    return readRecord(this.#path, bytes.subarray(0, end));
  }
}
