/**
 * What the exchange owes to its clients, proved: a run sums the balances at one batch in a tree for each coin, publishes
 * roots and totals, and lets each client check that the own balance is in them. It is made of the second computation's
 * snapshot, so trading never waits for it.
 */
import { randomBytes } from 'node:crypto';
import { readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import {
  LIABILITIES_VERSION,
  type LiabilityRun,
  type OwnLiabilities,
  type ReserveStatement,
} from '@cambist/contract/liabilities.ts';
import { formatAmount } from '@cambist/core/money/amount.ts';
import type { Authority } from '../../platform/authority.ts';
import type { Encryption } from '../../platform/encryption.ts';
import type { Logger } from '../../platform/logger.ts';
import { makePrivateFolder } from '../../platform/private-files.ts';
import { startWorkerCalls, type Unnumbered } from '../../platform/worker-calls.ts';
import { type Account, readIdentity } from './identities.ts';
import type { RunAnswer, RunRequest } from './liabilities-worker.ts';
import type { KeptReserves } from './reserve-store.ts';
import { type ColdFault, publishedOf, type ReserveStatements, readSignedCold, shownReserves } from './reserves.ts';
import type { LiabilityStore, Run } from './store.ts';
import { commitmentOf, HASH_BYTES, identitySalt } from './tree.ts';
import { leafLines, readProof } from './tree-files.ts';

export interface LiabilitiesDeps {
  readonly store: LiabilityStore;
  /** The newest snapshot, with what has changed until now. Undefined without durability. */
  readonly snapshot: () => Promise<{ readonly path: string; readonly rules: number } | undefined>;
  /** All accounts in the order of their owners, page by page, as they are when each page is read. */
  readonly accounts: () => AsyncIterable<readonly Account[]>;
  readonly directory: string;
  readonly reserves: Pick<ReserveStatements, 'complete' | 'of' | 'coldFile' | 'takeCold'>;
  readonly encryption: Encryption;
  readonly clock: { now(): number };
  readonly logger: Logger;
}

/** Runs whose trees are kept, so that one can be checked while the next is made. */
const KEPT_OPEN = 2;
const SHOWN = 30;
const PARTIAL = '.partial';

export type LiabilitiesError = {
  /**
   * `none`: there is nothing to make it of, or to show. `closed`: its trees are gone. `newer-account`: the account is newer
   * than the run.
   */
  readonly kind: 'none' | 'closed' | 'unknown-coin' | 'newer-account';
};

const contextOf = (batch: number) => `liabilities ${batch}`;

function shown(
  { batch, version, madeAt, stateHash, commitment, secret, assets }: Run,
  kept: KeptReserves | undefined,
): LiabilityRun {
  return {
    batch,
    version,
    made_at: madeAt,
    state_hash: stateHash,
    commitment,
    is_open: secret !== undefined,
    reserves: kept === undefined ? null : shownReserves(kept),
    assets: assets.map(({ coin, scale, sum, leaves, root }) => ({
      ...{ coin, scale, leaves, root },
      total: formatAmount(sum, scale),
      sum: String(sum),
    })),
  };
}

export class Liabilities {
  readonly #deps: LiabilitiesDeps;
  #running: Promise<Run | undefined> | undefined;

  constructor(deps: LiabilitiesDeps) {
    this.#deps = deps;
  }

  async runs(): Promise<LiabilityRun[]> {
    return this.#shown(await this.#deps.store.newest(SHOWN));
  }

  /** Makes a run unless there is one of the same batch; joins the one that is being made. */
  async make(): Promise<LiabilityRun | LiabilitiesError> {
    this.#running ??= this.#make()
      .catch((err: unknown) => {
        // Who asked for it may not wait for its end.
        this.#deps.logger.error({ err }, 'What is owed to clients could not be proved');
        throw err;
      })
      .finally(() => {
        this.#running = undefined;
      });
    const run = await this.#running;
    return run === undefined ? { kind: 'none' } : (await this.#shown([run]))[0]!;
  }

  /** What was held beside it. @param batch the newest run without it */
  async reserves(batch: number | undefined): Promise<ReserveStatement | LiabilitiesError> {
    const { store, reserves } = this.#deps;
    const run = batch === undefined ? (await store.newest(1))[0] : await store.run(batch);
    const kept = run && (await reserves.of([run.batch])).get(run.batch);
    return run === undefined || kept === undefined ? { kind: 'none' } : publishedOf(run, kept);
  }

  /** What a cold wallet is to sign of a run. */
  async coldFile(batch: number, address: string): Promise<{ name: string; file: string } | LiabilitiesError> {
    const run = await this.#deps.store.run(batch);
    return (run && (await this.#deps.reserves.coldFile(run, address))) ?? { kind: 'none' };
  }

  /** What a cold wallet has signed. @param file names its run @returns undefined once it is kept */
  async signCold(file: string, by: Authority): Promise<ColdFault | undefined> {
    const signed = readSignedCold(file);
    if (signed === undefined) return 'UNREADABLE';
    return this.#deps.reserves.takeCold(await this.#deps.store.run(signed.batch), signed, by);
  }

  /** Makes one where there is none yet. */
  async makeFirst(): Promise<void> {
    if ((await this.#deps.store.newest(1)).length === 0) await this.make();
  }

  /** Makes one where the last is older, or of a version without proofs; else completes what the last one lacks. */
  async makeAfter(ageMs: number): Promise<void> {
    const { store, clock } = this.#deps;
    const [last] = await store.newest(1);
    const now = clock.now();
    // One that is ahead of a clock that was set back has no age.
    const isDue = last === undefined || last.madeAt > now || now - last.madeAt >= ageMs;
    if (isDue || last.version !== LIABILITIES_VERSION) await this.make();
    else await this.#deps.reserves.complete(last);
  }

  /** @param batch of a run that is open; the newest one without it */
  async of(client: number, batch: number | undefined): Promise<OwnLiabilities | LiabilitiesError> {
    const run = await this.#open(batch);
    if ('kind' in run) return run;
    const secret = this.#secretOf(run);
    const identity = await readIdentity(this.#folder(run.batch), secret, client);
    if (identity === undefined) return { kind: 'newer-account' };
    const proofs = [];
    for (const { asset, coin, scale, leaves } of run.assets) {
      const place = { folder: this.#folder(run.batch), asset, leaves };
      const proof = await readProof(place, { batch: run.batch, coin, scale }, secret, { owner: client, identity });
      if (proof) proofs.push({ coin, balance: formatAmount(proof.balance, scale), parts: proof.parts });
    }
    const salt = identitySalt(secret, client).toString('hex');
    return { run: (await this.#shown([run]))[0]!, identity: { ...identity, salt }, proofs };
  }

  /** The leaves of one coin's tree as text. */
  async leaves(batch: number, coin: string): Promise<AsyncIterable<string> | LiabilitiesError> {
    const run = await this.#open(batch);
    if ('kind' in run) return run;
    const found = run.assets.find((asset) => asset.coin === coin.toUpperCase());
    if (found === undefined) return { kind: 'unknown-coin' };
    return leafLines({ folder: this.#folder(batch), asset: found.asset, leaves: found.leaves });
  }

  /** Waits for the run that is being made. */
  async close(): Promise<void> {
    await this.#running?.catch(() => undefined);
  }

  async #shown(runs: readonly Run[]): Promise<LiabilityRun[]> {
    const kept = await this.#deps.reserves.of(runs.map(({ batch }) => batch));
    return runs.map((run) => shown(run, kept.get(run.batch)));
  }

  async #open(batch: number | undefined): Promise<Run | LiabilitiesError> {
    const { store } = this.#deps;
    const run = batch === undefined ? (await store.newest(1))[0] : await store.run(batch);
    if (run === undefined) return { kind: 'none' };
    return run.secret === undefined ? { kind: 'closed' } : run;
  }

  #secretOf({ batch, secret = '' }: Run): Buffer {
    return Buffer.from(this.#deps.encryption.decrypt(secret, contextOf(batch)), 'hex');
  }

  #folder(batch: number): string {
    return join(this.#deps.directory, String(batch));
  }

  async #make(): Promise<Run | undefined> {
    const { store, snapshot, directory, encryption, clock, logger } = this.#deps;
    const started = performance.now();
    const newest = await snapshot();
    if (newest === undefined) return undefined;
    makePrivateFolder(directory);
    const secret = randomBytes(HASH_BYTES);
    const partial = join(directory, `${secret.toString('hex', 0, 8)}${PARTIAL}`);
    try {
      const { batch, stateHash, assets } = await this.#build(newest, partial, secret);
      const known = await store.run(batch);
      if (known) return known;
      const sealed = encryption.encrypt(secret.toString('hex'), contextOf(batch));
      const commitment = commitmentOf(batch, assets);
      const run: Run = {
        ...{ batch, version: LIABILITIES_VERSION, stateHash, commitment },
        ...{ madeAt: clock.now(), secret: sealed, assets },
      };
      // A folder of this batch is one that no row was written for.
      rmSync(this.#folder(batch), { recursive: true, force: true });
      renameSync(partial, this.#folder(batch));
      this.#clean(await store.add(run, KEPT_OPEN));
      const tookMs = Math.round(performance.now() - started);
      logger.info({ batch, tookMs, commitment }, 'What is owed to clients was proved');
      await this.#deps.reserves.complete(run);
      return run;
    } finally {
      rmSync(partial, { recursive: true, force: true });
    }
  }

  /** The accounts are read after the snapshot was taken, so each owner in it is among them. */
  async #build({ path, rules }: { readonly path: string; readonly rules: number }, folder: string, secret: Buffer) {
    const script = new URL('./liabilities-worker.ts', import.meta.url);
    const worker = await startWorkerCalls<RunRequest, RunAnswer>(script, undefined, 'The proof of liabilities');
    try {
      const ask = async (request: Unnumbered<RunRequest>) => {
        const answer = await worker.ask(request);
        if (answer.error !== undefined) throw new Error(answer.error);
        return answer;
      };
      await ask({ what: 'begin', folder, secret });
      for await (const accounts of this.#deps.accounts()) await ask({ what: 'accounts', accounts });
      const { batch, stateHash, assets } = await ask({ what: 'build', snapshot: path, rules });
      if (batch === undefined || stateHash === undefined || assets === undefined)
        throw new Error('The proof of liabilities has no result');
      return { batch, stateHash, assets };
    } finally {
      await worker.end();
    }
  }

  /** Removes the folders of closed runs, and what a process that died has left. */
  #clean(open: readonly number[]): void {
    const { directory } = this.#deps;
    const kept = new Set(open.map(String));
    for (const name of readdirSync(directory)) {
      if (!kept.has(name)) rmSync(join(directory, name), { recursive: true, force: true });
    }
  }
}
