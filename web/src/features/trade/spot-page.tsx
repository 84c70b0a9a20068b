/** The spot terminal. */
import { msg } from '../../lib/i18n.ts';
import { AccountPanel } from './orders/account-panel.tsx';
import { PairFigures } from './pair-header.tsx';
import { PhoneLayout } from './phone-layout.tsx';
import type { Terminal } from './terminal.ts';
import { awaitMarkets, TerminalPage } from './terminal-page.tsx';
import { SPOT_TICKET } from './ticket/spot-ticket.tsx';

const SPOT: Terminal = {
  market: 'spot',
  list: 'all',
  path: '/trades/spot',
  searchHint: msg('Search'),
  Figures: PairFigures,
  ticketKind: SPOT_TICKET,
  Account: AccountPanel,
  Phone: PhoneLayout,
};

export async function loadSpotPage(): Promise<typeof SpotPage> {
  await awaitMarkets(SPOT);
  return SpotPage;
}

const SpotPage = () => <TerminalPage terminal={SPOT} />;
