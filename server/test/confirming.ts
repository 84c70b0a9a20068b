/** A second operator, who confirms what the first has asked for. */
import type { PendingChange } from '@cambist/contract/pending-changes.ts';
import { PASSWORD, type TestApp, TRANSACTION_PASSWORD } from './app.ts';

/** @returns the token of an operator who answers each question for a step-up of the treasury */
export async function confirmingOperator(server: TestApp, name = 'confirmer'): Promise<string> {
  const username = `${name}@example.test`;
  await server.app.accounts.ensure(username, PASSWORD, TRANSACTION_PASSWORD, 'operator');
  const payload = { username, password: PASSWORD };
  const token = String((await server.call({ method: 'POST', url: '/api/v3/login', payload })).body.token);
  const proof = { purpose: 'treasury', transaction_password: TRANSACTION_PASSWORD };
  await server.call({ method: 'POST', url: '/api/v3/step-up', token, payload: proof });
  return token;
}

/** Confirms all that waits. @returns what has become of it */
export async function confirmAll(server: TestApp, token: string): Promise<PendingChange[]> {
  const url = '/api/v3/admin/pending-changes';
  const { changes } = (await server.call({ method: 'GET', url, token })).body as unknown as {
    changes: PendingChange[];
  };
  const confirmed: PendingChange[] = [];
  for (const { id } of changes.filter(({ state }) => state === 'WAITING')) {
    const { body } = await server.call({ method: 'POST', url: `${url}/${id}/confirm`, token, payload: {} });
    confirmed.push((body as unknown as { change: PendingChange }).change);
  }
  return confirmed;
}
