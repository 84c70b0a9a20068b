/**
 * Journals and snapshots as earlier versions wrote them, of seeded traders: one that knew neither attached exits nor
 * icebergs, and one that knew no TWAPs. Beside each command is the digest of what it led to.
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

interface Written {
  readonly rows: readonly (readonly [time: number, command: readonly Json[], digest: string])[];
  readonly stateHash: string;
  /** Base64. */
  readonly snapshot: string;
}

const RULES = 2;

const writtenIn = (name: string): Written => {
  const file = join(import.meta.dirname, `fixtures/before-${name}.json.gz`);
  return JSON.parse(gunzipSync(readFileSync(file)).toString()) as Written;
};

describe.each([
  { name: 'exits', plans: 0 },
  { name: 'twaps', plans: 8 },
])('what was written before there were $name', ({ name, plans }) => {
  const written = writtenIn(name);

  it('is replayed to the same digests and the same state', () => {
    const exchange = createExchange();
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

  it('is read as a snapshot of the same state, in which nothing has what came later', () => {
    const { exchange, stateHash } = readSnapshot(Buffer.from(written.snapshot, 'base64'), RULES);
    expect([stateHash, exchange.stateHash()]).toEqual([written.stateHash, written.stateHash]);
    expect(exchange.openOrderCount()).toBeGreaterThan(3);
    expect([exchange.exitPlans().length, exchange.twaps().length]).toEqual([plans, 0]);
  });
});
