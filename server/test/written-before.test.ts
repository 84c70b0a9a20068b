/**
 * Journals and snapshots as earlier versions wrote them, of seeded traders: one that knew neither attached exits nor
 * icebergs, one that knew no TWAPs, one that wrote positions as text, one that closed a position by one order, one that
 * refused triggered orders for their size, one that asked each order alone what it loses, one in which a moment of a book was
 * worth as much as it said, one in which only trades moved a last price, one that said of an order which met its owner's alone
 * that there were none, one that made up for missed slices of a TWAP in one moment, one in which one trade moved the band and
 * triggered what waited for it, one that took openings below maintenance and gave a term's discount in advance, and one in which
 * reduce-only orders kept a position from being closed and outlived it. Beside each command is the digest of what it led to.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { Json } from '@cambist/core/commands/define-command.ts';
import { decodeCommand } from '@cambist/core/exchange/command-codec.ts';
import { createExchange } from '@cambist/core/exchange/create-exchange.ts';
import { digestOf } from '@cambist/core/exchange/digest.ts';
import { readSnapshot } from '@cambist/core/exchange/snapshot.ts';
import { describe, expect, it } from 'vitest';
import { JOURNAL_VERSION } from '../src/exchange/engine/journal.ts';
import { ReplayDiffers, replayRow } from '../src/exchange/engine/recovery.ts';

interface Written {
  readonly rows: readonly (readonly [time: number, command: readonly Json[], digest: string])[];
  readonly stateHash: string;
  /** Base64. */
  readonly snapshot: string;
}

/** Of the state in a snapshot. */
const SNAPSHOT_RULES = 2;

const writtenIn = (file: string): Written => {
  const path = join(import.meta.dirname, `fixtures/before-${file}.json.gz`);
  return JSON.parse(gunzipSync(readFileSync(path)).toString()) as Written;
};

describe.each([
  { name: 'exits', file: 'exits', rules: 2, plans: 0, twaps: 0, positions: 0 },
  { name: 'twaps', file: 'twaps', rules: 2, plans: 8, twaps: 0, positions: 0 },
  { name: 'columns of positions', file: 'position-columns', rules: 2, plans: 0, twaps: 0, positions: 14 },
  {
    name: 'parts of what closes a position',
    file: 'closing-in-parts',
    rules: 2,
    plans: 0,
    twaps: 0,
    positions: 8,
    until: 3,
  },
  { name: 'triggers of any size', file: 'triggers-of-any-size', rules: 3, plans: 1, twaps: 1, positions: 0, until: 4 },
  { name: 'losses counted together', file: 'losses-together', rules: 4, plans: 2, twaps: 1, positions: 15, until: 5 },
  { name: 'bounds of what is sampled', file: 'bounded-samples', rules: 5, plans: 1, twaps: 1, positions: 12, until: 6 },
  { name: 'told last prices', file: 'told-prices', rules: 6, plans: 1, twaps: 1, positions: 0, until: 7 },
  { name: 'names for own orders', file: 'own-orders-named', rules: 7, plans: 4, twaps: 2, positions: 0, until: 8 },
  { name: 'spread slices of TWAPs', file: 'spread-twaps', rules: 9, plans: 6, twaps: 2, positions: 0, until: 10 },
  { name: 'reference prices', file: 'reference-prices', rules: 9, plans: 2, twaps: 2, positions: 0, until: 11 },
  { name: 'earned terms', file: 'earned-terms', rules: 11, plans: 2, twaps: 5, positions: 14, until: 12 },
  { name: 'closings that come first', file: 'closing-first', rules: 12, plans: 1, twaps: 3, positions: 13, until: 13 },
])('what was written before there were $name', ({ file, rules, plans, twaps, positions, until }) => {
  const written = writtenIn(file);

  it('is replayed to the same digests and the same state', () => {
    const exchange = createExchange();
    exchange.rules = rules;
    const digests = written.rows.map(([time, command]) => {
      const outcome = exchange.apply(time, decodeCommand(command));
      const events = exchange.takeBatch();
      const digest = digestOf([outcome], events, exchange.counters());
      exchange.recycle(events);
      return digest;
    });
    expect(digests).toEqual(written.rows.map(([, , digest]) => digest));
    expect(digests.length).toBeGreaterThan(250);
    expect(exchange.stateHash()).toBe(written.stateHash);
  });

  it('is replayed by the server under the rules of its rows, whatever the newest ones are', () => {
    const replayed = (version: number) => {
      const exchange = createExchange();
      for (const [index, [time, command, digest]] of written.rows.entries())
        replayRow(exchange, { batch: index, time, version, commands: JSON.stringify([[command]]), digest }, () => {});
      return exchange;
    };
    const exchange = replayed(rules);
    expect([exchange.stateHash(), exchange.rules]).toEqual([written.stateHash, JOURNAL_VERSION]);
    if (until !== undefined) expect(() => replayed(until)).toThrow(ReplayDiffers);
  });

  it('is read as a snapshot of the same state, in which nothing has what came later', () => {
    const { exchange, stateHash } = readSnapshot(Buffer.from(written.snapshot, 'base64'), SNAPSHOT_RULES);
    expect([stateHash, exchange.stateHash()]).toEqual([written.stateHash, written.stateHash]);
    expect(exchange.openOrderCount()).toBeGreaterThan(3);
    expect([exchange.exitPlans().length, exchange.twaps().length]).toEqual([plans, twaps]);
    expect(exchange.openPositionCount()).toBe(positions);
  });
});
