/** Registers calls of the contract: validation, who may ask, and one shape for every refusal. */
import type { Access, AnswerOf, Call, StreamOperation } from '@cambist/contract/call.ts';
import type { Locale } from '@cambist/contract/locales.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { Networks } from './addresses.ts';
import type { Authority } from './authority.ts';
import type { IntentKey } from './intent.ts';
import { type LocalizedText, say } from './texts.ts';

/** Who asks, once the token was found good. */
export interface Identity {
  readonly clientId: number;
  readonly sessionId: number;
  readonly role: 'client' | 'operator';
  /** Of an API key; a session has none and may do everything that its client may. */
  readonly permissions?: readonly ('read' | 'trade')[];
  /** Of an API key that is good from some addresses only. */
  readonly networks?: Networks;
  /** Ms since 1970; the token is no longer good from then on. */
  readonly expiresAt?: number;
}

type Parsed<S> = S extends z.ZodType ? z.output<S> : undefined;

/** What the access of a call promises: no identity, one where a token was sent, or always one. */
type Caller<A extends Access> = A extends 'public' ? undefined : A extends 'visitor' ? Identity | undefined : Identity;

/** A member that only calls have that declare `Declared`. */
type Where<Declared, Member> = [Declared] extends [undefined] ? undefined : Member;

/** What the declaration of a call promises to its handler. */
export interface CallRequest<C extends Call> {
  readonly query: Parsed<NonNullable<C['query']>>;
  readonly body: Parsed<NonNullable<C['body']>>;
  readonly params: Parsed<NonNullable<C['params']>>;
  readonly identity: Caller<C['access']>;
  /** What the request may be done by: of a call that declares `stepUp`, which has then been made. */
  readonly authority: Where<C['stepUp'], Authority>;
  /** Asks for the step-up of a call that declares `stepUpAtTimes`. @returns the refusal until it has been made */
  readonly confirm: Where<C['stepUpAtTimes'], () => Promise<Authority | Refusal>>;
  readonly locale: Locale;
  /** Of a call that is `idempotent`; without a key of the caller's there is none. */
  readonly intent: Where<C['idempotent'], IntentKey | undefined>;
  /** Calls that the private socket takes have none: what they need is in the other fields. */
  readonly http: [C['op']] extends [undefined] ? FastifyRequest : undefined;
}

export interface FieldRefusal {
  readonly field: string;
  readonly message: LocalizedText;
}

/**
 * A refusal: the status, a stable code and a sentence that says what to change, put into the asker's language when it
 * is sent. Made in `routes.ts` only.
 */
export class Refusal {
  readonly status: number;
  readonly code: string;
  readonly detail: LocalizedText;
  readonly headers: Readonly<Record<string, string>>;
  /** Which fields are wrong, where the input has several. */
  readonly errors: readonly FieldRefusal[] | undefined;
  /** Further members of the answer (RFC 9457), which the contract's `problem` names. */
  readonly members: Readonly<Record<string, unknown>>;
  constructor(
    status: number,
    code: string,
    detail: string | LocalizedText,
    headers: Readonly<Record<string, string>> = {},
    errors?: readonly FieldRefusal[],
    members: Readonly<Record<string, unknown>> = {},
  ) {
    this.status = status;
    this.code = code;
    this.detail = typeof detail === 'string' ? say(detail) : detail;
    this.headers = headers;
    this.errors = errors;
    this.members = members;
  }
}

/** Texts of the contract name what they need of the issue, such as `{{maximum}}`. */
function valuesOf(issue: z.core.$ZodIssue): Record<string, unknown> {
  const { values, ...rest } = issue as z.core.$ZodIssue & { readonly values?: readonly unknown[] };
  return { ...rest, ...(values ? { values: values.join(', ') } : {}) };
}

const UNKNOWN_FIELD = say('This call has no such field');
/** An answer is not as long as what was sent. */
const MOST_UNKNOWN = 20;

/** @param within the field that was checked, when it was not the whole input */
export function refuseIssues(issues: readonly z.core.$ZodIssue[], within?: string): Refusal {
  const start = within === undefined ? [] : [within];
  const fieldOf = (path: readonly PropertyKey[]) => [...start, ...path].join('.');
  const errors = issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys'
      ? issue.keys
          .slice(0, MOST_UNKNOWN)
          .map((key) => ({ field: fieldOf([...issue.path, key]), message: UNKNOWN_FIELD }))
      : [{ field: fieldOf(issue.path), message: say(issue.message, valuesOf(issue)) }],
  );
  const [first] = errors;
  const detail = first ? { ...first.message, field: first.field } : say('Invalid input');
  return new Refusal(422, 'INVALID_INPUT', detail, {}, errors);
}

/** An answer that sends a browser elsewhere: an https address, or a path of this site. */
export class Redirect {
  readonly location: string;
  constructor(location: string) {
    this.location = location;
  }
}

/** An answer that is written as it is made: a file of any length, held in memory nowhere. */
export class Download {
  readonly fileName: string;
  /** Asked for more only as the caller takes it, and ended when the caller goes away. */
  readonly text: AsyncIterable<string>;
  /** Called once, however it ended, also where nothing of it was read. */
  readonly ended: () => void;
  constructor(fileName: string, text: AsyncIterable<string>, ended: () => void) {
    this.fileName = fileName;
    this.text = text;
    this.ended = ended;
  }
}

type Answer<C extends Call> = AnswerOf<C> | Refusal | Redirect | Download;
export type Handler<C extends Call> = (request: CallRequest<C>) => Answer<C> | Promise<Answer<C>>;

/** A request of a socket. */
export interface SocketRequest {
  readonly token: string | undefined;
  /** Fields of params and body together. */
  readonly args: object;
  readonly key: string | undefined;
  readonly locale: Locale;
}

export interface CallServer {
  serve<C extends Call>(call: C, handler: Handler<C>): void;
  /** Makes the call of that name under the rules of HTTP. @throws what HTTP maps to a refusal */
  perform(op: StreamOperation, request: SocketRequest): Promise<unknown | Refusal>;
  /** Who the token stands for, where the call is for them. */
  admit(call: Call, token: string | undefined): Promise<Identity | Refusal>;
}

export type App = FastifyInstance;
export type Reply = FastifyReply;
