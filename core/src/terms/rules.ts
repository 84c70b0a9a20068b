/**
 * Versions of what commands lead to. A row of the journal is replayed under the version that it was written under, so what a version
 * has changed is kept beside it as it was.
 */

/**
 * A triggered order that only reduces is as many orders as the market's largest needs, and what rests to close the same gives way
 * to each of them once nothing refuses it. Before, it was one order, and what gave way was lost where that was refused.
 */
export const CLOSES_IN_PARTS = 3;

/**
 * No triggered order is refused for its size, which was right when it was taken: it is as many orders as the market's largest needs,
 * whatever it does, and may be as small as it is. Such orders are checked as the one that they stand for. An exit covers all that its
 * entry has filled, and a new trigger is not refused for a quantity that is not new. Before, all of that was so for what only reduces.
 * An entry that may bring an exit counts for the limits of whatever is placed, and not of other entries alone.
 */
export const TRIGGERS_ANY_SIZE = 4;

/**
 * An untriggered order of a perpetual is taken only where it could be placed: one that may open something where its owner could pay
 * for it now, one that only reduces where there is something that it could reduce. Before, it was asked for nothing until it was
 * triggered, and accounts without funds could have all the untriggered orders that a market may have.
 */
export const UNTRIGGERED_NEED_FUNDS = 5;

/**
 * What a liquidation has not closed by the owner's own money the insurance pays for as far as the mark, and hardly further: by an order
 * no worse than that, then by deleveraging at the mark. Before, the order went as far as all of the insurance could pay, to whoever
 * had a bid at the end of a thin book, and deleveraging was at the price of bankruptcy however much the insurance had.
 */
export const INSURED_TO_MARK = 5;

/**
 * An order closes at no price at which closing all of the position would leave a debt, and no order of a perpetual rests further beyond
 * the mark than the least margin bears. Before, each order was asked alone what it would lose, so that a part of a position could take
 * all that backed the rest, and several orders in an empty book many times what their owner had.
 */
export const LOSSES_TOGETHER = 5;

/**
 * What the book has said for a moment is no more than what would be so if it had said it all the time: a sample of its distance from
 * the index counts as far as the mark may be from it, one of the premium as far as the rate may go, and a rate of an interval with
 * fewer premiums than an hour has counts the missing ones as none. Before, a second in which a thin book was swept was worth ten
 * others, and the first premium of an interval was its rate, by which the mark was moved with one trade.
 */
export const SAMPLES_ARE_BOUNDED = 6;

/**
 * An order of a perpetual that may open something ends when a new mark has run past it by more than one may rest beyond the mark.
 * Before, it stayed, and whoever was first could have it at once: of two accounts of one person one won what the other had not.
 */
export const PASSED_ORDERS_END = 6;

/**
 * A reference price may be told of a market that trades: it is the last price until the next trade, from which the band is measured,
 * and what waits for the last price is triggered by it. Before, only the first price was told, and a market in which nothing was traded
 * stood where it was, however far the price had gone elsewhere.
 */
export const LAST_PRICE_IS_TOLD = 7;

/**
 * A market order that could meet orders of its own owner alone is refused for that. Before, the reason said that there were none.
 */
export const OWN_ORDERS_ARE_NAMED = 8;

/** A market order may state the worst price at which it trades. Before, only the band bounded it. */
export const MARKET_ORDERS_HAVE_BOUNDS = 9;

/**
 * Slices of a TWAP that were missed move the rest of its schedule, the end included, by whole intervals. Before, the later slices were
 * larger, and after the end all that remained was traded at once: a clock that ran ahead or an outage sold it in one moment.
 */
export const TWAPS_ARE_SPREAD = 10;

/**
 * The band of a spot market is measured from its reference price, which time moves and no trade, and which a price told from outside is
 * while that is fresh. Before, it was measured from the last trade, however small: whoever traded with itself in steps of a band could
 * take the price anywhere within a second.
 */
export const BAND_FROM_REFERENCE = 11;

/**
 * A spot market pauses for five minutes where an order has traded up to the end of the band and would go on (`volatility-pause.ts`).
 * Before, it was cut off there and the next one went on from its price.
 */
export const BAND_PAUSES = 11;

/**
 * An order that waits for the last price is triggered once a fresh price from outside, or the mark of a perpetual, has passed its trigger as
 * well, or the last price has stayed beyond it for ten seconds. Before, one trade of any size triggered it.
 */
export const TRIGGERS_ARE_CONFIRMED = 11;

/**
 * An order is refused if what it opens at once would be liquidated at the present mark (`margin/opened-account.ts`). Before, an isolated
 * position had the margin of its price and not its loss at the mark, and no order asked for the maintenance of the higher value.
 */
export const OPENS_ABOVE_MAINTENANCE = 12;

/**
 * A position with a term pays the taker's fee when it opens. What the maker's fee would have been less comes off the fees of closing,
 * after the term's end. Before, it paid the maker's fee at once, also where its target or floor ended the term within a minute.
 */
export const TERMS_ARE_EARNED = 12;

/**
 * A position is closed by its owner ahead of the reduce-only orders that rest for it: they are cancelled, the newest first, as far as the
 * closing order needs. Before, they came first, and closing was refused where they covered all of the position.
 */
export const CLOSING_COMES_FIRST = 13;

/**
 * An untriggered reduce-only order of some lots ends with the position that it would have reduced. Before, only orders of a whole position
 * and exits of an entry ended; a stop of some lots stayed and was triggered against the next position.
 */
export const REDUCING_ENDS_WITH_POSITION = 13;
export const NEWEST_RULES = 13;
