/**
 * What was signed: lines that are only added, each on the disk before it is answered. A line that a killed process left
 * unfinished was never answered, and is cut off at the start.
 */
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, truncateSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';
import { claimantOf, claimsOf, isOrdered, othersOf, payment, terms, writeJson } from '../funds/chains/transactions.ts';
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

function signedLines(path: string, bytes: Buffer): Signed[] {
  const lines = bytes.toString('utf8').split('\n').slice(0, -1);
  return lines.map((text, index) => {
    try {
      return line.parse(JSON.parse(text));
    } catch (cause) {
      throw new Error(`Line ${index + 1} of ${path} cannot be read: restore it from a backup`, { cause });
    }
  });
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
  for (const { day, id, leaves, payment: of, terms: by, transaction } of signedLines(path, readFileSync(path))) {
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

export class SignedFile {
  readonly #path: string;
  readonly #byId = new Map<string, Signed[]>();
  readonly #byClaim = new Map<string, string>();
  readonly #byDay = new Map<string, bigint>();
  #isBroken = false;

  constructor(path: string) {
    this.#path = path;
    for (const one of this.#load()) this.#add(one);
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

  /** On the disk when it returns. What fails leaves an unknown end behind, so nothing is added before the next start. */
  append(signed: Signed): void {
    if (this.#isBroken) throw new Error(`${this.#path} could not be written: start the signer again`);
    this.#isBroken = true;
    const file = openSync(this.#path, 'a', 0o600);
    try {
      const bytes = Buffer.from(`${writeJson(signed)}\n`);
      for (let written = 0; written < bytes.length; ) written += writeSync(file, bytes, written);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    this.#isBroken = false;
    this.#add(signed);
  }

  #add(signed: Signed): void {
    const { id, day, payment: of } = signed;
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

  #load(): Signed[] {
    if (!existsSync(this.#path)) {
      // The name of a new file is on the disk once its folder is.
      closeSync(openSync(this.#path, 'a', 0o600));
      const folder = openSync(dirname(this.#path), 'r');
      fsyncSync(folder);
      closeSync(folder);
      return [];
    }
    const bytes = readFileSync(this.#path);
    const end = bytes.lastIndexOf(0x0a) + 1;
    if (end < bytes.length) truncateSync(this.#path, end);
    return signedLines(this.#path, bytes.subarray(0, end));
  }
}
