/** Commands as journals of the first version wrote them, for a database that was left in the middle of its work. */
import type { Json } from '@cambist/core/commands/define-command.ts';
import type { Command } from '@cambist/core/exchange/command.ts';
import { decodeCommand } from '@cambist/core/exchange/command-codec.ts';
import { issue } from '@cambist/core/ledger/issue.ts';

const NONE = '';

const ISSUES = { 7: 'development-credit', 8: 'house-capital', 9: 'fee-credit-grant' } as const;

/** @throws for a command that the first version did not know */
export function decodeFirstVersion(tuple: readonly Json[]): Command {
  const [number, ...fields] = tuple;
  switch (number) {
    case 3:
    case 14:
      return amendOrder(fields);
    case 7:
    case 8:
    case 9: {
      const [owner, asset, amount] = fields;
      return issue(ISSUES[number], owner as number, asset as number, BigInt(amount as string));
    }
    case 10:
      return placeConditional(fields);
    case 11:
    case 15: {
      const [orderId = 0, owner = 0, ...prices] = fields;
      const [profitTrigger = NONE, profitPrice = NONE, stopTrigger = NONE, stopPrice = NONE] = prices;
      return decodeCommand([22, orderId, owner, change(profitTrigger, profitPrice), change(stopTrigger, stopPrice)]);
    }
    default:
      return decodeCommand(tuple);
  }
}

const WORDS = ['CANCEL_NEWEST', 'CANCEL_OLDEST', 'CANCEL_BOTH', 'DECREMENT'];

/** Words became indexes; without a time in force the order only rested. */
function amendOrder([
  orderId = 0,
  owner = 0,
  price = NONE,
  quantity = NONE,
  time = NONE,
  mode = NONE,
]: Json[]): Command {
  const timeInForce = time === 'GTC' ? 0 : 1;
  const selfTrade = mode === NONE ? 0 : WORDS.indexOf(mode as string);
  return decodeCommand([20, orderId, owner, price, quantity, timeInForce, selfTrade]);
}

/** Legs and the trailing terms were flat. */
function placeConditional(fields: readonly Json[]): Command {
  const [profitTrigger = NONE, profitPrice = NONE, stopTrigger = NONE, stopPrice = NONE, ...trailing] = fields.slice(9);
  const leg = (trigger: Json, price: Json) => (trigger === NONE ? NONE : [trigger, price]);
  const legs = [leg(profitTrigger, profitPrice), leg(stopTrigger, stopPrice)];
  return decodeCommand([21, ...fields.slice(0, 9), ...legs, trailing.length === 0 ? NONE : trailing]);
}

function change(trigger: Json, price: Json): Json {
  return trigger === NONE && price === NONE ? NONE : [trigger, price];
}
