/** The futures terminal: the spot terminal's parts over perpetuals. */
import { msg } from '../../../lib/i18n.ts';
import { lazyPart } from '../../../ui/part.tsx';
import type { Terminal } from '../terminal.ts';
import { awaitMarkets, TerminalPage } from '../terminal-page.tsx';
import { FuturesAccount } from './futures-account.tsx';
import { FuturesPhone } from './futures-phone.tsx';
import { FUTURES_TICKET } from './futures-ticket.tsx';
import { MarketFigures } from './market-figures.tsx';

const FUTURES: Terminal = {
  market: 'futures',
  list: 'perpetuals',
  path: '/trades/futures',
  searchHint: msg('Search coin'),
  Figures: MarketFigures,
  ticketKind: FUTURES_TICKET,
  Account: FuturesAccount,
  ChartLines: lazyPart(() => import('./position-lines.ts'), 'unseen'),
  Phone: FuturesPhone,
};

export async function loadFuturesPage(): Promise<typeof FuturesPage> {
  await awaitMarkets(FUTURES);
  return FuturesPage;
}

const FuturesPage = () => <TerminalPage terminal={FUTURES} />;
