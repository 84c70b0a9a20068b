import { create } from 'zustand';
import { NEW_TICKET, type Ticket, type TicketAction, ticketReducer } from './ticket.ts';

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

/** What was typed is of one pair: it stays while the client signs in again, and goes with another pair. */
export function openTicket(pair: string): void {
  if (pair !== writtenFor) useTicket.getState().dispatch({ kind: 'pair' });
  writtenFor = pair;
}

export function takePrice(price: string): void {
  useTicket.getState().dispatch({ kind: 'take-price', price });
}
