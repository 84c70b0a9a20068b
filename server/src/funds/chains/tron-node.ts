/** A node of TRON by its HTTP interface (java-tron's `/wallet` and `/walletsolidity`), whose hex has no prefix. */
import { z } from 'zod';
import { NodeFailure } from './service.ts';

/** Asks a node. @param path such as `wallet/getnowblock` @returns the answer's JSON */
export type TronRequest = (path: string, body: object) => Promise<unknown>;

export const hex = z.string().regex(/^[0-9a-f]*$/i);
/** Whole numbers that may be too large for a double: see `parseWhole`. */
export const whole = z
  .union([z.int(), z.bigint()])
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

/** JSON whose numbers are exact: those that a double cannot hold come as big integers. */
export function parseWhole(text: string): unknown {
  const exact = (_: string, value: unknown, { source }: { readonly source?: string }) =>
    typeof value === 'number' && !Number.isSafeInteger(value) && /^\d+$/.test(source ?? '')
      ? BigInt(source ?? 0)
      : value;
  return JSON.parse(text, exact as Parameters<typeof JSON.parse>[1]);
}

const TIMEOUT_MS = 10_000;

/** @param url of a node @param key that a provider of nodes asks for */
export function tronByHttp(url: string, key: string | undefined): TronRequest {
  const base = url.replace(/\/$/, '');
  const headers = { 'content-type': 'application/json', ...(key === undefined ? {} : { 'tron-pro-api-key': key }) };
  return async (path, body) => {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const sent = { method: 'POST', headers, body: JSON.stringify(body), signal };
    const response = await fetch(`${base}/${path}`, { ...sent, redirect: 'error' });
    if (!response.ok) throw new Error(`Status ${response.status}`);
    return parseWhole(await response.text());
  };
}
