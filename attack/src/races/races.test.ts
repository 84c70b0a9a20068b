/** Everything at once, against one target: what is good once, what ends an authority, and orders by sockets and HTTP. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databaseKinds, startTarget, type Target } from '../target.ts';
import { onceCases } from './once.cases.ts';
import { revocationCases } from './revocation.cases.ts';
import { socketCases } from './sockets.cases.ts';

describe.each(databaseKinds)('races (%s)', (kind) => {
  let target: Target;
  const http = () => target.http;
  beforeAll(async () => {
    target = await startTarget(kind);
  });
  afterAll(() => target.remove());

  describe('once, and no more than that', () => onceCases(http));

  describe('sockets', () => socketCases(http));

  describe('revocation under load', () => revocationCases(() => target));

  it('nothing failed inside meanwhile', () => {
    expect(target.defects()).toEqual([]);
  });
});
