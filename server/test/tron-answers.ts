/** The part of java-tron's HTTP interface that we use, as a chain in memory answers it. */
import { type Block, BYTE_FEE, ENERGY_FEE, OPENING, Refused, type Result, type Transaction } from './tron-protocol.ts';

/** What is asked of the chain. */
interface Asked {
  readonly head: Block;
  readonly solid: Block;
  readonly pool: readonly Transaction[];
  at(height: number): Block | undefined;
  byId(id: string): Block | undefined;
  find(txID: string): { readonly block: Block; readonly of: Transaction; readonly result: Result } | undefined;
  simulate(contract: string, selector: string, parameter: string, owner: string): Simulated;
  take(raw: string): void;
}
interface Simulated {
  readonly energy_used: number;
  readonly constant_result: readonly string[];
  readonly isUndone: boolean;
}

const headerAnswer = ({ blockID, number, parentHash, timestamp }: Block) => ({
  blockID,
  block_header: { raw_data: { number, parentHash, timestamp } },
});

const transactionAnswer = ({ txID, type, value }: Transaction, contractRet?: string) => ({
  txID,
  ...(contractRet === undefined ? {} : { ret: [{ contractRet }] }),
  raw_data: { contract: [{ type, parameter: { value } }] },
});

const infoAnswer = (block: Block, { of, result }: Block['transactions'][number]) => ({
  id: of.txID,
  blockNumber: block.number,
  fee: Number(result.fee),
  ...(result.contractRet === 'SUCCESS' ? {} : { result: 'FAILED' }),
  receipt: of.type === 'TriggerSmartContract' ? { result: result.contractRet } : {},
  log: result.log,
  internal_transactions: result.inner,
});

export type Body = Readonly<Record<string, string>>;

export function answerOf(chain: Asked, path: string, body: Body): object {
  const found = (id: string) => chain.find(id);
  switch (path) {
    case '/walletsolidity/getblock':
      return headerAnswer(chain.solid);
    case '/wallet/getblock': {
      const id = body.id_or_num;
      const block =
        id === undefined ? chain.head : (chain.byId(id) ?? (id.length < 64 ? chain.at(Number(id)) : undefined));
      if (block === undefined) return {};
      const whole = block.transactions.map(({ of, result }) => transactionAnswer(of, result.contractRet));
      return { ...headerAnswer(block), ...(String(body.detail) === 'true' ? { transactions: whole } : {}) };
    }
    case '/wallet/gettransactioninfobyblocknum': {
      const block = chain.at(Number(body.num));
      return block?.transactions.map((one) => infoAnswer(block, one)) ?? [];
    }
    case '/wallet/getaccount': {
      const balance = chain.head.state.coins.get(body.address ?? '');
      if (balance === undefined) return {};
      return { address: body.address, ...(balance > 0n ? { balance: Number(balance) } : {}) };
    }
    case '/wallet/getchainparameters': {
      const chainParameter = [
        { key: 'getEnergyFee', value: Number(ENERGY_FEE) },
        { key: 'getTransactionFee', value: Number(BYTE_FEE) },
        { key: 'getCreateAccountFee', value: Number(OPENING.account) },
        { key: 'getCreateNewAccountFeeInSystemContract', value: Number(OPENING.system) },
        { key: 'getAllowTvm' },
      ];
      return { chainParameter };
    }
    case '/wallet/triggerconstantcontract': {
      const {
        contract_address: contract = '',
        function_selector: selector = '',
        parameter = '',
        owner_address: owner = '',
      } = body;
      const { isUndone, ...rest } = chain.simulate(contract, selector, parameter, owner);
      const message = isUndone ? { message: Buffer.from('REVERT opcode executed').toString('hex') } : {};
      return {
        result: { result: true, ...message },
        ...rest,
        transaction: { ret: [isUndone ? { ret: 'FAILED' } : {}] },
      };
    }
    case '/wallet/gettransactioninfobyid': {
      const one = found(body.value ?? '');
      return one === undefined ? {} : infoAnswer(one.block, one);
    }
    case '/wallet/gettransactionbyid': {
      const one = found(body.value ?? '');
      return one === undefined ? {} : transactionAnswer(one.of, one.result.contractRet);
    }
    case '/wallet/gettransactionfrompending': {
      const one = chain.pool.find(({ txID }) => txID === body.value);
      return one === undefined ? {} : transactionAnswer(one);
    }
    case '/wallet/broadcasthex':
      try {
        chain.take(body.transaction ?? '');
        return { result: true };
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
        return { code: error.code, message: error.message };
      }
    default:
      return { Error: `class java.lang.Exception : ${path}` };
  }
}
