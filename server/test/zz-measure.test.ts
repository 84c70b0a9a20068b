import { Session } from 'node:inspector/promises';
import { writeFileSync } from 'node:fs';
import { it } from 'vitest';
import { startTestExchange } from '../src/exchange/market-data/test-exchange.ts';
it('x', async () => {
  const first = await startTestExchange();
  await first.stop();
  await first.source.remove();
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.start');
  for (let i = 0; i < 4; i += 1) {
    const c = process.cpuUsage(); const t = Date.now();
    const e = await startTestExchange();
    const d = process.cpuUsage(c);
    console.log('start', Math.round((d.user + d.system) / 1000), 'ms cpu', Date.now() - t, 'ms wall');
    const c2 = process.cpuUsage(); const t2 = Date.now();
    await e.stop();
    await e.source.remove();
    const d2 = process.cpuUsage(c2);
    console.log('stop', Math.round((d2.user + d2.system) / 1000), 'ms cpu', Date.now() - t2, 'ms wall');
  }
  const { profile } = await session.post('Profiler.stop');
  writeFileSync('/tmp/zz.cpuprofile', JSON.stringify(profile));
}, 120_000);
