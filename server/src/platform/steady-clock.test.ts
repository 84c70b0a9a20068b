/** The time of the server while the clock of its machine is set. */
import { beforeEach, describe, expect, it } from 'vitest';
import { CLOCK_TOLERANCE_MS, createSteadyClock, type SteadyClock } from './steady-clock.ts';

const HOUR_MS = 3_600_000;
const START = 1_800_000_000_000;

describe('the time of the server', () => {
  let [wall, monotonic, slept] = [0, 0, 0];
  let clock: SteadyClock;
  const pass = (ms: number) => {
    wall += ms;
    monotonic += ms;
  };

  beforeEach(() => {
    [wall, monotonic, slept] = [START, 5_000, 0];
    const sources = { wall: () => wall, monotonic: () => monotonic, uptime: () => 9_000 + monotonic + slept };
    clock = createSteadyClock(sources);
  });

  it('is that of the wall clock, also where that is slewed or was not looked at for hours', () => {
    pass(5 * HOUR_MS);
    expect(clock.now()).toBe(wall);
    wall += CLOCK_TOLERANCE_MS;
    expect([clock.now(), clock.heldMs()]).toEqual([wall, undefined]);
  });

  it('goes on at its pace after a step forward, until the wall clock is back', () => {
    pass(1_000);
    expect(clock.now()).toBe(START + 1_000);
    wall += HOUR_MS;
    pass(500);
    expect([clock.now(), clock.heldMs()]).toEqual([START + 1_500, HOUR_MS]);
    pass(60_000);
    expect([clock.now(), clock.heldMs()]).toEqual([START + 61_500, HOUR_MS]);
    wall -= HOUR_MS;
    expect([clock.now(), clock.heldMs()]).toEqual([START + 61_500, undefined]);
  });

  it('takes the wall clock once an operator accepts it', () => {
    wall += HOUR_MS;
    expect(clock.now()).toBe(START);
    clock.accept();
    expect([clock.now(), clock.heldMs()]).toEqual([START + HOUR_MS, undefined]);
    pass(1_000);
    expect(clock.now()).toBe(wall);
  });

  it('follows a step back', () => {
    wall -= HOUR_MS;
    expect([clock.now(), clock.heldMs()]).toEqual([START - HOUR_MS, undefined]);
    wall += HOUR_MS;
    expect(clock.now()).toBe(START - HOUR_MS);
  });

  it('follows the wall clock of a machine that has slept, and not beyond', () => {
    slept += HOUR_MS;
    wall += HOUR_MS;
    expect([clock.now(), clock.heldMs()]).toEqual([wall, undefined]);
    slept += HOUR_MS;
    wall += 3 * HOUR_MS;
    expect([clock.now(), clock.heldMs()]).toEqual([START + 2 * HOUR_MS, 2 * HOUR_MS]);
  });
});
