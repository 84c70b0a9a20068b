/** What every slice of the server is: one object that says what the slice adds to the process. */
import type { FastifyInstance } from 'fastify';
import type { Config } from '../config.ts';
import type { CallServer } from './calls.ts';
import type { Capacity } from './capacity.ts';
import type { Database } from './database.ts';
import { createEncryption, type Encryption, readSecretsKey } from './encryption.ts';
import { createFileSender, type FileSender } from './files.ts';
import type { Job } from './jobs.ts';
import type { Logger } from './logger.ts';
import { Moments } from './moments.ts';
import type { LabelledFigure } from './observability.ts';
import { type OriginOf, originReader } from './origin.ts';
import { createOutbox, type Outbox } from './outbox.ts';
import { createOutboxStore } from './outbox-store.ts';
import type { PersonalData } from './personal-data.ts';
import { createProxies, type Proxies } from './proxies.ts';
import { type SiteOf, siteReader } from './site.ts';
import type { SteadyClock } from './steady-clock.ts';
import { createWorkReport, type WorkReport } from './work-report.ts';

/** What argon2id costs who makes a hash: KiB of memory, passes over it, and lanes. The hash says it too. */
export interface PasswordCost {
  readonly memoryCost: number;
  readonly timeCost: number;
  readonly parallelism: number;
}

export interface AppDeps {
  readonly config: Config;
  readonly database: Database;
  readonly logger: Logger;
  /** Where it can be set while the server runs, it says so. */
  readonly clock: Pick<SteadyClock, 'now'> & Partial<SteadyClock>;
  /** What the system lets the process hold; without it, as if there were no limit. */
  readonly capacity?: Capacity;
  /** Of new hashes; without it, what is recommended. */
  readonly passwordCost?: PasswordCost;
  /** Called once memory and store can't be brought together again: the process must end. */
  readonly onFatal: (error: Error) => void;
}

/** What every slice may use. */
export interface Platform extends AppDeps {
  readonly proxies: Proxies;
  readonly encryption: Encryption;
  readonly originOf: OriginOf;
  readonly siteOf: SiteOf;
  readonly outbox: Outbox;
  /** Of jobs and consumers. */
  readonly work: WorkReport;
  readonly sendFile: FileSender;
  readonly moments: Moments;
}

/** A consumer as the process sees it. */
interface Consuming {
  start(): Promise<void>;
  close(): Promise<void>;
}

export interface Slice {
  /** Registers the calls. */
  readonly routes?: (calls: CallServer, http: FastifyInstance) => void;
  readonly jobs?: readonly Job[];
  /** What the slice keeps about one person. */
  readonly personalData?: PersonalData;
  /** What it shows to Prometheus. */
  readonly figures?: readonly LabelledFigure[];
  /** Who acts on what was committed. They start before the slices do, and end with their slice. */
  readonly consumers?: readonly Consuming[];
  /** Runs before the server answers, in the order of the slices. */
  readonly prepare?: () => Promise<void> | void;
  /** Runs once the routes are there, in the order of the slices. */
  readonly start?: (http: FastifyInstance) => Promise<void> | void;
  /** Ends what asks other slices of its own accord. Runs before the server stops answering, last slice first. */
  readonly stop?: () => Promise<void> | void;
  /** Runs after the server has stopped answering, last slice first. */
  readonly close?: () => Promise<void> | void;
}

export function createPlatform(deps: AppDeps): Platform {
  const { config, database, clock, logger } = deps;
  const proxies = createProxies(config.TRUST_PROXY);
  const encryption = createEncryption(readSecretsKey(config.SECRETS_KEY, config.DATA_DIR));
  return {
    ...deps,
    proxies,
    encryption,
    work: createWorkReport(logger),
    outbox: createOutbox({ store: createOutboxStore(database), encryption, clock, logger }),
    originOf: originReader(config.PLACE_HEADER, proxies),
    siteOf: siteReader(config.PUBLIC_URL, config.isProduction),
    sendFile: createFileSender(),
    moments: new Moments(),
  };
}
