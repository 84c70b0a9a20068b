/** The person's own data: a copy of all of it, and its deletion after 14 days in which one can come back. */

import type { AuditLog } from '../../platform/audit-log.ts';
import type { Authority } from '../../platform/authority.ts';
import type { Encryption } from '../../platform/encryption.ts';
import type { Logger } from '../../platform/logger.ts';
import type { Outbox } from '../../platform/outbox.ts';
import type { PersonalData } from '../../platform/personal-data.ts';
import { say } from '../../platform/texts.ts';
import type { AccountService } from '../accounts/service.ts';
import { momentText } from '../accounts/service.ts';
import type { Keys } from './keys.ts';
import type { ExportRow, SecurityStore } from './store.ts';

export interface PrivacyDeps {
  readonly store: SecurityStore;
  /** Of every slice. */
  readonly personalData: () => readonly PersonalData[];
  readonly accounts: AccountService;
  readonly keys: Keys;
  readonly audit: AuditLog;
  readonly encryption: Encryption;
  readonly outbox: Pick<Outbox, 'statement' | 'wake'>;
  /** Anything in any wallet, held funds included. */
  readonly hasFunds: (clientId: number) => boolean;
  readonly logger: Logger;
  readonly clock: { now(): number };
}

const DAY_MS = 86_400_000;
const GRACE_MS = 14 * DAY_MS;
const EXPORT_MS = 7 * DAY_MS;

/** Each holds everything about a person. */
const MAXIMUM_EXPORTS = 5;

const contextOf = ({ id }: Pick<ExportRow, 'id'>) => `export:${id}`;

/** Goes through all that is due, page by page in the order of ids: one that fails is left for the next run. */
async function eachInTurn<Row>(
  logger: Logger,
  page: (after: number) => Promise<Row[]>,
  idOf: (row: Row) => number,
  work: (row: Row) => Promise<void>,
): Promise<void> {
  let rows = await page(0);
  for (let last = rows.at(-1); last !== undefined; last = rows.at(-1)) {
    for (const row of rows) {
      await work(row).catch((err: unknown) =>
        logger.warn({ err, id: idOf(row) }, 'One of many failed; the others go on'),
      );
    }
    rows = await page(idOf(last));
  }
}

/** A copy of everything about a person. */
function createExports({ store, personalData, audit, encryption, logger, clock }: PrivacyDeps) {
  async function gather(row: ExportRow): Promise<void> {
    try {
      const parts: Record<string, unknown> = {};
      for (const data of personalData()) Object.assign(parts, await data.export(row.client_id));
      await store.finishExport(row.id, 'ready', encryption.encrypt(JSON.stringify(parts), contextOf(row)));
    } catch (err) {
      logger.warn({ err, exportId: row.id }, 'An export failed');
      await store.finishExport(row.id, 'failed', '');
    }
  }

  return {
    /** @returns undefined when there are as many as there may be */
    async ask(by: Authority): Promise<number | undefined> {
      const { clientId } = by;
      const now = clock.now();
      const id = await store.insertExport(by, now, now + EXPORT_MS, MAXIMUM_EXPORTS);
      if (id !== undefined) await audit.record({ actorId: clientId, act: 'ask-export', clientId });
      return id;
    },
    exports: (clientId: number): Promise<ExportRow[]> => store.exports(clientId, clock.now()),
    /** @returns undefined when there is none, or not yet */
    async fetch(clientId: number, id: number): Promise<Record<string, unknown> | undefined> {
      const row = (await store.exports(clientId, clock.now())).find((one) => one.id === id);
      if (row?.state !== 'ready') return undefined;
      return JSON.parse(encryption.decrypt(row.document, contextOf(row))) as Record<string, unknown>;
    },
    /** The job behind exports. */
    async gatherWaiting(): Promise<void> {
      await store.deleteOldExports(clock.now());
      await eachInTurn(
        logger,
        (after) => store.waitingExports(after),
        (row) => row.id,
        gather,
      );
    },
  };
}

/** The end of an account. */
function createDeletions({ personalData, accounts, keys, audit, outbox, hasFunds, logger, clock }: PrivacyDeps) {
  /** @returns false when the deletion was taken back meanwhile; then nothing was done */
  function erase(clientId: number): Promise<boolean> {
    const now = clock.now();
    const statements = personalData().flatMap((data) => data.erase(clientId));
    return accounts.clients.erase(clientId, now, statements);
  }

  /** Who is frozen is being looked into, and cannot come back; there are as many days for that once the freeze has ended. */
  async function isKeptByFreeze(clientId: number): Promise<boolean> {
    if (accounts.states.freezeOf(clientId) !== undefined) return true;
    const endedAt = (await accounts.clients.clientById(clientId))?.frozen_until ?? null;
    return endedAt !== null && clock.now() < endedAt + GRACE_MS;
  }

  async function deleteAccount(clientId: number): Promise<void> {
    if (hasFunds(clientId) || (await isKeptByFreeze(clientId))) return;
    const remove = () => erase(clientId);
    const removeKeysToo = () => keys.endBy(clientId, undefined, remove);
    const isGone = await accounts.sessions.endBy(clientId, undefined, removeKeysToo);
    if (isGone) await audit.record({ act: 'delete-account', clientId });
  }

  return {
    erase,
    /**
     * All sessions end; signing in again ends the deletion. Sessions first, in the transaction that notes the
     * deletion: without one no key is made any more when the keys go.
     * @returns undefined while there are funds
     */
    async askDeletion(by: Authority): Promise<number | undefined> {
      const { clientId } = by;
      if (hasFunds(clientId)) return undefined;
      const at = clock.now() + GRACE_MS;
      const date = momentText(at);
      const mail = accounts.newsMail(clientId, say('Your account will be deleted'), [
        say('It will be deleted on {{date}}. Log in before then if you want to keep it.', { date }),
      ]);
      const begin = () => accounts.clients.beginDeletion(by, at, [outbox.statement(mail)]);
      await accounts.sessions.endBy(clientId, undefined, begin);
      outbox.wake();
      await keys.revoke(clientId);
      await audit.record({ actorId: clientId, act: 'ask-deletion', clientId });
      return at;
    },
    /** The job behind deletions. Money that came in meanwhile keeps the account, and so do a sign-in and a freeze. */
    async deleteDue(): Promise<void> {
      await eachInTurn(
        logger,
        (after) => accounts.clients.dueDeletions(clock.now(), after),
        (clientId) => clientId,
        deleteAccount,
      );
    },
  };
}

export const createPrivacy = (deps: PrivacyDeps) => ({ ...createExports(deps), ...createDeletions(deps) });

export type Privacy = ReturnType<typeof createPrivacy>;
