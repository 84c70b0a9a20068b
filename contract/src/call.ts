/**
 * A call is what goes over the wire, said once: the server registers it, the web client calls it and the OpenAPI
 * document shows it.
 */
import type { z } from 'zod';

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/**
 * Who may ask. `anyone`: no token is looked at. `visitor-or-client`: the answer is richer with a token. `client`: a
 * valid bearer token. `operator`: the token of an operator.
 */
export type Access = 'anyone' | 'visitor-or-client' | 'client' | 'operator';

export interface Call<
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Params extends z.ZodType = z.ZodType,
  Answer extends z.ZodType = z.ZodType,
> {
  /** The first method is the one that our own client uses; the others answer alike for older clients. */
  readonly methods: readonly [Method, ...Method[]];
  readonly path: string;
  readonly access: Access;
  readonly tag: string;
  readonly summary: string;
  /** Fields of a call that changes state come by query in old clients and by body in ours: one schema serves both. */
  readonly query?: Query;
  readonly body?: Body;
  readonly params?: Params;
  readonly answer: Answer;
  /** The query may carry secrets: it is never logged and the answer is never cached. */
  readonly sensitive?: boolean;
  readonly developmentOnly?: boolean;
  /** Answers a client whose account is frozen, and anybody during maintenance: how one learns of it, and signs out. */
  readonly evenWhenBlocked?: boolean;
  /** The same for everybody: anyone may keep the answer this long, and then ask by its ETag whether it changed. */
  readonly cacheSeconds?: number;
  /** Where a body may be larger than the 64 KiB of all others. */
  readonly bodyLimitBytes?: number;
}

/** Keeps the exact types of a call's schemas. */
export function defineCall<
  Query extends z.ZodType = z.ZodUndefined,
  Body extends z.ZodType = z.ZodUndefined,
  Params extends z.ZodType = z.ZodUndefined,
  Answer extends z.ZodType = z.ZodType,
>(call: Call<Query, Body, Params, Answer>): Call<Query, Body, Params, Answer> {
  return call;
}

export type AnswerOf<C extends Call> = z.output<C['answer']>;
export type QueryOf<C extends Call> = z.input<NonNullable<C['query']>>;
export type BodyOf<C extends Call> = z.input<NonNullable<C['body']>>;
export type ParamsOf<C extends Call> = z.input<NonNullable<C['params']>>;
