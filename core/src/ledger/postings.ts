/** What an event means for accounts: postings that sum to zero for each asset. Pure; for audits and statements. */
import type { ExchangeEvent, TradeEvent } from '../events/event.ts';
import type { MarketSpec } from '../money/market.ts';
import { baseUnits, notional } from '../money/notional.ts';
import { BUY, type Side } from '../terms/order-terms.ts';
import { accountKey, Bucket, type Posting, SystemOwner, Wallet } from './account.ts';

/** The postings of an event, those of nothing left out; none for an event that moves no money. */
export function postingsOf(event: ExchangeEvent, marketOf: (id: number) => MarketSpec): Posting[] {
  switch (event.kind) {
    case 'order':
    case 'order-untriggered':
    case 'order-triggered':
    case 'untriggered-ended':
      return holdPostings(marketOf(event.order.market), event.order, event.held);
    case 'trade':
      return tradePostings(marketOf(event.market), event);
    case 'position-changed':
    case 'loss-covered':
      return [...event.moves];
    case 'transfer':
      return event.moves.flatMap(({ from, to, amount }) => [
        { account: from, amount: -amount },
        { account: to, amount },
      ]);
    default:
      return [];
  }
}

function holdPostings(market: MarketSpec, order: { owner: number; side: Side }, held: bigint): Posting[] {
  if (held === 0n) return [];
  const isFuture = market.perpetual !== undefined;
  const asset = isFuture || order.side === BUY ? market.quote.id : market.base.id;
  const wallet = isFuture ? Wallet.FUTURE : Wallet.SPOT;
  return [
    { account: accountKey(order.owner, wallet, Bucket.AVAILABLE, asset), amount: -held },
    { account: accountKey(order.owner, wallet, Bucket.HELD, asset), amount: held },
  ];
}

/**
 * The maker pays from held, the taker from available; both receive available, less the fee. In a perpetual the positions have
 * changed, and their events have the postings.
 */
function tradePostings(market: MarketSpec, trade: TradeEvent): Posting[] {
  if (market.perpetual !== undefined) return [];
  const { base, quote } = market;
  const value = notional(market, trade.price, trade.quantity);
  const units = baseUnits(market, trade.quantity);
  const [buyer, seller] = trade.takerSide === BUY ? [trade.taker, trade.maker] : [trade.maker, trade.taker];
  const bucketOf = (side: typeof buyer) => (side === trade.maker ? Bucket.HELD : Bucket.AVAILABLE);
  const spot = (owner: number, asset: number) => accountKey(owner, Wallet.SPOT, Bucket.AVAILABLE, asset);
  const credit = (owner: number) => accountKey(owner, Wallet.CREDIT, Bucket.AVAILABLE, quote.id);
  const postings: Posting[] = [
    { account: accountKey(buyer.owner, Wallet.SPOT, bucketOf(buyer), quote.id), amount: -value },
    { account: accountKey(seller.owner, Wallet.SPOT, bucketOf(seller), base.id), amount: -units },
    { account: spot(seller.owner, quote.id), amount: value - seller.fee },
    { account: spot(buyer.owner, base.id), amount: units - buyer.fee },
    { account: spot(SystemOwner.FEES, base.id), amount: buyer.fee },
    { account: spot(SystemOwner.FEES, quote.id), amount: seller.fee + buyer.credit + seller.credit },
    { account: credit(buyer.owner), amount: -buyer.credit },
    { account: credit(seller.owner), amount: -seller.credit },
  ];
  return postings.filter(({ amount }) => amount !== 0n);
}
