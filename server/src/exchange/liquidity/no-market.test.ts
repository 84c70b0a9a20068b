/** An exchange that had a market maker, and is started without one. */
import { HOUSE_MAKER } from '@cambist/core/ledger/account.ts';
import { expect, it } from 'vitest';
import { startTestApp } from '../../../test/app.ts';
import { anyKind } from '../../../test/databases.ts';
import { until } from '../../../test/until.ts';

it('takes away the quotes of a start before, which nothing would move any more', async () => {
  const before = await startTestApp(anyKind, undefined, { MARKET: 'simulated' });
  const quotes = ({ app }: typeof before) => app.engine.exchange.openOrdersOf(HOUSE_MAKER).length;
  await until(() => quotes(before) > 0, 'quotes');
  await before.stop();
  const after = await startTestApp(anyKind, before.source, { MARKET: 'none' });
  try {
    expect(quotes(after)).toBe(0);
  } finally {
    await after.remove();
  }
}, 60_000);
