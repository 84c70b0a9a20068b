/** How busy a market is, from its ordinary day: all are alive, the largest is the busiest. */
const BUSIEST_TURNOVER = 1_400_000_000;
const DAY_SECONDS = 86_400;

const share = (dailyTurnover: number): number => Math.sqrt(dailyTurnover / BUSIEST_TURNOVER);

/** Moves of the reference price: from one in three seconds down to one in twenty-five. */
export const movesPerSecond = (dailyTurnover: number): number => Math.max(0.04, 0.33 * share(dailyTurnover));

/** Trades: from three in two seconds down to one in ten. */
export const tradesPerSecond = (dailyTurnover: number): number => Math.max(0.1, 1.5 * share(dailyTurnover));

/** USDT in an ordinary trade, so that the day adds up to the turnover. */
export const usdtPerTrade = (dailyTurnover: number): number =>
  dailyTurnover / DAY_SECONDS / tradesPerSecond(dailyTurnover);
