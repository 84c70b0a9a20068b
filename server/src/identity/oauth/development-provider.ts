/**
 * Development only: an OpenID provider on loopback that stands in for Google. It is another package's, so that our side
 * of the protocol is tested against an independent provider; every caller is let in under the name that is typed.
 */
import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const CLIENT_ID = 'cambist-development';
const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

let started: Promise<{ issuer: string; clientId: string; clientSecret: string; scope: string }> | undefined;

/** `ann` becomes `ann@example.test`. */
const emailOf = (name: string) => (name.includes('@') ? name : `${name}@example.test`).toLowerCase();

async function start() {
  const { default: Provider } = await import('oidc-provider');
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  server.unref();
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const clientSecret = randomBytes(24).toString('base64url');
  const provider = new Provider(issuer, {
    clients: [{ client_id: CLIENT_ID, client_secret: clientSecret, redirect_uris: [`${issuer}/unused`] }],
    claims: { openid: ['sub'], email: ['email', 'email_verified'] },
    conformIdTokenClaims: false,
    cookies: { keys: [randomBytes(24).toString('base64url')] },
    features: { devInteractions: { enabled: true } },
    findAccount: (_context, id) => ({
      accountId: id,
      claims: () => ({ sub: id, email: emailOf(id), email_verified: true }),
    }),
  });
  // The exchange may listen on any port of this machine.
  Object.assign(provider.Client.prototype, {
    redirectUriAllowed: (uri: string) => URL.canParse(uri) && LOOPBACK.has(new URL(uri).hostname),
  });
  server.on('request', provider.callback());
  return { issuer, clientId: CLIENT_ID, clientSecret, scope: 'openid email' };
}

/** Started at the first request; one for the process. */
export function startOpenIdProvider(): Promise<{
  issuer: string;
  clientId: string;
  clientSecret: string;
  scope: string;
}> {
  started ??= start();
  return started;
}
