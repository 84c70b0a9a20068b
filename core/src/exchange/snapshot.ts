/**
 * All of an exchange's state in one buffer: a section of facts with the state's hash, then what each module wrote of
 * itself. What is read back must have the hash that was written, so neither a changed byte nor a reader that has
 * forgotten something goes by.
 */
import { SectionReader, SectionWriter, UnreadableSections } from '../collections/sections.ts';
import { readAccounts } from '../ledger/account-table.ts';
import type { Asset } from '../money/market.ts';
import { createExchange, type FastExchange } from './create-exchange.ts';
import { loadInstruments } from './snapshot-records.ts';

/** A snapshot that can't be used; the message says why. */
export class SnapshotRefused extends Error {
  override readonly name = 'SnapshotRefused';
}

export interface SnapshotFacts {
  /** The version of the state: of the rules that first had it. */
  readonly rules: number;
  /** The last batch of the journal that the state holds. */
  readonly batch: number;
}

export interface Snapshot extends SnapshotFacts {
  /** 16 hexadecimal digits over all of the state. */
  readonly stateHash: string;
  readonly exchange: FastExchange;
}

export function writeSnapshot(
  exchange: FastExchange,
  { rules, batch }: SnapshotFacts,
): { readonly stateHash: string; readonly bytes: Uint8Array<ArrayBuffer> } {
  const stateHash = exchange.stateHash();
  const writer = new SectionWriter();
  writer.section('facts', 1);
  writer.column(Float64Array.of(rules, batch));
  writer.text(stateHash);
  exchange.save(writer);
  return { stateHash, bytes: writer.finish() };
}

/**
 * @param rules the version of the rules that the state is to go on under
 * @throws SnapshotRefused for bytes that were changed or cut short, for other rules, and for a state of another hash
 */
export function readSnapshot(bytes: Uint8Array, rules: number): Snapshot {
  try {
    return read(new SectionReader(bytes), rules);
  } catch (error) {
    if (error instanceof UnreadableSections) throw new SnapshotRefused(error.message, { cause: error });
    throw error;
  }
}

/** What a snapshot has of every account, at some 16 bytes for each instead of the memory of an exchange. */
export interface SnapshotBalances extends SnapshotFacts {
  /** As it was written: it is not computed again. The bytes are those that were written with it. */
  readonly stateHash: string;
  readonly assets: readonly Asset[];
  /** Views of the bytes, in no order; accounts that hold nothing may be among them. */
  readonly keys: Float64Array;
  readonly balances: BigInt64Array;
}

/** @throws SnapshotRefused for bytes that were changed or cut short, and for other rules */
export function readBalances(bytes: Uint8Array, rules: number): SnapshotBalances {
  try {
    const reader = new SectionReader(bytes);
    const facts = readFacts(reader, rules);
    const exchange = createExchange();
    loadInstruments(reader, exchange);
    return { ...facts, assets: exchange.assets(), ...readAccounts(reader) };
  } catch (error) {
    if (error instanceof UnreadableSections) throw new SnapshotRefused(error.message, { cause: error });
    throw error;
  }
}

function readFacts(reader: SectionReader, rules: number): SnapshotFacts & { readonly stateHash: string } {
  reader.section('facts', 1);
  const [version = 0, batch = 0] = reader.column(Float64Array);
  const stateHash = reader.text();
  if (version !== rules) throw new SnapshotRefused(`The snapshot is of rules ${version}, and these are ${rules}`);
  return { rules, batch, stateHash };
}

function read(reader: SectionReader, rules: number): Snapshot {
  const { batch, stateHash } = readFacts(reader, rules);
  const exchange = createExchange();
  exchange.load(reader);
  const found = exchange.stateHash();
  if (found !== stateHash) throw new SnapshotRefused(`The snapshot's state has hash ${found} instead of ${stateHash}`);
  return { rules, batch, stateHash, exchange };
}
