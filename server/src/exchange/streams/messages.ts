/** What a socket asks for: to sign in, to subscribe and unsubscribe, and orders on the private one. */
import type { ChannelArgument, OrderRequest, PrivateChannel, StreamRequest } from '@cambist/contract/stream.ts';
import { PRIVATE_CHANNELS, streamRequest } from '@cambist/contract/stream.ts';
import type { Catalogue } from '../instruments/service.ts';
import type { Connection, StreamLimits } from './connection.ts';
import type { Hub } from './hub.ts';
import type { createPrivateAccess } from './private-access.ts';
import type { PrivateHub } from './private-hub.ts';
import type { StreamRequests } from './requests.ts';
import { marketsOf, parseChannel, topicKey } from './topics.ts';

interface Deps {
  readonly catalogue: Catalogue;
  readonly hub: Hub;
  readonly privateHub: PrivateHub;
  readonly access: ReturnType<typeof createPrivateAccess>;
  readonly requests: StreamRequests;
  readonly limits: Pick<StreamLimits, 'subscriptions'>;
  readonly clock: { now(): number };
}

export const errorEvent = (code: string, msg: string) => ({ event: 'error', code, msg });

/**
 * Reads a message. A fault names the field and never repeats what was sent: that may be a key or a token, and programs log
 * their answers.
 */
function parseRequest(text: string): { readonly request?: StreamRequest; readonly fault?: string } {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return { fault: 'not JSON' };
  }
  const parsed = streamRequest.safeParse(json);
  if (parsed.success) return { request: parsed.data };
  const path = parsed.error.issues[0]?.path.join('.') || 'op';
  return { fault: `${path} is not as documented` };
}

export class Messages {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  async receive(connection: Connection, text: string): Promise<void> {
    connection.beatsUnheard = 0;
    const parsed = text === 'ping' ? undefined : parseRequest(text);
    const request = parsed?.request;
    if (!this.#isAllowed(connection, request)) return;
    if (parsed === undefined) connection.send('pong');
    else if (request === undefined) connection.send(errorEvent('60012', `Invalid request: ${parsed.fault}`));
    else if (connection.path !== 'private' && !Array.isArray(request.args))
      connection.send(errorEvent('60012', 'Invalid request: op is not for this path'));
    else if (request.op === 'login') await this.#deps.access.login(connection, request.args[0]!.token);
    else if (request.op === 'subscribe') for (const arg of request.args) this.#subscribe(connection, arg, request.id);
    else if (request.op === 'unsubscribe')
      for (const arg of request.args) this.#unsubscribe(connection, arg, request.id);
  }

  /** Orders have a budget of their own; one that is beyond it counts as a message, so that a flood of them ends too. */
  #isAllowed(connection: Connection, request: StreamRequest | undefined): boolean {
    const isOrder = request !== undefined && !Array.isArray(request.args) && connection.path === 'private';
    if (isOrder && this.#deps.requests.receive(connection, request as OrderRequest)) return true;
    if (connection.allowMessage(this.#deps.clock.now())) return true;
    connection.send(errorEvent('60014', 'Requests too frequent'));
    connection.drop('flood');
    return false;
  }

  #subscribe(connection: Connection, arg: ChannelArgument, id: string | undefined): void {
    const { access, limits } = this.#deps;
    const join = this.#joining(connection, arg);
    const refused =
      connection.path === 'private' ? access.refusal(connection, arg.channel as PrivateChannel) : undefined;
    if (refused !== undefined) connection.send(refused);
    else if (join === undefined) {
      const name = `${arg.channel} ${arg.instId ?? ''}`.trim();
      connection.send(errorEvent('60018', `Wrong URL or channel:${name} doesn't exist.`));
    } else if (connection.topics.size >= limits.subscriptions) {
      connection.send(errorEvent('60014', `At most ${limits.subscriptions} subscriptions for each connection`));
    } else {
      // The acknowledgement comes before the first data.
      connection.send({
        ...(id === undefined ? {} : { id }),
        event: 'subscribe',
        arg,
        ...this.#changedAt(connection, arg),
      });
      join();
    }
  }

  /** Of private channels: what was read at that moment or later needs only what is pushed from here on. */
  #changedAt({ path, login }: Connection, { channel }: ChannelArgument): { readonly moment?: string } {
    if (path !== 'private' || login === undefined) return {};
    const moment = this.#deps.privateHub.lastChange(login.clientId, channel as PrivateChannel);
    return moment === undefined ? {} : { moment };
  }

  #unsubscribe(connection: Connection, arg: ChannelArgument, id: string | undefined): void {
    const { hub, privateHub } = this.#deps;
    if (connection.path === 'private') privateHub.leave(connection, arg.channel as PrivateChannel);
    else hub.leave(connection, topicKey(arg));
    connection.send({ ...(id === undefined ? {} : { id }), event: 'unsubscribe', arg });
  }

  /** What subscribing would do; undefined when this path has no such channel. */
  #joining(connection: Connection, arg: ChannelArgument): (() => void) | undefined {
    const { hub, privateHub, catalogue } = this.#deps;
    if (connection.path === 'private') {
      const channel = PRIVATE_CHANNELS.find((name) => name === arg.channel);
      if (channel === undefined) return undefined;
      return () => privateHub.join(connection, channel, arg);
    }
    const parsed = parseChannel(connection.path, arg.channel);
    const [first, ...others] = parsed === undefined ? [] : marketsOf(parsed, arg, catalogue);
    if (parsed === undefined || first === undefined) return undefined;
    return () => hub.join(connection, arg, parsed, [first, ...others]);
  }
}
