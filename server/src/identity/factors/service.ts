/** Second factors, by client: an authenticator app with recovery codes, and passkeys. */
export { canHavePasskeys, createPasskeys, type Passkeys } from './passkeys.ts';
export { createFactorStore, factorTables, factorTimes } from './store.ts';
export { createTotp, type Totp } from './totp.ts';
