import { describe, expect, test } from 'vitest';
import { givesWay } from './notices.ts';

const success = { id: 'success', color: 'teal', autoClose: 3_000 } as const;
const error = { id: 'error', color: 'red', autoClose: 6_000 } as const;
const progress = { id: 'progress', color: 'accent', autoClose: false } as const;

describe('a new notice', () => {
  test('has room while fewer than three are shown', () => {
    expect(givesWay([])).toBeUndefined();
    expect(givesWay([success, error])).toBeUndefined();
  });

  test('takes the place of the oldest success, before that of an error', () => {
    expect(givesWay([error, { ...success, id: 'older' }, success])?.id).toBe('older');
    expect(givesWay([error, { ...error, id: 'newer' }, { ...error, id: 'newest' }])?.id).toBe('error');
  });

  test('closes nothing that has no timer: that waits for room', () => {
    expect(givesWay([progress, progress, progress])).toBeUndefined();
    expect(givesWay([progress, success, success, error])).toBe(success);
  });
});
