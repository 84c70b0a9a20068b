/** Structured logs, one JSON object a line. Nothing that could be a secret gets through. */
import { type Logger as PinoLogger, pino } from 'pino';

export type Logger = PinoLogger;

const secretFields = [
  'password',
  'password_confirmation',
  'transaction_password',
  'verification_code',
  'code',
  'token',
  'authorization',
  'req.headers.authorization',
  'req.headers.cookie',
  'req.headers["x-device-secret"]',
  'device',
];

/** @param level one of pino's levels, or `silent` */
export function createLogger(level: string): Logger {
  return pino({
    level,
    redact: { paths: secretFields.flatMap((field) => [field, `*.${field}`]), censor: '[removed]' },
    formatters: { level: (label) => ({ level: label }) },
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
  });
}
