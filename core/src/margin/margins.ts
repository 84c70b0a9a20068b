/** Margin over all perpetual markets: what is free of a wallet, and what owners change of their positions beside trading. */
import type { EventLog } from '../events/event-log.ts';
import { ChangeFigure, type ChangeFigures, type PositionRecords } from '../events/position-records.ts';
import { accountKey, Bucket, SystemOwner, Wallet } from '../ledger/account.ts';
import { type AccountTable, HELD_BESIDE } from '../ledger/account-table.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { addInt64 } from '../money/amount.ts';
import { NET, type Side } from '../terms/order-terms.ts';
import { LOSSES_TOGETHER, NEWEST_RULES } from '../terms/rules.ts';
import { fundingBillionths } from './funding.ts';
import { FREE, type Holding, owedOf, PROFIT } from './holding.ts';
import type { HoldingColumns } from './holding-columns.ts';
import type { HoldingRecord } from './holding-record.ts';
import { carefulWorthOf, Holdings, isUntouched, requiredOf, worthOf } from './holdings.ts';
import { BILLION } from './mark-price.ts';
import { initialMargin, LONG, SHORT } from './perpetual.ts';
import type { OppositeLeg } from './thresholds.ts';
import { type MarginWallet, type PositionView, positionView } from './view.ts';

const sumOf = (holdings: readonly Holding[], of: (one: Holding) => bigint): bigint =>
  holdings.reduce((sum, one) => sum + of(one), 0n);

/** Whether a holding is a position that the wallet of an asset backs. */
const isCross = (one: Holding, asset: number): boolean =>
  one.lots !== 0 && !one.isIsolated && one.valuation.asset === asset;

const { AVAILABLE, HELD, MARGIN, REALISED, FEE, FUNDING, INSURANCE } = ChangeFigure;

/** The accounts of the exchange that positions of an asset move. */
interface ExchangeAccounts {
  readonly clearing: number;
  readonly fees: number;
  readonly funding: number;
  readonly insurance: number;
}

/** A position of which nothing is left. */
export interface EndedPosition {
  readonly holding: Holding;
  /** The side whose orders reduced it. */
  readonly side: Side;
}

export class Margins {
  readonly holdings = new Holdings();
  /** The version under which commands are applied. */
  rules: number = NEWEST_RULES;
  readonly #accounts: AccountTable;
  readonly #ledger: Ledger;
  readonly #log: EventLog;
  /** By asset. */
  readonly #exchangeAccounts: (ExchangeAccounts | undefined)[] = [];
  /** What was measured last, `FREE` and `PROFIT`. */
  readonly sums = new BigInt64Array(2);
  /** Available accounts that fell below zero in the command at hand. */
  readonly short = new Set<number>();
  /** Whose account has changed since it was looked at for liquidation. */
  #unwatched: Holding[] = [];
  /** Whose account has changed since it was ranked for deleveraging; nothing while no side is ranked. */
  readonly unranked = new Set<Holding>();
  isRanking = false;
  /** Whose lots were traded in the command at hand, in order, as often as they were. */
  readonly traded: Holding[] = [];
  /** Positions that were closed or turned round in the command at hand, in order. */
  readonly ended: EndedPosition[] = [];
  readonly #dust = new Map<number, bigint>();

  /** Of the command at hand, in ms. */
  get time(): number {
    return this.#log.time;
  }

  constructor(accounts: AccountTable, ledger: Ledger, log: EventLog) {
    this.#accounts = accounts;
    this.#ledger = ledger;
    this.#log = log;
  }

  /**
   * What an owner's cross positions have won less what they have lost, with their funding, but for one: at the mark, or at the index
   * where that is worse, as a mark that the book has moved comes back.
   */
  crossProfit(owner: number, asset: number, except: Holding): bigint {
    const worth = this.rules < LOSSES_TOGETHER ? worthOf : carefulWorthOf;
    let sum = 0n;
    for (const one of this.holdings.ofOwner(owner)) if (one !== except && isCross(one, asset)) sum += worth(one);
    return sum;
  }

  /**
   * What an owner may use for orders or take out, in units of a settlement asset: what is available, less the initial margin of
   * cross positions at what they have cost, and less what they have lost and owe as funding. What they have won or are to receive is
   * not theirs before it is paid.
   */
  free(owner: number, asset: number): bigint {
    this.measureFree(this.holdings.ofOwner(owner)[0], this.#accounts.available(owner, Wallet.FUTURE, asset), asset);
    return this.sums[FREE]!;
  }

  /** The same where one of an owner's holdings, if there is any, and the available account are known; leaves it in `sums`. */
  measureFree(first: Holding | undefined, available: number, asset: number): void {
    const { sums } = this;
    sums[FREE] = this.#accounts.balances[available]!;
    sums[PROFIT] = 0n;
    let one = first;
    while (one !== undefined) {
      if (isCross(one, asset)) one.addCross(sums);
      one = one.next === first ? undefined : one.next;
    }
    if (sums[PROFIT]! < 0n) addInt64(sums, FREE, PROFIT);
  }

  /** What backs an owner's cross positions of an asset beside themselves, and these positions. */
  backing(owner: number, asset: number): { readonly wallet: bigint; readonly cross: readonly Holding[] } {
    const available = this.#accounts.available(owner, Wallet.FUTURE, asset);
    const { balances } = this.#accounts;
    return { wallet: balances[available]! + balances[available + HELD_BESIDE]!, cross: this.#cross(owner, asset) };
  }

  /** What an owner has in perpetuals of an asset. */
  wallet(owner: number, asset: number): MarginWallet {
    const available = this.#accounts.available(owner, Wallet.FUTURE, asset);
    const [balance, held] = [this.#accounts.balances[available]!, this.#accounts.balances[available + HELD_BESIDE]!];
    const open = this.holdings.ofOwner(owner).filter((one) => one.lots !== 0 && one.valuation.asset === asset);
    const [isolated, cross] = [open.filter(({ isIsolated }) => isIsolated), this.#cross(owner, asset)];
    const equity = balance + held + sumOf(cross, worthOf);
    const margin = sumOf(isolated, (one) => one.margin);
    return {
      ...{ balance, held, free: this.free(owner, asset), margin, profit: sumOf(open, worthOf), equity },
      initial: sumOf(cross, ({ cost, leverage }) => initialMargin(cost, leverage)),
      required: sumOf(cross, requiredOf),
      total: equity + margin + sumOf(isolated, worthOf),
    };
  }

  /** Also of markets in which only leverage was chosen. */
  views(owner: number, recordOf: (holding: Holding) => HoldingRecord): readonly PositionView[] {
    return this.holdings.ofOwner(owner).map((holding) => {
      const { valuation, isIsolated, margin } = holding;
      const { terms, mark, asset } = valuation;
      const { equity, required } = this.wallet(owner, asset);
      const backing = isIsolated ? margin : equity - worthOf(holding) - (required - requiredOf(holding));
      const opposite = this.#oppositeOf(holding);
      return positionView({ record: recordOf(holding), terms, mark, owed: owedOf(holding), opposite }, backing);
    });
  }

  #oppositeOf({ owner, market, leg, isIsolated, valuation: { mark } }: Holding): OppositeLeg | undefined {
    if (leg === NET || isIsolated || mark === 0) return undefined;
    const other = this.holdings.find(owner, market, leg === LONG ? SHORT : LONG);
    const position = other?.isIsolated === false ? other.position : undefined;
    return position && { position, mark };
  }

  /** The account of a holding has changed: it is to be looked at for liquidation. */
  unwatch(holding: Holding): void {
    if (holding.isUnwatched) return;
    holding.isUnwatched = true;
    this.#unwatched.push(holding);
  }

  /** Hands over whose account has changed since the last time. */
  takeUnwatched(): readonly Holding[] {
    const taken = this.#unwatched;
    if (taken.length === 0) return taken;
    this.#unwatched = [];
    for (const holding of taken) holding.isUnwatched = false;
    return taken;
  }

  /** Something was taken out of an owner's wallet, or may have been. */
  takenOut(owner: number): void {
    const first = this.holdings.ofOwner(owner)[0];
    if (first !== undefined) this.#noteTakenOut(first);
  }

  /** @param first any of the owner's */
  #noteTakenOut(first: Holding): void {
    let one = first;
    do {
      this.unwatch(one);
      if (this.isRanking) this.unranked.add(one);
      one = one.next;
    } while (one !== first);
  }

  /** Positions of a market must have something else. */
  termsChanged(market: number): void {
    for (const holding of this.holdings.ofMarket(market)) if (!isUntouched(holding)) this.unwatch(holding);
  }

  /** Where the next change is written: what a trade changes is written where it stays. */
  get changes(): PositionRecords {
    return this.#log.batch.positions;
  }

  /** Moves what figures say, and says what has become of a holding. See `apply`. */
  change(holding: Holding, market: number, cause: number, figures: ChangeFigures): void {
    this.changes.begin(figures);
    this.apply(holding, market, cause);
  }

  /**
   * Moves what the reserved record says, which sums to zero, and says what has become of the holding.
   * @param market id
   * @param cause as `Cause` numbers them
   * @param lotsChange lots that were bought, below zero that were sold
   */
  apply(holding: Holding, market: number, cause: number, lotsChange = 0): void {
    this.#move(holding);
    // Margin and fees of one may come out of what backs the others.
    this.#noteTakenOut(holding);
    this.#log.positionChanged(holding, market, cause, lotsChange);
  }

  /** An account to which nothing is moved is not used. The order is that in which a digest has them. */
  #move(holding: Holding): void {
    const records = this.changes;
    const at = records.reserve();
    const { units } = records;
    const ledger = this.#ledger;
    const { asset } = holding.valuation;
    if (holding.available === 0) holding.available = this.#accounts.available(holding.owner, Wallet.FUTURE, asset);
    const { available } = holding;
    const { clearing, fees, funding, insurance } = this.#exchangeAccounts[asset] ?? this.#findExchangeAccounts(asset);
    if (units[at + AVAILABLE] !== 0n) ledger.add(available, units, at + AVAILABLE);
    if (units[at + HELD] !== 0n) ledger.add(available + HELD_BESIDE, units, at + HELD);
    if (units[at + MARGIN] !== 0n) ledger.add(this.#marginAccount(holding), units, at + MARGIN);
    if (units[at + REALISED] !== 0n) ledger.subtract(clearing, units, at + REALISED);
    if (units[at + FEE] !== 0n) ledger.add(fees, units, at + FEE);
    if (units[at + FUNDING] !== 0n) ledger.add(funding, units, at + FUNDING);
    if (units[at + INSURANCE] !== 0n) ledger.add(insurance, units, at + INSURANCE);
    if (this.#accounts.balances[available]! < 0n) this.short.add(available);
  }

  #marginAccount({ owner, valuation }: Holding): number {
    const number = this.#accounts.ownerNumber(owner);
    return this.#accounts.account(accountKey(number, Wallet.FUTURE, Bucket.MARGIN, valuation.asset));
  }

  #findExchangeAccounts(asset: number): ExchangeAccounts {
    const of = (owner: SystemOwner) => this.#accounts.account(accountKey(owner, Wallet.SPOT, Bucket.AVAILABLE, asset));
    const found = {
      clearing: of(SystemOwner.CLEARING),
      fees: of(SystemOwner.FEES),
      funding: of(SystemOwner.FUNDING),
      insurance: of(SystemOwner.INSURANCE),
    };
    this.#exchangeAccounts[asset] = found;
    return found;
  }

  /** Ascending by owner, then by market, long before short. @param marketOf the id of an index */
  records(marketOf: (index: number) => number): readonly HoldingRecord[] {
    const sorted = this.holdings.sorted((owner) => this.#accounts.ownerNumber(owner), marketOf);
    return sorted.map((holding) => this.record(holding, marketOf));
  }

  /** The same as columns. */
  columns(marketOf: (index: number) => number): HoldingColumns {
    return this.holdings.columns((owner) => this.#accounts.ownerNumber(owner), marketOf);
  }

  record(holding: Holding, marketOf: (index: number) => number): HoldingRecord {
    return {
      owner: this.#accounts.ownerNumber(holding.owner),
      market: marketOf(holding.market),
      leg: holding.leg,
      leverage: holding.leverage,
      isIsolated: holding.isIsolated,
      isHedged: holding.isHedged,
      position: holding.position,
      margin: holding.margin,
      fundingIndex: holding.fundingIndex,
      term: holding.term,
    };
  }

  /**
   * Keeps what a payment of funding was rounded by. What was paid and is owed to no position is below a unit then.
   * @param billionths of a settlement unit, 0n to BILLION
   * @returns units that are whole
   */
  keepDust(asset: number, billionths: bigint): bigint {
    const all = this.#dustOf(asset) + billionths;
    const whole = all / BILLION;
    this.#dust.set(asset, all - whole * BILLION);
    return whole;
  }

  /** Counted once after a start: it follows from balances and positions. */
  #dustOf(asset: number): bigint {
    const known = this.#dust.get(asset);
    if (known !== undefined) return known;
    const account = this.#accounts.findAccount(accountKey(SystemOwner.FUNDING, Wallet.SPOT, Bucket.AVAILABLE, asset));
    let dust = account < 0 ? 0n : this.#accounts.balances[account]! * BILLION;
    for (const { lots, fundingIndex, valuation } of this.holdings.all()) {
      if (lots === 0 || valuation.asset !== asset) continue;
      dust += fundingBillionths(lots > 0 ? LONG : SHORT, Math.abs(lots), fundingIndex, valuation.fundingIndex);
    }
    this.#dust.set(asset, dust);
    return dust;
  }

  #cross(owner: number, asset: number): readonly Holding[] {
    return this.holdings.ofOwner(owner).filter((one) => isCross(one, asset));
  }
}
