/** A node of an Ethereum-like chain by its JSON-RPC. */
import type { NetworkName } from '@cambist/contract/deposits.ts';
import { z } from 'zod';
import { callNode, RpcRefusal } from '../../platform/node-http.ts';
import { NodeFailure } from './service.ts';

/** Asks a node. Rejects with RpcRefusal where the node answers with an error. */
export type NodeRequest = (method: string, params: readonly unknown[]) => Promise<unknown>;

/** keccak256 of `Transfer(address,address,uint256)`. */
export const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';

export const hex = z.string().regex(/^0x[0-9a-f]*$/i);
export const lower = hex.transform((text) => text.toLowerCase());
export const quantity = hex.transform((text) => BigInt(text));

/** The node has answered that it does not do it. */
export class NodeRefusal extends Error {
  override readonly name = 'NodeRefusal';
}

export class EvmNode {
  readonly network: NetworkName;
  readonly #request: NodeRequest;

  constructor(network: NetworkName, request: NodeRequest) {
    this.network = network;
    this.#request = request;
  }

  /** @throws NodeFailure where the node is away, answers with an error or nonsense */
  async ask<S extends z.ZodType>(schema: S, method: string, params: readonly unknown[]): Promise<z.output<S>> {
    try {
      return schema.parse(await this.#request(method, params));
    } catch (cause) {
      if (cause instanceof NodeFailure) throw cause;
      throw new NodeFailure(`${this.network} does not answer ${method}`, { cause });
    }
  }

  /** The same of what a node may refuse. @throws NodeRefusal with the node's words */
  async attempt<S extends z.ZodType>(schema: S, method: string, params: readonly unknown[]): Promise<z.output<S>> {
    return this.ask(schema, method, params).catch((error: Error) => {
      const { cause } = error;
      throw cause instanceof RpcRefusal ? new NodeRefusal(cause.message, { cause }) : error;
    });
  }
}

/** A whole block with the calls inside its transactions. */
const MAXIMUM_BYTES = 64 * 1024 * 1024;

export const requestByHttp =
  (url: string): NodeRequest =>
  (method, params) =>
    callNode({ url, maximumBytes: MAXIMUM_BYTES }, method, params);
