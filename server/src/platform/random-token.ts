/** Secrets that cannot be guessed: 256 random bits, and how they are kept. */
import { hash, randomBytes } from 'node:crypto';

const TOKEN_BYTES = 32;

/** 43 characters of base64url. */
export const newToken = (): string => randomBytes(TOKEN_BYTES).toString('base64url');

/** Random bits need no slow hash. */
export const hashToken = (token: string): string => hash('sha256', token, 'base64url');
