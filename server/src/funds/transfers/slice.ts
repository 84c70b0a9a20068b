/** Transfers between a client's wallets as a slice. */
import type { Asset } from '@cambist/core/money/market.ts';
import type { Engine } from '../../exchange/engine/engine.ts';
import { type AlarmRaiser, createAlarms, type ReadBack, type StoredLeg } from '../../exchange/ledger/service.ts';
import type { TradingPassword } from '../../exchange/orders/service.ts';
import type { Streams } from '../../exchange/streams/service.ts';
import type { Refusal } from '../../platform/calls.ts';
import type { Statement } from '../../platform/database.ts';
import { personalDataOf } from '../../platform/personal-data.ts';
import type { Platform, Slice } from '../../platform/slice.ts';
import { type LocalizedText, say } from '../../platform/texts.ts';
import { Confirmer } from './confirmer.ts';
import { createTransferLedger } from './ledger.ts';
import { serveTransfers } from './routes.ts';
import { createTransferService, type ExposureOf } from './service.ts';
import { createTransferStore, type Transfer, transferTables } from './store.ts';
import { createWitnesses, WITNESS_NAMES } from './witnesses.ts';

const ROUND_MS = 500;
const PATIENCE_MS = 15 * 60_000;
/** A reconciler that goes round seldom is waited for all the same. */
const PATIENCE_ROUNDS = 5;

export interface TransferParts {
  readonly engine: Engine;
  readonly debtRefusalOf: (clientId: number) => Refusal | undefined;
  readonly readBack: ReadBack;
  readonly hasProven: (batch: number, owner: number) => boolean;
  readonly snapshotLegs: (transferId: number, batch: number) => Promise<readonly StoredLeg[] | undefined>;
  readonly password: TradingPassword;
  readonly exposureOf: ExposureOf;
  readonly streams: Pick<Streams, 'push' | 'note'>;
  readonly alarms: AlarmRaiser;
  readonly noticeStatement: (
    notices: readonly (Notice & { readonly clientId: number })[],
    change: Statement,
  ) => Statement;
  readonly announce: (clientIds: readonly number[]) => Promise<void>;
}

interface Notice {
  readonly type: 'transfer';
  readonly title: LocalizedText;
  readonly body: LocalizedText;
  readonly path: string;
}

function noticeOf({ reason }: Transfer, amount: string, coin: string): Notice {
  const body =
    reason === 'NOT_CONFIRMED'
      ? say('It was not confirmed in time. {{amount}} {{coin}} is back in your wallet.', { amount, coin })
      : say('A ledger check did not match it. {{amount}} {{coin}} is back in your wallet.', { amount, coin });
  return { type: 'transfer', title: say('Transfer reversed'), body, path: '/wallet/transfer' };
}

export function createTransfersSlice(platform: Platform, parts: TransferParts): Slice {
  const { config, database, clock, logger } = platform;
  const { engine, readBack, hasProven, snapshotLegs, streams } = parts;
  const { exchange, journal, projector, sequencer } = engine;
  const store = createTransferStore(database);
  const ledger = createTransferLedger(engine, clock, parts.debtRefusalOf);
  const assetWhere = (isIt: (asset: Asset) => boolean) => exchange.assets().find(isIt);
  const sources = {
    journalHolds: journal.holds,
    caughtUp: async () => {
      await sequencer.settled();
      await projector.caughtUp();
    },
    ledger: readBack,
    feed: sequencer,
    hasProven,
    snapshotLegs,
    balance: (account: number) => exchange.balance(account),
  };
  const confirmer = new Confirmer({
    store,
    ledger,
    witnesses: createWitnesses(sources, config.TRANSFER_CONFIRMATIONS),
    patienceMs: Math.max(PATIENCE_MS, PATIENCE_ROUNDS * config.RECONCILE_SECONDS * 1000),
    everyMs: ROUND_MS,
    onChange: push,
    told,
    alarm: createAlarms(platform, parts.alarms).raise,
    clock,
    logger,
  });
  const service = createTransferService({
    store,
    ledger,
    confirmer,
    assetByCode: (code) => assetWhere((asset) => asset.code === code.toUpperCase()),
    assetById: (id) => assetWhere((asset) => asset.id === id),
    password: parts.password,
    exposureOf: parts.exposureOf,
    witnesses: WITNESS_NAMES,
    noteChange: (owner) => void streams.note(owner, 'transfers'),
  });

  function push(transfer: Transfer): void {
    const shown = service.describe(transfer);
    streams.push(transfer.owner, 'transfers', [shown]);
    if (transfer.state !== 'REVERSED') return;
    parts
      .announce([transfer.owner])
      .catch((err: unknown) => logger.warn({ err, transfer: transfer.id }, 'A page was not told of a reversal'));
  }

  function told(transfer: Transfer, change: Statement): Statement {
    if (transfer.state !== 'REVERSED') return change;
    const { amount, coin } = service.describe(transfer);
    return parts.noticeStatement([{ clientId: transfer.owner, ...noticeOf(transfer, amount, coin) }], change);
  }

  return {
    routes: (calls) => serveTransfers(calls, service),
    personalData: personalDataOf(database, transferTables),
    prepare: () => confirmer.restore(),
    stop: () => confirmer.close(),
  };
}
