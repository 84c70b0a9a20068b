/** Whether a call's declaration admits an identity. The declaration alone decides: no tag, method or path does. */
import { type Call, OPERATOR_RIGHTS, type OperatorRight } from '@cambist/contract/call.ts';
import { type Identity, Refusal } from './calls.ts';

const notOperator = new Refusal(403, 'NOT_AN_OPERATOR', 'This is for operators of the exchange.');
const noRight = new Refusal(403, 'NO_RIGHT', 'Your operator account does not have the right to do this.');
const noWallet = new Refusal(403, 'OPERATOR_HAS_NO_WALLET', 'An operator account has no wallet and cannot trade.');
const notForKeys = new Refusal(403, 'NOT_FOR_THIS_KEY', 'This API key may not do that.');

const all: ReadonlySet<OperatorRight> = new Set(OPERATOR_RIGHTS);
const none: ReadonlySet<OperatorRight> = new Set();

/** There is one operator role, and it has every right. Roles with fewer rights change this function only. */
const rightsOf = ({ role }: Identity): ReadonlySet<OperatorRight> => (role === 'operator' ? all : none);

function isForKey({ keys }: Call, permissions: NonNullable<Identity['permissions']>): boolean {
  if (keys === undefined || keys === 'never') return false;
  return keys === 'any' || permissions.includes(keys);
}

/** @returns why the call is not for this identity; undefined where it is */
export function permissionRefusal(call: Call, identity: Identity): Refusal | undefined {
  const { access } = call;
  if (access === 'public') return undefined;
  const right = access.startsWith('operator:') ? (access.slice('operator:'.length) as OperatorRight) : undefined;
  if (right !== undefined && identity.role !== 'operator') return notOperator;
  if (identity.permissions !== undefined && !isForKey(call, identity.permissions)) return notForKeys;
  if (right !== undefined) return rightsOf(identity).has(right) ? undefined : noRight;
  const isForClients = access === 'holder' || access === 'trader';
  return isForClients && identity.role === 'operator' ? noWallet : undefined;
}
