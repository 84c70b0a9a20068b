/** Before a node: it is away, or does what it is asked and loses the answer. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import type { Random } from '../random.ts';
import type { Failures } from './chain.ts';

type Door = 'OPEN' | 'SHUT' | 'LOSES';

/**
 * What the server asks goes through it.
 * @param sending the method by which it sends transactions, whose answers are lost
 */
export async function openGate(target: string, sending: string) {
  /** What it has sent, as it came. */
  const sent: string[] = [];
  const server = createServer(async (request, answer) => {
    const body = (await buffer(request)).toString();
    if (gate.door === 'SHUT') return answer.destroy();
    const { authorization } = request.headers;
    const headers = { 'content-type': 'application/json', ...(authorization && { authorization }) };
    const isSending = body.includes(sending);
    if (isSending) sent.push(body);
    const from = await fetch(target, { method: 'POST', headers, body }).catch(() => undefined);
    if (from === undefined || (gate.door === 'LOSES' && isSending)) return answer.destroy();
    return answer.writeHead(from.status, { 'content-type': 'application/json' }).end(await from.text());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const gate = {
    sent,
    door: 'OPEN' as Door,
    port: (server.address() as AddressInfo).port,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
  return gate;
}

/** Of any node that can be shut away. @param which the node, as the run's last line calls it */
export function doorFailures(node: { door: Door }, which = 'a node'): Failures {
  const during = (door: Door) => async (random: Random) => {
    node.door = door;
    await pause(random.between(300, 2000));
    node.door = 'OPEN';
  };
  return { [`${which} was away`]: during('SHUT'), [`answers of ${which} were lost`]: during('LOSES') };
}
