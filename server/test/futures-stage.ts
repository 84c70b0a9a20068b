/** A server with clients who have funds in their futures wallets, and a perpetual whose index the test says. */
import { accountKey, Bucket, Wallet } from '@cambist/core/ledger/account.ts';
import { expect } from 'vitest';
import { restoreFromTables } from '../src/exchange/engine/restore.ts';
import { exchangeProjections } from '../src/exchange/projections.ts';
import { PASSWORD, startTestApp, type TestApp, TRANSACTION_PASSWORD } from './app.ts';
import type { DatabaseKind, TestDatabase } from './databases.ts';

export const BTC_SWAP = 'BTC-USDT-SWAP';

/** The session does not stay unlocked where a test moves the clock. */
const PASSWORD_GIVEN = { transaction_password: TRANSACTION_PASSWORD };

export class FuturesStage {
  readonly server: TestApp;
  /** Of `BTC_SWAP`. */
  readonly market: number;
  readonly #tokens = new Map<string, string>();

  private constructor(server: TestApp) {
    this.server = server;
    this.market = server.app.engine.exchange.markets().find(({ symbol }) => symbol === BTC_SWAP)!.id;
  }

  static async start(kind: DatabaseKind, source?: TestDatabase): Promise<FuturesStage> {
    return new FuturesStage(await startTestApp(kind, source));
  }

  /** Starts anew from the same database, once its tables alone have led to the state that memory had. */
  async restart(kind: DatabaseKind): Promise<FuturesStage> {
    const { app, source, stop } = this.server;
    await app.engine.projector.caughtUp();
    const hash = app.engine.exchange.stateHash();
    await stop();
    const database = await source.open();
    const { exchange } = await restoreFromTables(database, exchangeProjections);
    await database.close();
    expect(exchange.stateHash()).toBe(hash);
    return FuturesStage.start(kind, source);
  }

  /** Signs a client in, unlocked for orders; funds, in whole USDT, go to the futures wallet. */
  async trader(name: string, funds = 0): Promise<void> {
    const amount = BigInt(funds) * 100_000_000n;
    this.#tokens.set(name, await this.server.trader(name, funds === 0 ? {} : { USDT: String(funds) }));
    if (funds > 0) await this.#move(name, Wallet.SPOT, Wallet.FUTURE, amount);
  }

  /** Takes whole USDT out of the futures wallet. */
  takeOut(name: string, funds: number): Promise<void> {
    return this.#move(name, Wallet.FUTURE, Wallet.SPOT, BigInt(funds) * 100_000_000n);
  }

  async #move(name: string, from: Wallet, to: Wallet, amount: bigint): Promise<void> {
    const [owner, asset] = [await this.owner(name), this.#settlement];
    const of = (wallet: Wallet) => accountKey(owner, wallet, Bucket.AVAILABLE, asset);
    const legs = [{ from: of(from), to: of(to), amount }];
    const facts = { reason: 'wallet-transfer', reference: owner, isPending: false, legs, detail: '' } as const;
    await this.submit({ kind: 'transfer', ...facts });
  }

  /** Signs an operator in. */
  async operator(name: string): Promise<void> {
    const username = `${name}@example.test`;
    await this.server.app.accounts.ensure(username, PASSWORD, TRANSACTION_PASSWORD, 'operator');
    const payload = { username, password: PASSWORD };
    const { body } = await this.server.call({ method: 'POST', url: '/api/v3/login', payload });
    this.#tokens.set(name, String(body.token));
    await this.ask(name, 'POST', '/api/v3/step-up', { purpose: 'clients', ...PASSWORD_GIVEN });
  }

  token(name: string): string {
    return this.#tokens.get(name)!;
  }

  async owner(name: string): Promise<number> {
    const { accounts } = this.server.app;
    return (await accounts.ensure(`${name}@example.test`, PASSWORD, TRANSACTION_PASSWORD, 'client'))!;
  }

  get #settlement(): number {
    return this.server.app.engine.exchange.assets().find(({ code }) => code === 'USDT')!.id;
  }

  async submit(command: Parameters<TestApp['app']['engine']['sequencer']['submit']>[0]): Promise<void> {
    expect((await this.server.app.engine.sequencer.submit(command)).outcome).toEqual({ ok: true });
  }

  /** @param price whole USDT; the market has one decimal */
  index(price: number): Promise<void> {
    return this.submit({ kind: 'set-index-price', market: this.market, price: price * 10 });
  }

  async ask(name: string, method: 'GET' | 'POST' | 'PATCH' | 'DELETE', url: string, payload?: object, key?: string) {
    const headers = key === undefined ? {} : { 'idempotency-key': key };
    return this.server.call({ method, url, token: this.token(name), headers, ...(payload && { payload }) });
  }

  order(name: string, side: 'BUY' | 'SELL', quantity: string, price: string, more: object = {}) {
    const payload = { symbol: BTC_SWAP, side, type: 'limit', price, quantity, ...PASSWORD_GIVEN, ...more };
    return this.ask(name, 'POST', '/api/v3/orders', payload);
  }

  /** One client sells to another, who begins. */
  async trade(buyer: string, seller: string, quantity: string, price: string): Promise<void> {
    expect((await this.order(seller, 'SELL', quantity, price)).body).toMatchObject({ message: 'success' });
    expect((await this.order(buyer, 'BUY', quantity, price)).body).toMatchObject({ message: 'success' });
  }

  async positions(name: string) {
    return (await this.ask(name, 'GET', '/api/v3/futures/positions')).body;
  }
}
