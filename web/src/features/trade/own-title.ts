/** The tab's title of who is signed in: how many orders are open, and for a moment what was filled. */
import type { Order } from '@cambist/contract/trading.ts';
import { useReducedMotion } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { t } from '../../lib/i18n.ts';
import { openOrdersQuery } from '../../lib/queries/account.ts';
import { privateStream } from '../../lib/streams.ts';
import { useTitle } from '../../lib/use-title.ts';
import { sideText } from './orders/side-text.ts';
import { useTerminal } from './terminal.ts';

const TURN_MS = 1_000;
/** Fill and price take turns this often, and then the price stays. */
const TURNS = 4;
/** Ids of filled orders that were announced; a push may come again. */
const REMEMBERED = 100;

/** With the number of open orders before it, as mail programs count what is unread. */
export const countedTitle = (text: string, open: number): string => (open === 0 ? text : `(${open}) ${text}`);

/** Whether the fill is shown in a turn: every other one, or all of them for who wants nothing to move. */
export const isFillTurn = (turn: number, still: boolean): boolean => turn < TURNS && (still || turn % 2 === 0);

interface Announced {
  readonly text: string;
  readonly turn: number;
}

function useFilled(): Announced | undefined {
  const [filled, setFilled] = useState<Announced>();
  useEffect(() => {
    const announced: string[] = [];
    return privateStream.subscribe<Order>(
      { channel: 'orders', instType: 'SPOT' },
      {
        onPush: ({ data, action }) => {
          // What was there before is no news.
          if (action === 'snapshot') return;
          for (const order of data) {
            if (order.state !== 'APPROVED' || announced.includes(order.id)) continue;
            announced.push(order.id);
            announced.splice(0, announced.length - REMEMBERED);
            setFilled({ text: t('Filled: {{order}}', { order: sideText(order) }), turn: 0 });
          }
        },
      },
    );
  }, []);
  useEffect(() => {
    if (!filled) return;
    const next = filled.turn + 1 < TURNS ? { ...filled, turn: filled.turn + 1 } : undefined;
    const timer = setTimeout(() => setFilled(next), TURN_MS);
    return () => clearTimeout(timer);
  }, [filled]);
  return filled;
}

export default function OwnTitle({ text }: { readonly text: string }): null {
  const open = useQuery(openOrdersQuery(useTerminal().market)).data?.orders.length ?? 0;
  const filled = useFilled();
  const still = useReducedMotion() ?? false;
  useTitle(filled && isFillTurn(filled.turn, still) ? filled.text : countedTitle(text, open));
  return null;
}
