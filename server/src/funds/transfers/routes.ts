/** The calls of transfers: HTTP in, the service's answers out, each refusal mapped once. */
import {
  drawOutStatus,
  futuresTransfer,
  readTransfer,
  startTransfer,
  type Transfer as TransferAnswer,
  transfers,
} from '@cambist/contract/transfers.ts';
import { transferableNamed } from '@cambist/core/ledger/wallet-lists.ts';
import { formatAmount } from '@cambist/core/money/amount.ts';
import { type CallServer, Refusal } from '../../platform/calls.ts';
import { invalidField, notAccepted, outcomeUnknown } from '../../platform/refusals.ts';
import { say } from '../../platform/texts.ts';
import type { Position, Result, TransferError, TransferService } from './service.ts';
import type { Transfer } from './store.ts';

const freeOf = ({ asset, free }: Position) => formatAmount(free, asset.scale);

/** Maps every refusal of the service; the compiler keeps it complete. */
function refusalOf(error: TransferError): Refusal {
  switch (error.kind) {
    case 'unknown-coin':
      return new Refusal(404, 'UNKNOWN_COIN', say('There is no coin called {{name}}.', { name: error.name }));
    case 'invalid-amount':
      return invalidField('amount', error.detail);
    case 'password-required':
      return new Refusal(403, 'TRANSACTION_PASSWORD_REQUIRED', 'Password is required');
    case 'wrong-password':
      return new Refusal(403, 'WRONG_TRANSACTION_PASSWORD', 'Wrong transaction password');
    case 'exposed': {
      const { pairName, asset } = error.position;
      const values = { pair: pairName, free: freeOf(error.position), coin: asset.code };
      return new Refusal(
        409,
        'CROSS_MARGIN_EXPOSURE',
        say('Your open {{pair}} position has an unresolved cross-margin exposure; {{free}} {{coin}} is free.', values),
      );
    }
    case 'insufficient':
      return new Refusal(422, 'INSUFFICIENT_FUNDS', transferableNamed(error.wallet).transfers.whenShort);
    case 'debt':
      return error.refusal;
    case 'key-reused':
      return new Refusal(422, 'IDEMPOTENCY_KEY_REUSED', 'This Idempotency-Key was used for a different request.');
    case 'not-accepted':
      return notAccepted(1);
    case 'outcome-unknown':
      return outcomeUnknown();
  }
}

type Begun = { message: 'success' | 'wrong_transaction_password'; transfer?: TransferAnswer };

/** `BTC`, `BTCUSDT` or `BTC-USDT`: the documented call names a coin as it names a pair. */
const coinOf = (name: string): string => (name.toUpperCase().split(/[-/]/)[0] ?? '').replace(/(?<=.)USDT$/, '');

export function serveTransfers(calls: CallServer, service: TransferService): void {
  /** The documented answer to a wrong transaction password is a message, not a failure. */
  const begunAnswer = (result: Result<Transfer>): Begun | Refusal => {
    if (result.ok) return { message: 'success', transfer: service.describe(result.value) };
    if (result.error.kind === 'wrong-password') return { message: 'wrong_transaction_password' };
    return refusalOf(result.error);
  };

  calls.serve(startTransfer, async ({ identity, body, intent }) => {
    const { transaction_password: password, ...input } = body;
    return begunAnswer(await service.begin(identity, { ...input, password }, intent));
  });

  calls.serve(futuresTransfer, async ({ identity, body, intent }) => {
    const [from, to] = body.draw_type === 'DRAW_IN' ? (['SPOT', 'FUTURE'] as const) : (['FUTURE', 'SPOT'] as const);
    const { coin_name: name, transfer_amount: amount, transaction_password: password } = body;
    return begunAnswer(await service.begin(identity, { from, to, coin: coinOf(name), amount, password }, intent));
  });

  calls.serve(transfers, async ({ identity, query }) => {
    const { limit, state } = query;
    const before = query.before === undefined ? undefined : Number(query.before);
    const found = await service.list({ owner: identity.clientId, before, limit, state });
    return { transfers: found.map(service.describe) };
  });

  calls.serve(readTransfer, async ({ identity, params }) => {
    const transfer = await service.find(identity.clientId, Number(params.id));
    if (transfer === undefined) return new Refusal(404, 'TRANSFER_NOT_FOUND', 'There is no such transfer.');
    return { transfer: service.describe(transfer) };
  });

  calls.serve(drawOutStatus, async ({ identity }) => {
    const positions = service.exposureOf(identity.clientId);
    return {
      draw_status: positions.some(({ free }) => free === 0n) ? ('NO' as const) : ('YES' as const),
      future_count: positions.length,
      positions: positions.map((position) => ({
        id: position.id,
        pair_name: position.pairName,
        coin: position.asset.code,
        free: freeOf(position),
      })),
    };
  });
}
