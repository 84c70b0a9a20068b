/** A node of TRON by its HTTP interface (java-tron's `/wallet` and `/walletsolidity`), whose hex has no prefix. */
import { z } from 'zod';
import { askNode, parseExact } from '../../platform/node-http.ts';
import { NodeFailure } from './service.ts';

/** Asks a node. @param path such as `wallet/getnowblock` @returns the answer's JSON */
export type TronRequest = (path: string, body: object) => Promise<unknown>;

export const hex = z.string().regex(/^[0-9a-f]*$/i);
/** Whole numbers; those that a double does not hold come as text. */
export const whole = z
  .union([z.int(), z.string().regex(/^\d+$/)])
  .transform((value) => BigInt(value))
  .pipe(z.bigint().min(0n));

const rawHeader = z.object({ number: z.int().default(0), parentHash: hex, timestamp: z.int().default(0) });
export const blockHeader = z.object({ blockID: hex, block_header: z.object({ raw_data: rawHeader }) });
/** How a node says that it does not have what it is asked for. */
export const nothing = z.strictObject({}).transform(() => undefined);

const refusal = z.object({ Error: z.string() });

export class TronNode {
  readonly #request: TronRequest;

  constructor(request: TronRequest) {
    this.#request = request;
  }

  /** @throws NodeFailure where the node is away, answers with an error or nonsense */
  async ask<S extends z.ZodType>(schema: S, path: string, body: object): Promise<z.output<S>> {
    try {
      const answer = await this.#request(path, body);
      const refused = refusal.safeParse(answer);
      if (refused.success) throw new Error(refused.data.Error);
      return schema.parse(answer);
    } catch (cause) {
      throw new NodeFailure(`TRC20 does not answer ${path}`, { cause });
    }
  }
}

/** A block with its transactions, or what has become of them. */
const MAXIMUM_BYTES = 32 * 1024 * 1024;

/**
 * @param url of a full node, and of where it tells of final blocks: java-tron does so at a port of its own
 * @param key that a provider of nodes asks for
 */
export function tronByHttp(
  url: { readonly full: string; readonly solid: string },
  key: string | undefined,
): TronRequest {
  const headers: Record<string, string> = key === undefined ? {} : { 'tron-pro-api-key': key };
  return async (path, body) => {
    const base = path.startsWith('walletsolidity/') ? url.solid : url.full;
    const asked = { url: `${base.replace(/\/$/, '')}/${path}`, headers, body, maximumBytes: MAXIMUM_BYTES };
    const { status, text } = await askNode(asked);
    if (status !== 200) throw new Error(`Status ${status}`);
    return parseExact(text);
  };
}
