import { create } from 'zustand';
import { localizeNumber } from '../../../lib/format.ts';
import { t } from '../../../lib/i18n.ts';
import { announce } from '../../../ui/announcer.tsx';
import { NEW_TICKET, type PriceType, type Side, type Ticket, type TicketAction, ticketReducer } from './ticket.ts';
import type { TicketKind } from './ticket-kind.ts';

interface TicketStore {
  readonly ticket: Ticket;
  dispatch(action: TicketAction): void;
}

/** One form for the whole screen: the book fills it, both sides and the bottom sheet show it. */
export const useTicket = create<TicketStore>()((set) => ({
  ticket: NEW_TICKET,
  dispatch: (action) =>
    set((state) => {
      const ticket = ticketReducer(state.ticket, action);
      return ticket === state.ticket ? state : { ticket };
    }),
}));

let writtenFor: string | undefined;
let countedIn: PriceType = NEW_TICKET.priceType;

/** What was typed is of one pair: it stays while the client signs in again, and goes with another pair. */
export function openTicket(pair: string, { priceType, triggerBy }: Pick<TicketKind, 'priceType' | 'triggerBy'>): void {
  const { dispatch } = useTicket.getState();
  if (priceType !== countedIn) dispatch({ kind: 'terminal', priceType, triggerBy });
  else if (pair !== writtenFor) dispatch({ kind: 'pair' });
  writtenFor = pair;
  countedIn = priceType;
}

/** After its order; what has been typed for another pair, while the answer was on its way, stays. */
export function emptyTicket(pair: string, side: Side): void {
  if (pair === writtenFor) useTicket.getState().dispatch({ kind: 'sent', side });
}

/** Said, because the price of a row may be another by now than when the row was read out, and the form is elsewhere. */
export function takePrice(price: string): void {
  useTicket.getState().dispatch({ kind: 'take-price', price });
  announce(t('Price in the order form: {{price}}', { price: localizeNumber(price) }));
}
