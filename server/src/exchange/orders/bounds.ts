/** What an order is refused for, with the bound of its market, so that the refusal says what to change. */
import { msg } from '@cambist/contract/locales.ts';
import { accountKey, Bucket, Wallet } from '@cambist/core/ledger/account.ts';
import { restingPrice } from '@cambist/core/margin/thresholds.ts';
import { formatAmount } from '@cambist/core/money/amount.ts';
import { highestInBand, lowestInBand, type MarketSpec } from '@cambist/core/money/market.ts';
import { formatLots, formatTicks } from '@cambist/core/money/price.ts';
import { reduces } from '@cambist/core/orders/order-terms.ts';
import { BUY, SELL } from '@cambist/core/terms/order-terms.ts';
import type { RejectReason } from '@cambist/core/terms/outcome.ts';
import { type LocalizedText, say } from '../../platform/texts.ts';
import type { Engine } from '../engine/engine.ts';
import type { Submission } from '../engine/feed.ts';
import { feePercent } from '../ledger/fee-tiers.ts';

const percentOf = (ppm: number) => feePercent(ppm).replace(/\.?0+$/, '');

type Exchange = Pick<Engine['exchange'], 'openOrder' | 'untriggeredOrder' | 'marketState' | 'balance' | 'bandPrice'>;

/** Of the order that a command is about, or that it would place. */
function marketOf(exchange: Exchange, submission: Submission): number | undefined {
  if ('market' in submission && typeof submission.market === 'number') return submission.market;
  if (!('orderId' in submission)) return undefined;
  const { orderId } = submission;
  return (exchange.openOrder(orderId) ?? exchange.untriggeredOrder(orderId))?.market;
}

/** Where an order of a perpetual may wait beyond the mark, where its price is within the band. */
function waitingOf(market: MarketSpec, submission: Submission, mark: number): LocalizedText | undefined {
  const { perpetual, priceBandPpm } = market;
  if (perpetual === undefined || !('price' in submission) || submission.price === undefined) return undefined;
  const { price } = submission;
  const isWithin = price >= lowestInBand(mark, priceBandPpm) && price <= highestInBand(mark, priceBandPpm);
  if (priceBandPpm > 0 && !isWithin) return undefined;
  const isBuy = price > mark;
  const values = {
    price: formatTicks(restingPrice(perpetual, isBuy ? BUY : SELL, mark), market),
    percent: percentOf(Math.round(1_000_000 / perpetual.tiers[0]!.maximumLeverage)),
  };
  return isBuy
    ? say(
        'Nothing is offered at this price, and a buy order waits at {{price}} at most, {{percent}}% above the mark price.',
        values,
      )
    : say(
        'Nothing is bid at this price, and a sell order waits at {{price}} at least, {{percent}}% below the mark price.',
        values,
      );
}

/** The prices that a market accepts now; one without a price has no band. */
function bandOf(exchange: Exchange, market: MarketSpec, submission: Submission): LocalizedText | undefined {
  const isOfMark = market.perpetual !== undefined && exchange.marketState(market.id).markPrice > 0;
  const middle = exchange.bandPrice(market.id);
  if (middle === 0) return undefined;
  const waiting = isOfMark ? waitingOf(market, submission, middle) : undefined;
  if (waiting !== undefined) return waiting;
  const values = {
    lowest: formatTicks(lowestInBand(middle, market.priceBandPpm), market),
    highest: formatTicks(highestInBand(middle, market.priceBandPpm), market),
    percent: percentOf(market.priceBandPpm),
  };
  return isOfMark
    ? say('The price must be between {{lowest}} and {{highest}}, within {{percent}}% of the mark price.', values)
    : say('The price must be between {{lowest}} and {{highest}}, within {{percent}}% of the reference price.', values);
}

/** When the market of a command goes on, ms. */
export function pauseEndOf(exchange: Exchange, submission: Submission): number | undefined {
  const market = marketOf(exchange, submission);
  return market === undefined ? undefined : exchange.marketState(market).pause?.until;
}

/** When the market goes on, to the second, in UTC: the refusal's `resume_at` says it to programs. */
function pauseOf(exchange: Exchange, market: number): LocalizedText | undefined {
  const { pause } = exchange.marketState(market);
  if (pause === undefined) return undefined;
  const values = { time: new Date(pause.until).toISOString().slice(11, 19) };
  return say(
    'This pair pauses until {{time}} UTC, since its price has moved to the end of its band. Orders can be cancelled.',
    values,
  );
}

const WOULD_OWE = msg(
  'At this price closing the position would cost more than backs it. Use a better price, or add margin.',
);

/** What only closes is not a matter of what is available. */
const isClosing = (submission: Submission): boolean =>
  submission.kind === 'close-position'
    ? !submission.reverses
    : submission.kind === 'place-order' && reduces(submission);

/** The documented text for a new order; other commands have no side of their own. */
function minimumOf({ minimumNotional, quote }: MarketSpec, submission: Submission): LocalizedText {
  const value = `${formatAmount(minimumNotional, quote.scale)} ${quote.code}`;
  if (submission.kind !== 'place-order') return say('The order must be worth at least {{value}}.', { value });
  return submission.side === BUY
    ? say('Amount must be greater than minimum buy amount ({{value}})', { value })
    : say('Amount must be greater than minimum sell amount ({{value}})', { value });
}

/** The documented text for a new spot order, with what there is at the moment of the refusal. */
function lackOf(exchange: Exchange, market: MarketSpec, submission: Submission): LocalizedText | undefined {
  if (market.perpetual !== undefined || submission.kind !== 'place-order') return undefined;
  const pays = submission.side === BUY ? market.quote : market.base;
  const available = exchange.balance(accountKey(submission.owner, Wallet.SPOT, Bucket.AVAILABLE, pays.id));
  const balance = `${formatAmount(available, pays.scale)} ${pays.code}`;
  return say('Insufficient balance ({{balance}})', { balance });
}

/** @returns undefined for a reason that is no bound of a market */
export function boundOf(
  exchange: Exchange,
  byId: (id: number) => MarketSpec,
  submission: Submission,
  reason: RejectReason,
): LocalizedText | undefined {
  const id = marketOf(exchange, submission);
  if (id === undefined) return undefined;
  const market = byId(id);
  const { base } = market;
  switch (reason) {
    case 'PRICE_OUTSIDE_BAND':
      return bandOf(exchange, market, submission);
    case 'MARKET_PAUSED':
      return pauseOf(exchange, id);
    case 'BELOW_MINIMUM_SIZE': {
      const values = { minimum: formatLots(market.minimumLots, market), coin: base.code };
      return say('The quantity must be at least {{minimum}} {{coin}}.', values);
    }
    case 'ABOVE_MAXIMUM_SIZE': {
      const values = { maximum: formatLots(market.maximumLots, market), coin: base.code };
      return say('The quantity may be at most {{maximum}} {{coin}}.', values);
    }
    case 'BELOW_MINIMUM_NOTIONAL':
      return minimumOf(market, submission);
    case 'INSUFFICIENT_FUNDS':
      return isClosing(submission) ? say(WOULD_OWE) : lackOf(exchange, market, submission);
    default:
      return undefined;
  }
}
