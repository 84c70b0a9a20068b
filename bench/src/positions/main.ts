/**
 * What positions cost: `npm run bench positions [most]`. A mark that liquidates none, by the number of positions, in times of
 * a resting limit order of the same run; an interval's funding; a crash that liquidates 10,000 accounts, and what waits for it.
 */
import { createExchange, type FastExchange } from '@cambist/core/exchange/create-exchange.ts';
import { accountKey, Bucket, SystemOwner, Wallet } from '@cambist/core/ledger/account.ts';
import { median, percentile } from '../statistics.ts';
import { HOUSE, type Owners, openPositions, PERPETUALS, PRICE } from './stage.ts';

const HOUR = 3_600_000;
/** Seconds of marks. */
const MARKS = 3_000;
const RESTS = 20_000;

/** @returns microseconds of each */
function timed(count: number, act: (place: number) => void): number[] {
  const times: number[] = [];
  for (let place = 0; place < count; place += 1) {
    const started = performance.now();
    act(place);
    times.push((performance.now() - started) * 1_000);
  }
  return times;
}

class Stage {
  readonly exchange: FastExchange = createExchange();
  readonly #owners: Owners;
  #time = 1_000 * HOUR;
  #walk = PRICE;

  constructor(owners: Owners) {
    this.#owners = owners;
    this.#time = openPositions(this.exchange, owners, this.#time);
  }

  /** A second later; a price that wanders by less than a thousandth, and comes back. */
  mark(place: number): void {
    this.#time += 400;
    this.#walk += ((place * 7_919) % 17) - 8;
    if (Math.abs(this.#walk - PRICE) > PRICE / 40) this.#walk = PRICE;
    this.apply({ kind: 'set-index-price', market: PERPETUALS[place % PERPETUALS.length]!.id, price: this.#walk });
  }

  rest(place: number): void {
    const order = { orderId: 1_000_000_000 + place, owner: HOUSE, market: PERPETUALS[0]!.id, side: 0 as const };
    const terms = { type: 'limit', timeInForce: 'GTC', price: PRICE - 2_000 - (place % 500), quantity: 5 } as const;
    this.apply({ kind: 'place-order', ...order, ...terms, quoteTotal: 0n, selfTrade: 'CANCEL_NEWEST' });
  }

  interval(): number {
    this.#time += HOUR;
    for (const { id } of PERPETUALS.slice(1)) this.apply({ kind: 'set-index-price', market: id, price: PRICE });
    const [took] = timed(1, () => this.apply({ kind: 'set-index-price', market: PERPETUALS[0]!.id, price: PRICE }));
    return took!;
  }

  /** All marks fall by so much. */
  crash(share: number): void {
    this.#time += 1_000;
    for (const { id } of PERPETUALS)
      this.apply({ kind: 'set-index-price', market: id, price: Math.floor(PRICE * (1 - share)) });
  }

  apply(command: Parameters<FastExchange['apply']>[1]): void {
    const outcome = this.exchange.apply(this.#time, command);
    if (!outcome.ok) throw new Error(`${command.kind} was refused: ${outcome.reason}`);
    this.exchange.recycle(this.exchange.takeBatch());
  }

  get insurance(): bigint {
    return this.exchange.balance(accountKey(SystemOwner.INSURANCE, Wallet.SPOT, Bucket.AVAILABLE, 0));
  }

  get positions(): number {
    return this.#owners.isolated + 3 * this.#owners.cross;
  }
}

function printMarks(sizes: readonly number[]): void {
  print(
    'positions     first mark    mark p50     worst   limit order p50    p50 ×    worst ×   funding of an interval',
  );
  for (const size of sizes) {
    const stage = new Stage({ isolated: size / 2, cross: Math.floor(size / 6), leverage: 5 });
    // After a start all are looked at once.
    const [first = 0] = timed(1, () => stage.mark(0));
    timed(MARKS / 3, (place) => stage.mark(place));
    const rests = timed(RESTS, (place) => stage.rest(place));
    const marks = timed(MARKS, (place) => stage.mark(place));
    const [rest, middle, worst] = [median(rests), median(marks), percentile(marks, 1)];
    if (stage.exchange.hasLiquidations()) throw new Error('a mark has liquidated somebody');
    const times = `${(middle / rest).toFixed(0).padStart(8)} ${(worst / rest).toFixed(0).padStart(10)}`;
    const funding = `${micros(stage.interval())}`;
    print(
      `${String(stage.positions).padStart(9)} ${micros(first)} ${micros(middle)} ${micros(worst)} ${micros(rest)}    ${times} ${funding}`,
    );
  }
}

function printCrash(accounts: number): void {
  const stage = new Stage({ isolated: accounts, cross: 0, leverage: 20 });
  const open = () => stage.exchange.holdings().filter(({ position }) => position !== undefined).length;
  const before = open();
  stage.crash(0);
  const waits: number[] = [];
  const started = performance.now();
  waits.push(...timed(1, () => stage.crash(0.06)));
  while (stage.exchange.hasLiquidations()) {
    waits.push(...timed(1, () => stage.apply({ kind: 'run-liquidations', maximum: 20 })));
  }
  const seconds = (performance.now() - started) / 1_000;
  print(`crash: ${before - open()} positions closed in ${seconds.toFixed(1)} s by ${waits.length} commands`);
  print(`  a command took ${micros(median(waits))} at the median, ${micros(percentile(waits, 1))} at worst`);
  print(`  insurance ${stage.insurance}`);
}

const micros = (value: number): string => `${value.toFixed(1).padStart(9)} µs`;

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

const most = Number(process.argv[2] ?? 100_000);
printMarks([1_000, 10_000, 100_000, 1_000_000].filter((size) => size <= most));
printCrash(10_000);
