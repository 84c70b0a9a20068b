/** Raw sockets against every listener: whatever bytes come, the process lives and goes on answering others. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Random } from '../random.ts';
import { sizes } from '../sizes.ts';
import { anyKind, startTarget, type Target } from '../target.ts';
import { randomFrame } from './frames.ts';
import { type ProbeOptions, probe } from './raw-socket.ts';
import { handshake, randomRequest, upgradesOfEveryTarget } from './requests.ts';

const AT_ONCE = 32;
const { probes, seed } = sizes;
const streams = ['/ws/v5/public', '/ws/v5/business', '/ws/v5/private'];

let target: Target;
beforeAll(async () => {
  target = await startTarget(anyKind);
});
afterAll(() => target.remove());

const portOf = () => Number(new URL(target.http.url).port);

/** @param shown what is said when the server does not survive */
async function stillServes(shown: string): Promise<void> {
  expect(target.isAlive(), shown).toBe(true);
  const answer = await target.http.send('GET', '/api/v3/time').catch((error: Error) => error);
  expect(answer, shown).toMatchObject({ status: 200 });
  expect(target.defects(), shown).toEqual([]);
}

async function shoot(shots: readonly (readonly Buffer[])[], options: (index: number) => ProbeOptions): Promise<void> {
  for (let first = 0; first < shots.length; first += AT_ONCE) {
    const group = shots.slice(first, first + AT_ONCE);
    await Promise.all(group.map((parts, index) => probe(portOf(), parts, options(first + index))));
    const shown = group.map((parts) => JSON.stringify(Buffer.concat(parts).toString('latin1').slice(0, 120)));
    await stillServes(`seed ${seed}, one of: ${shown.join('\n')}`);
  }
}

it('an upgrade of any target ends no process', async () => {
  await shoot(upgradesOfEveryTarget(), () => ({ listenMs: 100 }));
});

it('an upgrade of a malformed target is refused and closed', async () => {
  const { answer, wasClosed } = await probe(portOf(), [handshake('//')], { listenMs: 2000 });
  expect(answer).toMatch(/^HTTP\/1\.1 4\d\d /);
  expect(wasClosed).toBe(true);
});

it(`${probes} malformed requests: the process lives and serves (seed ${seed})`, {
  timeout: 60_000 + probes * 20,
}, async () => {
  const random = new Random(seed);
  const shots = Array.from({ length: probes }, () => randomRequest(random));
  await shoot(shots, (index) => ({ listenMs: 30, halfClose: index % 5 === 0, reset: index % 7 === 0 }));
});

it(`${probes} malformed conversations on the streams: the process lives and serves (seed ${seed})`, {
  timeout: 60_000 + probes * 20,
}, async () => {
  const random = new Random(seed + 1);
  const shots = Array.from({ length: probes }, () => {
    const frames = Array.from({ length: random.between(1, 6) }, () => randomFrame(random));
    return [Buffer.from(handshake(random.pick(streams))), ...frames];
  });
  await shoot(shots, (index) => ({ listenMs: 30, halfClose: index % 5 === 0, reset: index % 7 === 0 }));
});
