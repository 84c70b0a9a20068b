/**
 * A call is what goes over the wire, said once: the server registers it, the web client calls it and the OpenAPI
 * document shows it.
 */
import type { z } from 'zod';
import type { AuditAct } from './audit-acts.ts';

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/** What an operator may be allowed to do. */
export const OPERATOR_RIGHTS = ['support', 'compliance', 'treasury', 'markets', 'content', 'administrator'] as const;
export type OperatorRight = (typeof OPERATOR_RIGHTS)[number];

/** What a step-up is for: one that was made for another purpose does not count. */
export const STEP_UP_PURPOSES = [
  'password',
  'transaction-password',
  'factors',
  'whitelist',
  'withdrawal-settings',
  'withdrawal',
  'connections',
  'privacy',
  'markets',
  'treasury',
  'clients',
] as const;
export type StepUpPurpose = (typeof STEP_UP_PURPOSES)[number];

/**
 * What the audit log keeps of an operator's call. `reads`: the server writes one row for each search before it answers.
 * `acts`: the handler writes one of these before it acts. `none`: the call shows no data of a client and changes nothing.
 */
export type Audited = { readonly reads: AuditAct } | { readonly acts: readonly AuditAct[] } | 'none';

/**
 * Who else must agree to an operator's act. `loosening`: a change that weakens a protection waits for a second operator,
 * or a day where there is only one (`PendingChanges`). `worth`: a second operator approves from a bound on.
 */
export type SecondPerson = 'loosening' | 'worth';

/** Calls that the private socket takes too, by these names. */
export const STREAM_OPERATIONS = [
  'place',
  'place-many',
  'place-conditional',
  'amend',
  'amend-conditional',
  'cancel',
  'cancel-many',
  'cancel-all',
  'futures-leverage',
  'futures-margin',
  'futures-position-mode',
  'futures-close',
  'futures-reverse',
] as const;
export type StreamOperation = (typeof STREAM_OPERATIONS)[number];

/**
 * Who may make a call. Every call says it, so that a new one is open to no caller by omission.
 *
 * - `public`: no token is read.
 * - `visitor`: the answer is richer with a token; a bad token is refused.
 * - `client`: a signed-in account, of a client or of an operator.
 * - `holder`: a client, who may have wallets; operators have none.
 * - `trader`: a holder who may place orders and move funds.
 * - `operator:<right>`: an operator who has the right.
 *
 * `anyOrigin`: pages of any site may read the answer; it is the same for all callers.
 * `keys` is the permission that an API key needs; `any` is a key with any permission, and `never` is no key at all.
 */
export type Permission =
  | { readonly access: 'public'; readonly keys?: never; readonly audit?: never; readonly anyOrigin?: true }
  | { readonly access: 'visitor'; readonly keys: 'any' | 'never'; readonly audit?: never; readonly anyOrigin?: never }
  | {
      readonly access: 'client' | 'holder';
      readonly keys: 'read' | 'never';
      readonly audit?: never;
      readonly anyOrigin?: never;
    }
  | { readonly access: 'trader'; readonly keys: 'trade' | 'never'; readonly audit?: never; readonly anyOrigin?: never }
  | {
      readonly access: `operator:${OperatorRight}`;
      readonly keys?: never;
      readonly audit: Audited;
      readonly anyOrigin?: never;
    };

export type Access = Permission['access'];

/** Of a call that takes an `Idempotency-Key`. */
export interface Idempotent {
  /**
   * Fields that may differ where the same is wished again: proofs, such as a password and a code, the language of the page,
   * and a list of wishes, each of which has a key of its own made from that of the call.
   */
  readonly except: readonly string[];
}

interface CallShape<
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Params extends z.ZodType = z.ZodType,
  Answer extends z.ZodType = z.ZodType,
> {
  /** The first method is the one that our own client uses; the others answer alike for older clients. */
  readonly methods: readonly [Method, ...Method[]];
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  /** Fields of a call that changes state come by query in old clients and by body in ours: one schema serves both. */
  readonly query?: Query;
  readonly body?: Body;
  readonly params?: Params;
  readonly answer: Answer;
  /** The query may carry secrets: it is never logged and the answer is never cached. */
  readonly sensitive?: boolean;
  /** Refused with 403 STEP_UP_REQUIRED until the session has made a step-up for this purpose. */
  readonly stepUp?: StepUpPurpose | undefined;
  /** As `stepUp`, but only for some inputs or accounts: the summary says which. */
  readonly stepUpAtTimes?: StepUpPurpose | undefined;
  readonly secondPerson?: SecondPerson;
  /** The private socket takes the call under this name; its arguments are the fields of params and body together. */
  readonly op?: StreamOperation | undefined;
  /**
   * Set for a call by GET alone that changes state. All others are taken to read when their first method is GET: the GET
   * of a call whose first method is another only serves older clients, and does what the other does.
   */
  readonly changesState?: boolean;
  /** Takes an `Idempotency-Key`: sent again with it, the wish is not done again. */
  readonly idempotent?: Idempotent | undefined;
  readonly developmentOnly?: boolean;
  /** Answers a client whose account is frozen, and anybody during maintenance: how one learns of it, and signs out. */
  readonly evenWhenBlocked?: boolean;
  /** The same for all callers: a cache may keep the answer this long, and then ask by its ETag whether it changed. */
  readonly cacheSeconds?: number;
  /** Where a body may be larger than the 64 KiB of all others. */
  readonly bodyLimitBytes?: number;
}

export type Call<
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Params extends z.ZodType = z.ZodType,
  Answer extends z.ZodType = z.ZodType,
> = CallShape<Query, Body, Params, Answer> & Permission;

/** What a declaration says of the handler: who it is given, and what it is given the request with. */
interface Promised<
  A extends Access,
  Op extends StreamOperation | undefined,
  Proof extends StepUpPurpose | undefined,
  ProofAtTimes extends StepUpPurpose | undefined,
  Keyed extends Idempotent | undefined,
> {
  readonly access: A;
  readonly op?: Op;
  readonly stepUp?: Proof;
  readonly stepUpAtTimes?: ProofAtTimes;
  readonly idempotent?: Keyed;
}

/** Keeps the exact types of a call's schemas, and of what its handler is promised (`CallRequest` of the server). */
export function defineCall<
  A extends Access,
  Query extends z.ZodType = z.ZodUndefined,
  Body extends z.ZodType = z.ZodUndefined,
  Params extends z.ZodType = z.ZodUndefined,
  Answer extends z.ZodType = z.ZodType,
  Op extends StreamOperation | undefined = undefined,
  Proof extends StepUpPurpose | undefined = undefined,
  ProofAtTimes extends StepUpPurpose | undefined = undefined,
  Keyed extends Idempotent | undefined = undefined,
>(
  call: Call<Query, Body, Params, Answer> & Promised<A, Op, Proof, ProofAtTimes, Keyed>,
): Call<Query, Body, Params, Answer> & Promised<A, Op, Proof, ProofAtTimes, Keyed> {
  return call;
}

export type AnswerOf<C extends Call> = z.output<C['answer']>;
export type QueryOf<C extends Call> = z.input<NonNullable<C['query']>>;
export type BodyOf<C extends Call> = z.input<NonNullable<C['body']>>;
export type ParamsOf<C extends Call> = z.input<NonNullable<C['params']>>;
