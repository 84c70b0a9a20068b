/** Says when orders are filled, on whatever screen the person is. Mounted once, beside the watch of alerts. */
import { orderHistories } from '@cambist/contract/histories.ts';
import type { Order } from '@cambist/contract/trading.ts';
import { useEffect } from 'react';
import { call } from '../../../lib/api-client.ts';
import { conversionNotice, convertedWords } from '../../../lib/conversion.ts';
import { decimal } from '../../../lib/decimal.ts';
import { useFillPreferences } from '../../../lib/fill-preferences.ts';
import { fillSound } from '../../../lib/fill-sound.ts';
import { formatExact, localizeNumber } from '../../../lib/format.ts';
import { Heard } from '../../../lib/heard.ts';
import { loadTexts, t } from '../../../lib/i18n.ts';
import { LIST_LIMIT } from '../../../lib/queries/account-keys.ts';
import { useSession } from '../../../lib/session-store.ts';
import { privateStream } from '../../../lib/streams.ts';
import { NOTICE_MS, noticeSuccess } from '../../../ui/notices.ts';
import { FillGathering } from './fill-gathering.ts';

function filledText(order: Order): string {
  if (order.type === 'convert') return t('Converted {{from}} to {{to}}', { ...convertedWords(order) });
  const [coin = ''] = order.coin_pair.pair_name.split('-');
  const values = { amount: formatExact(decimal(order.filled)), coin, price: localizeNumber(order.average_price) };
  return order.delegate_type === 'BUY'
    ? t('Bought {{amount}} {{coin}} at {{price}}', values)
    : t('Sold {{amount}} {{coin}} at {{price}}', values);
}

function notice(orders: readonly Order[]): void {
  const [order] = orders;
  if (order === undefined) return;
  const say = (title: string, message: string, id?: string) => noticeSuccess(title, message, NOTICE_MS.trade, id);
  if (orders.length === 1) {
    // The screen that converts at a quote says the same, under the same id.
    if (order.type === 'convert') say(t('Conversion complete'), filledText(order), conversionNotice(order));
    else say(t('Order filled'), filledText(order));
    return;
  }
  const pairs = [...new Set(orders.map(({ coin_pair: { pair_name: name } }) => name))];
  say(t('{{number}} orders filled', { number: orders.length }), pairs.join(', '));
}

/** Orders that ended after a moment (ms), of both markets: what the stream would have said. */
async function endedSince(since: number): Promise<readonly Order[]> {
  const markets = ['spot', 'futures'] as const;
  const lists = await Promise.all(
    markets.map((market) => call(orderHistories, { query: { market, limit: LIST_LIMIT } })),
  );
  return lists.flatMap(({ orders }) => orders).filter(({ updated_at: endedAt }) => endedAt > since);
}

export function FillWatch() {
  const token = useSession((session) => session.token);
  useEffect(() => {
    if (!token) return;
    const sound = fillSound();
    const gathering = new FillGathering((orders) => {
      const { notices, sound: isWanted } = useFillPreferences.getState();
      if (isWanted) sound(orders.map(({ id }) => id));
      // A page that is hidden would heap them up for when it is seen again; the list under Notifications has them.
      if (notices && document.visibilityState === 'visible') void loadTexts('trade').then(() => notice(orders));
    });
    const heard = new Heard();
    const leave = privateStream.subscribe<Order>(
      { channel: 'orders', instType: 'SPOT' },
      {
        onPush: ({ data }) => {
          heard.push();
          for (const order of data) gathering.add(order);
        },
        // What was filled before the page was opened is no news; what was filled while the stream was lost is.
        onReset: () => {
          const since = heard.begin();
          if (since === undefined) return;
          endedSince(since)
            .then((orders) => {
              for (const order of orders) gathering.add(order);
            })
            .catch((error: unknown) => console.error('What was filled meanwhile could not be read', error));
        },
      },
    );
    return () => {
      leave();
      gathering.close();
    };
  }, [token]);
  return null;
}
