/** Hot and cold wallets without a server: what a keeper does beside the payouts of a stage. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { NetworkName } from '@cambist/contract/deposits.ts';
import { canonicalAddress, familyOf } from '../src/funds/chains/addresses.ts';
import { createNetworkStore } from '../src/funds/chains/network-store.ts';
import type { Chain } from '../src/funds/chains/service.ts';
import { Keeper } from '../src/funds/cold/keeper.ts';
import { requestFile, upload } from '../src/funds/cold/refills.ts';
import { createColdStore } from '../src/funds/cold/store.ts';
import { createClientStore } from '../src/identity/accounts/client-store.ts';
import { byExchange } from '../src/platform/authority.ts';
import type { Database } from '../src/platform/database.ts';
import { signRefill } from '../src/signer/cold.ts';
import type { NetworkPolicy, Policy } from '../src/signer/policy.ts';
import { SignedFile } from '../src/signer/signed-file.ts';
import { Signer } from '../src/signer/signer.ts';
import type { StageParts } from './payout-stage.ts';

/** What hot and cold wallets ask of payouts. */
export const coldPayouts = ({ store, runner }: Pick<StageParts, 'store' | 'runner'>) => ({
  ...{ planning: store.planning, signedElsewhere: store.signedElsewhere, of: store.byReferences, owedBy: store.owedBy },
  ...{ exhausted: store.exhausted, book: store.book, wake: () => undefined, isStopped: () => false },
  hotAddress: () => runner.hotAddress,
  coldAddress: async () => (await store.networks()).get(runner.network)?.coldAddress || undefined,
});

export function coldWorks({ database, chain, sender, store, runner, clock, alarms }: StageParts) {
  const keeper = new Keeper({
    ...{ chain, sender, clock, networks: createNetworkStore(database), isTrusted: () => true },
    store: createColdStore(database),
    payouts: coldPayouts({ store, runner }),
    alarms: {
      raise: async (kind, detail) => void alarms.push(`${kind}: ${detail}`),
      statement(kind, detail) {
        alarms.push(`${kind}: ${detail}`);
        return { sql: 'SELECT 1' };
      },
    },
  });
  return [() => runner.readColdAddress(), keeper.run];
}

interface MachineParts {
  readonly network: NetworkName;
  readonly database: Database;
  readonly stage: Pick<StageParts, 'store' | 'runner' | 'clock'> & {
    readonly hot: string;
    readonly policy: { networks: Policy['networks'] };
  };
  readonly chain: () => Chain;
  readonly operatorId: number;
  readonly seed: Uint8Array;
  readonly allowed: Omit<NetworkPolicy, 'only_to' | 'cold_address'>;
}

/**
 * The machine of a cold wallet, with a seed, a folder and a policy of its own, and the operator who carries refills to it and
 * back. The stage's own signer knows its address.
 */
export function createColdMachine({ network, database, stage, chain, operatorId, seed, allowed }: MachineParts) {
  const folder = mkdtempSync(join(tmpdir(), 'cambist-cold-'));
  const own = { ...allowed, only_to: stage.hot };
  const policy = (): Policy => ({ networks: { [network]: own } });
  /** @param name of what it keeps: another one knows nothing of what the machine has signed */
  const signerBy = (by: () => Policy, of = seed, name = 'signed') =>
    new Signer({
      ...{ seed: of, policy: by, clock: stage.clock, bitcoin: 'regtest' },
      signed: new SignedFile(join(folder, `${name}.jsonl`), 'make'),
    });
  const signer = signerBy(policy);
  const address = canonicalAddress(familyOf(network), signer.hotAddress(network));
  const current = stage.policy.networks[network];
  if (current !== undefined) stage.policy.networks = { [network]: { ...current, cold_address: address } };
  const store = createColdStore(database);
  const by = byExchange(operatorId);
  const deps = () => ({
    ...{ store, clock: stage.clock, networks: createNetworkStore(database), payouts: coldPayouts(stage) },
    chains: new Map([[network, chain()]]),
  });
  async function asked() {
    const move = (await store.list(10)).find(({ kind, state }) => kind === 'refill' && state === 'PLANNED');
    if (move === undefined) throw new Error('No refill is asked for');
    return move;
  }
  const request = async () => requestFile(deps(), await asked());
  const sign = (file: string, clock = stage.clock) => signRefill({ signer, policy }, file, clock);

  return {
    ...{ address, by, store, asked, request, sign },
    /** What it signs of the newest request. */
    signed: async () => (await sign((await request()).file)).signed,
    bring: async (text: string, move?: Awaited<ReturnType<typeof asked>>) =>
      upload(deps(), by, move ?? (await asked()), text),
    /** Each as it is, sorted. */
    moves: async () => (await store.list(100)).map(({ kind, coin, state }) => `${kind} ${coin} ${state}`).sort(),
    /** A signer with a seed that pays to anybody, and remembers nothing of what others have signed. */
    carelessSigner: (of: Uint8Array, name: string) => signerBy(() => ({ networks: { [network]: allowed } }), of, name),
    remove: (): void => rmSync(folder, { recursive: true, force: true }),
  };
}

export type ColdMachine = ReturnType<typeof createColdMachine>;

/** @returns the id of an account by which something can be done */
export async function insertOperator(database: Database, name: string): Promise<number> {
  const id = await createClientStore(database).insertClient({
    ...{ email: name, emailKey: name, passwordHash: '', transactionPasswordHash: '', mobileNumber: '' },
    ...{ referral: '', uniqueId: name, role: 'client', provider: 'email', locale: 'en', createdAt: 0 },
  });
  if (id === undefined) throw new Error(`${name} is there already`);
  return id;
}
