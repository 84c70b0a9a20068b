/** Asking for a withdrawal: every check in its order, each with its own refusal, then one step that writes it down. */
import type { Authority } from '../../platform/authority.ts';
import type { Identity } from '../../platform/calls.ts';
import type { Statement } from '../../platform/database.ts';
import type { IntentKey } from '../../platform/intent.ts';
import { say } from '../../platform/texts.ts';
import type { Funding } from './funding.ts';
import { fail, type Inspected, type Inspection, type Result, type Wish, type WithdrawalError } from './inspection.ts';
import type { WithdrawalLedger } from './ledger.ts';
import type { OwnerQueue } from './owner-queue.ts';
import type { Processing } from './processing.ts';
import type { Judgement, Proofs, Shown, Unconfirmed } from './proofs.ts';
import type { Adding, StageStore } from './stage-store.ts';
import type { Withdrawal, WithdrawalStore } from './store.ts';

export interface RequestDeps {
  readonly store: Pick<WithdrawalStore, 'byIntent'>;
  readonly stages: Pick<StageStore, 'add'>;
  readonly ledger: Pick<WithdrawalLedger, 'hold'>;
  readonly inspect: Inspection;
  readonly proofs: Proofs;
  readonly funding: Funding;
  readonly processing: Pick<Processing, 'held' | 'notHeld' | 'found'>;
  readonly queue: OwnerQueue;
  readonly clock: { now(): number };
}

export interface Checked extends Inspected, Judgement {
  readonly needsReview: boolean;
}

type Confirm<Refused> = () => Promise<Authority | Refused>;

function createRepeats({ store, processing }: RequestDeps) {
  /** For the client's queue. @returns what the key has led to before; undefined for a new one */
  return async (owner: number, intent: IntentKey | undefined): Promise<Result<Withdrawal> | undefined> => {
    const earlier = intent && (await store.byIntent(owner, intent.key));
    if (earlier === undefined) return undefined;
    if (earlier.fingerprint !== intent?.fingerprint) return fail({ kind: 'key-reused' });
    const { withdrawal } = earlier;
    if (withdrawal.stage !== 'REQUESTED') return { ok: true, value: withdrawal };
    // A process has ended in the middle of it. One that the ledger has never heard of is asked for anew.
    const found = await processing.found(withdrawal);
    return found.stage === 'FAILED' ? undefined : { ok: true, value: found };
  };
}

/** Of what was not added. */
async function refusalOf(
  adding: Exclude<Adding, { kind: 'added' | 'key-taken' }>,
  owner: number,
  { funding }: RequestDeps,
): Promise<WithdrawalError> {
  switch (adding.kind) {
    case 'limit':
      return funding.limitError(owner, adding.limit);
    case 'restricted':
    case 'wrong-code':
    case 'debt':
      return { kind: adding.kind };
  }
}

type Repeated = ReturnType<typeof createRepeats>;

/** Writes a withdrawal down and has its amount held. */
function createWriting(deps: RequestDeps, repeated: Repeated) {
  const { stages, ledger, funding, processing, clock } = deps;

  /** The ledger holds the amount, or nothing has happened. */
  async function hold(withdrawal: Withdrawal): Promise<Result<Withdrawal>> {
    const answer = await ledger.hold(withdrawal);
    if (answer.kind === 'held') return { ok: true, value: await processing.held(withdrawal, answer.transfer) };
    // What has become of it is found once the ledger can say.
    if (answer.kind === 'outcome-unknown') return fail({ kind: 'outcome-unknown' });
    await processing.notHeld(withdrawal);
    if (answer.kind === 'not-accepted') return fail({ kind: 'not-accepted' });
    return fail(await funding.balanceError(withdrawal));
  }

  return async function write(
    by: Authority,
    inspected: Inspected,
    judged: Judgement,
    conditions: readonly Statement[],
    intent: IntentKey | undefined,
  ): Promise<Result<Withdrawal>> {
    const { clientId } = by;
    const short = await funding.shortage(clientId, inspected);
    if (short !== undefined) return fail(short);
    const { limits, reasons, approvalsRequired, worth } = await funding.judge(by, inspected, judged);
    const { asset, way, address, amount, fee, receiver } = inspected;
    const facts = { coin: asset.code, asset: asset.id, network: way.network, address, amount, fee, receiver };
    const confirmationsRequired = receiver === null ? way.withdraw_confirmations : 0;
    const adding = await stages.add({
      by,
      withdrawal: { ...facts, worth, reasons, approvalsRequired, confirmationsRequired },
      limits,
      intent,
      conditions,
      detail: say('You have requested it.'),
      now: clock.now(),
    });
    if (adding.kind === 'added') return hold(adding.withdrawal);
    if (adding.kind !== 'key-taken') return fail(await refusalOf(adding, clientId, deps));
    return (await repeated(clientId, intent)) ?? fail({ kind: 'outcome-unknown' });
  };
}

export function createRequests(deps: RequestDeps) {
  const { inspect, proofs, funding, queue } = deps;
  const repeated = createRepeats(deps);
  const write = createWriting(deps, repeated);

  return {
    /** What it would cost and ask for; refused as the withdrawal itself would be. */
    async check(identity: Identity, wish: Wish): Promise<Result<Checked>> {
      const owner = identity.clientId;
      const inspected = await inspect(owner, wish);
      if (!inspected.ok) return inspected;
      const judged = await proofs.judge(owner, inspected.value);
      if (!judged.ok) return judged;
      const short = await funding.shortage(owner, inspected.value);
      if (short !== undefined) return fail(short);
      const { reasons, limits, worth } = await funding.judge(identity, inspected.value, judged.value);
      const exceeded = await funding.exceeded(owner, worth, limits);
      if (exceeded !== undefined) return fail(await funding.limitError(owner, exceeded));
      return { ok: true, value: { ...inspected.value, ...judged.value, needsReview: reasons.length > 0 } };
    },

    /**
     * One after another for each client: what one has held is no longer there for the next, and the same key finds what the
     * first has led to.
     * @param confirm asks for the step-up, where one is needed
     */
    async start<Refused extends object>(
      identity: Identity,
      wish: Wish,
      shown: Shown,
      intent: IntentKey | undefined,
      confirm: Confirm<Refused>,
    ): Promise<Result<Withdrawal, WithdrawalError | Unconfirmed<Refused>>> {
      const owner = identity.clientId;
      const done = await queue.run(owner, async () => {
        const earlier = await repeated(owner, intent);
        if (earlier !== undefined) return earlier;
        const inspected = await inspect(owner, wish);
        if (!inspected.ok) return inspected;
        const judged = await proofs.judge(owner, inspected.value);
        if (!judged.ok) return judged;
        const proven = await proofs.prove(identity, judged.value, shown, confirm);
        if (!proven.ok) return proven;
        const { by, conditions } = proven.value;
        return write(by, inspected.value, judged.value, conditions, intent);
      });
      return done ?? fail({ kind: 'not-accepted' });
    },
  };
}

export type Requests = ReturnType<typeof createRequests>;
