/** Accounts that are there from the first start, so that a newcomer can look around at once. Never in production. */
import type { AccountService } from '../accounts/service.ts';

const accounts = [
  { who: 'demo trader', email: 'trader@cambist.test', password: 'trade-the-demo', pin: 'demo-order', role: 'client' },
  {
    who: 'operator',
    email: 'operator@cambist.test',
    password: 'operate-the-demo',
    pin: 'demo-operator',
    role: 'operator',
  },
] as const;

/** Makes what is missing and prints how to sign in. */
export async function ensureDemoAccounts(service: AccountService, address: string): Promise<void> {
  for (const { email, password, pin, role } of accounts) await service.ensure(email, password, pin, role);
  const lines = accounts.map(
    ({ who, email, password, pin }) =>
      `  ${who.padEnd(12)} ${email}  password ${password}  transaction password ${pin}`,
  );
  process.stdout.write(
    `\nCambist is at ${address}\n\n${lines.join('\n')}\n  mailbox      ${address}/dev/outbox\n  every call   ${address}/docs\n\n`,
  );
}
