/**
 * The way to a third party and back. A secret of this tab goes along as a hash, so that only this tab can use the
 * code that comes back (as PKCE does between servers).
 */
import { tabStorage } from './storage.ts';

const VERIFIER_KEY = 'cambist.provider.verifier';
const REGISTER_KEY = 'register';
const EMAIL_KEY = 'email';

function base64url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}

/**
 * Leaves the page.
 * @param clientId who connects the account; undefined for a sign-in. A connection is good for this client alone
 */
export async function goToProvider(provider: 'google' | 'apple', clientId?: number): Promise<void> {
  const purpose = clientId === undefined ? 'sign-in' : 'connect';
  const verifier = base64url(crypto.getRandomValues(new Uint8Array(32)));
  const secret = clientId === undefined ? verifier : `${verifier}.${clientId}`;
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(secret));
  tabStorage.setItem(VERIFIER_KEY, verifier);
  const query = new URLSearchParams({ challenge: base64url(new Uint8Array(hash)), purpose });
  window.location.assign(`/api/v3/auth/${provider}?${query}`);
}

export interface Returned {
  readonly code: string | undefined;
  readonly email: string;
  readonly purpose: string;
  readonly verifier: string | undefined;
}

/** What the provider's return brought, taken out of the address at once: it is good for one use. */
export function takeReturn(): Returned {
  const fragment = new URLSearchParams(window.location.hash.slice(1));
  const verifier = tabStorage.getItem(VERIFIER_KEY) ?? undefined;
  tabStorage.removeItem(VERIFIER_KEY);
  window.history.replaceState(window.history.state, '', window.location.pathname);
  return {
    code: fragment.get('code') ?? undefined,
    email: fragment.get('email') ?? '',
    purpose: fragment.get('purpose') ?? 'sign-in',
    verifier,
  };
}

/** A failed third-party sign-in goes on as a sign-up with the address that is known. */
export function keepForSignUp(email: string): void {
  tabStorage.setItem(REGISTER_KEY, 'true');
  tabStorage.setItem(EMAIL_KEY, email);
}

/** The address that was kept, once. */
export function takeKeptEmail(): string | undefined {
  if (tabStorage.getItem(REGISTER_KEY) === null) return undefined;
  const email = tabStorage.getItem(EMAIL_KEY) ?? '';
  tabStorage.removeItem(REGISTER_KEY);
  tabStorage.removeItem(EMAIL_KEY);
  return email;
}
