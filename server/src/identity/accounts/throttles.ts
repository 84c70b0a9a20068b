/** Limits on guesses, on asking whether an account exists, and on codes sent. */
import { createThrottle, unlimited } from '../../platform/throttle.ts';

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

export function createThrottles(clock: { now(): number }, isOn: boolean) {
  const throttle = (free: number, firstMs: number, longestMs: number, forgetMs: number) =>
    isOn ? createThrottle(clock, { free, firstMs, longestMs, forgetMs }) : unlimited;
  return {
    entry: {
      pair: throttle(5, SECOND_MS, 15 * MINUTE_MS, HOUR_MS),
      identifier: throttle(20, SECOND_MS, MINUTE_MS, HOUR_MS),
      network: throttle(50, SECOND_MS, 15 * MINUTE_MS, HOUR_MS),
    },
    /** Whether an address or a number has an account: enough for people, too slow for lists. */
    lookup: throttle(20, SECOND_MS, 15 * MINUTE_MS, HOUR_MS),
    /** Mails and text messages that one network has sent. */
    send: throttle(15, 10 * SECOND_MS, HOUR_MS, HOUR_MS),
    /** Codes for one address that strangers have sent, wherever they are; who is known there is not among them. */
    strangerSends: throttle(5, MINUTE_MS, 10 * MINUTE_MS, HOUR_MS),
  };
}

export type Throttles = ReturnType<typeof createThrottles>;
