/** Has the signer sign what was fixed, and believes it where it knows more than the database. */
import type { NetworkName } from '@cambist/contract/deposits.ts';
import {
  type Intent,
  type SignedAttempt,
  SignerAway,
  type SignerLink,
  type SignerRefusal,
} from '../../signer/service.ts';
import {
  type BlockHeader,
  type Broadcast,
  type CoinNetwork,
  othersOf,
  type Sender,
  writeJson,
} from '../chains/service.ts';
import { isUntaken, paymentOf } from './funds.ts';
import { type Attempt, type KeptPayout, nameOf, paymentNamed, unsigned } from './kept-payout.ts';
import type { WaitsFor } from './service.ts';
import type { PayoutStore } from './store.ts';
import type { Waiting } from './waiting.ts';

export interface SigningDeps {
  readonly network: NetworkName;
  readonly sender: Sender;
  readonly signer: SignerLink;
  readonly store: PayoutStore;
  readonly networks: { all(): Promise<readonly CoinNetwork[]> };
  readonly waiting: Waiting;
  readonly clock: { now(): number };
}

/** What a refusal means for a payout that waits. */
const waitsByRefusal: Readonly<Record<SignerRefusal, WaitsFor>> = {
  ...{ CHANGED: 'REFUSED_BY_SIGNER', CLAIMED: 'REFUSED_BY_SIGNER', NOT_ALLOWED: 'REFUSED_BY_SIGNER' },
  ...{ NOT_A_REPLACEMENT: 'REFUSED_BY_SIGNER', DAY: 'SIGNER', FEE: 'FEE' },
  ...{ FEES_OF_DAY: 'SIGNER', RECORD_BEHIND: 'SIGNER' },
};
export const waitsByAnswer: Readonly<Record<Exclude<Broadcast, 'taken'>, WaitsFor>> = {
  ...{ insufficient: 'FUNDS', underpriced: 'FEE', refused: 'NODE' },
};

const RECORD_BEHIND = 'record behind';

const refusalOf = ({ id }: KeptPayout) => `refusal ${id}`;

export class Signing {
  readonly #deps: SigningDeps;

  constructor(deps: SigningDeps) {
    this.#deps = deps;
  }

  /** Has the signer sign what was fixed, and sends it. @returns whether the next one may be tried */
  async sign(id: number, head: BlockHeader): Promise<boolean> {
    const { store, signer, sender, clock, networks, waiting } = this.#deps;
    const payout = await store.find(id);
    const attempt = payout && unsigned(payout);
    if (payout === undefined || attempt === undefined) return true;
    const payment = paymentOf(payout, await networks.all());
    const intent: Intent = {
      id: await nameOf(store, payout),
      attempt: attempt.attempt,
      source: payout.payer?.index ?? null,
      payment,
      terms: attempt.terms,
    };
    try {
      const answer = await signer.sign(intent, await store.newestSigned());
      if (!answer.ok && answer.code === 'RECORD_BEHIND') return await this.#recordBehind(payout);
      waiting.ended(RECORD_BEHIND);
      if (!answer.ok) return await this.#refused(payout, attempt, answer.code);
      if (answer.id !== intent.id || writeJson(answer.terms) !== writeJson(attempt.terms)) {
        // It has signed it before: the database was set back since.
        await this.adopt(payout, answer.id, await signer.signed(intent.id));
        return true;
      }
      const { raw, transaction } = answer;
      waiting.ended(refusalOf(payout));
      if (!(await store.signed(payout, attempt.attempt, { name: intent.id, raw, transaction }, clock.now())))
        return true;
      const answered = await sender.broadcast(raw);
      const now = await store.find(id);
      if (now === undefined) return true;
      if (answered === 'taken') await store.sent(now, attempt, head.height, clock.now());
      else await waiting.wait([now], waitsByAnswer[answered]);
      return true;
    } catch (error) {
      if (!(error instanceof SignerAway)) throw error;
      await waiting.wait([payout], 'SIGNER');
      return false;
    }
  }

  /** @param name of what it was signed for: another payout where this one went along with it */
  async adopt(payout: KeptPayout, name: string, signed: readonly SignedAttempt[]): Promise<void> {
    const { store, clock, waiting } = this.#deps;
    if (name === (await nameOf(store, payout))) {
      await store.adopt(payout, signed, payout.sender, clock.now());
      return;
    }
    if (!(await store.release(payout, 'REFUSED_BY_SIGNER', clock.now()))) return;
    const { purpose, reference } = paymentNamed(name);
    const [leader] = await store.byReferences(purpose, [reference]);
    if (leader !== undefined && isUntaken(leader)) {
      await store.adopt(leader, signed, leader.payer?.address ?? payout.sender, clock.now());
      return;
    }
    waiting.postpone(payout);
    const text = `Payout ${payout.id} was signed with ${name}, which has ended otherwise`;
    await waiting.tell(refusalOf(payout), 'payout-refused', text);
  }

  /** Nothing is given up or fixed anew: once the record is whole, it goes on as it was. */
  async #recordBehind(payout: KeptPayout): Promise<boolean> {
    const { waiting } = this.#deps;
    await waiting.wait([payout], 'SIGNER');
    const text =
      "The signer's record lacks what it has signed: it was set back or lost, and nothing is paid. Restore the record from the newest backup";
    await waiting.tell(RECORD_BEHIND, 'signer-record-behind', text);
    return false;
  }

  async #refused(payout: KeptPayout, { attempt, terms }: Attempt, code: SignerRefusal): Promise<boolean> {
    const { network, store, clock, waiting } = this.#deps;
    const waitsFor = waitsByRefusal[code];
    if (attempt === 1 && othersOf(terms).length > 0) {
      waiting.separate([payout, ...(await store.carriedBy(payout.id))]);
      return store.release(payout, '', clock.now());
    }
    waiting.postpone(payout);
    if (attempt === 1) await store.release(payout, waitsFor, clock.now());
    else await store.dropAttempt(payout, waitsFor, clock.now());
    const text = `The signer refuses payout ${payout.id} on ${network}: ${code}`;
    await waiting.tell(refusalOf(payout), 'payout-refused', text);
    return true;
  }
}
