/** Clients who deposit and withdraw while everything fails, and what they were promised. */
import { text, units } from '../decimal.ts';
import { Unanswered } from '../http.ts';
import { newPerson, OPERATOR, type Person, signIn, stepUp, TRANSACTION_PASSWORD } from '../people.ts';
import type { Random } from '../random.ts';
import type { Target } from '../target.ts';
import type { AttackedChain } from './chain.ts';

interface Listed {
  readonly id: string;
  readonly stage: string;
  readonly withdraw_address: string;
}

export interface Mover {
  readonly person: Person;
  readonly chain: AttackedChain;
  readonly address: string;
  /** What was sent to the address, one by one. */
  readonly deposited: bigint[];
  /** What was asked for, by the address it goes to: one address for each. */
  readonly asked: Map<string, bigint>;
}

/** Loosened rules hold withdrawals for a day, which the attack does not have. */
async function liftHolds(target: Target, { email }: Person): Promise<void> {
  const operator = await signIn(() => target.http, OPERATOR.email, OPERATOR.password);
  stepUp(operator, 'clients', OPERATOR.transactionPassword);
  const found = await operator.send('GET', `/api/v3/admin/clients?search=${encodeURIComponent(email)}`);
  const { clients } = found.json<{ clients: { id: number }[] }>();
  const detail = await operator.send('GET', `/api/v3/admin/clients/${clients[0]?.id}`);
  for (const { id } of detail.json<{ holds: { id: number }[] }>().holds) {
    await operator.send('POST', `/api/v3/admin/holds/${id}/lift`, { reason: 'An attack begins' });
  }
}

export async function newMover(target: Target, chain: AttackedChain, name: string): Promise<Mover> {
  const person = await newPerson(() => target.http, name);
  stepUp(person, 'withdrawal-settings');
  const set = await person.send('PATCH', '/api/v3/security/withdrawal', { one_step: true });
  if (set.status !== 200) throw new Error(set.text);
  await liftHolds(target, person);
  const ask = () => person.send('POST', '/api/v3/generate-wallet', { wallet_type: chain.network });
  let made = await ask();
  // The first look at the node may not be over yet.
  for (let tries = 0; made.status === 503 && tries < 100; tries += 1) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    made = await ask();
  }
  if (made.status !== 200) throw new Error(made.text);
  const { wallet } = made.json<{ wallet: { wallet_address: string } }>();
  return { person, chain, address: wallet.wallet_address, deposited: [], asked: new Map() };
}

/** One of the amounts that a range allows. */
export const amountOf = ({ grain }: AttackedChain, [least, most]: readonly [number, number], random: Random): bigint =>
  BigInt(random.between(least, most)) * grain;

export async function deposit({ chain, address, deposited }: Mover, random: Random): Promise<void> {
  const amount = amountOf(chain, chain.deposits, random);
  deposited.push(amount);
  await chain.pay(address, amount);
}

/**
 * Asks for a withdrawal until it is known whether there is one: the same key again after each answer that was lost.
 * @returns false where the client does not have so much yet
 */
export async function withdraw({ person, chain, asked }: Mover, to: string, amount: bigint): Promise<boolean> {
  const body = {
    ...{ coin: chain.coin, bchain_name: chain.network, withdraw_address: to, withdraw_amount: text(amount) },
    transaction_password: TRANSACTION_PASSWORD,
  };
  const headers = { 'idempotency-key': `to-${to}` };
  for (;;) {
    try {
      const answer = await person.send('POST', '/api/v3/withdrawals', body, { headers });
      const told = answer.json<{ message?: string; code?: string }>();
      if (answer.status === 200 && told.message === 'success') {
        asked.set(to, amount);
        return true;
      }
      // What has come is not credited yet, or may not leave yet; and a reversed one is to be made good by its next block.
      if (told.code === 'INSUFFICIENT_FUNDS' || told.code === 'DEPOSIT_REVERSED') return false;
      if (answer.status !== 503) throw new Error(`${answer.status} ${answer.text}`);
    } catch (error) {
      if (!(error instanceof Unanswered)) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

async function all<Row extends { readonly id: string }>(person: Person, path: string, field: string): Promise<Row[]> {
  const rows: Row[] = [];
  for (;;) {
    const last = rows.at(-1);
    const answer = await person.send('GET', `${path}?limit=500${last === undefined ? '' : `&before=${last.id}`}`);
    if (answer.status !== 200) throw new Unanswered(`${answer.status} ${answer.text}`);
    const found = answer.json<Record<string, Row[]>>()[field] ?? [];
    rows.push(...found);
    if (found.length < 500) return rows;
  }
}

export const withdrawalsOf = ({ person }: Mover) => all<Listed>(person, '/api/v3/withdraw-history', 'withdraw');
export const depositsOf = ({ person }: Mover) =>
  all<{ id: string; state: string; recharge_amount: string }>(person, '/api/v3/deposit-history', 'deposit');

export async function balanceOf({ person, chain }: Mover): Promise<{ available: bigint; held: bigint }> {
  const answer = await person.send('GET', `/api/v3/wallet-single-coin?name=${chain.coin}`);
  const found = answer.json<{ available_balance: string; unavailable_balance: string }>();
  return { available: units(found.available_balance), held: units(found.unavailable_balance) };
}
