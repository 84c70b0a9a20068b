/**
 * A client that knows nothing of the server's code trades over HTTP and listens to the stream while the server is
 * killed with SIGKILL, again and again on the same data. After each death everything that it was told must hold.
 */
import { describe, expect, it } from 'vitest';
import { sizes } from '../sizes.ts';
import { databaseKinds } from '../target.ts';
import { killWhileTrading, openCourt, TRADERS, verdict } from './court.ts';

const { kills, seed } = sizes;

describe.each(databaseKinds)('a server that is killed under load (%s)', (kind) => {
  it(`keeps every promise over ${kills} deaths (seed ${seed})`, { timeout: 60_000 + kills * 40_000 }, async () => {
    const court = await openCourt(kind, {});
    try {
      for (let round = 1; round <= kills; round += 1) {
        await killWhileTrading(court, round);
        await court.target.restart();
        expect(await verdict(court, round === kills), `seed ${seed}, death ${round}`).toEqual([]);
      }
      const promised = court.traders.flatMap(({ promises }) => promises.acknowledged);
      expect(promised.length).toBeGreaterThan(kills * TRADERS);
      expect(court.traders.flatMap(({ promises }) => promises.fills()).length).toBeGreaterThan(kills);
      expect(court.target.defects()).toEqual([]);
    } finally {
      await court.target.remove();
    }
  });
});
