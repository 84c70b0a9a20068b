/** Listeners and timers run outside of every promise chain: what one throws would end the process. */
import type { Logger } from './logger.ts';

/**
 * The same work as a listener that never throws and never rejects: a failure is logged under the name, and `onFailure`
 * gets what the listener was called with, to end the socket that it was about.
 */
export function guarded<Given extends readonly unknown[]>(
  logger: Pick<Logger, 'error'>,
  name: string,
  work: (...given: Given) => unknown,
  onFailure?: (...given: Given) => void,
): (...given: Given) => void {
  return (...given) => {
    const failed = (error: unknown) => {
      logger.error({ err: error, listener: name }, 'A listener failed');
      onFailure?.(...given);
    };
    try {
      const working = work(...given);
      if (working instanceof Promise) working.catch(failed);
    } catch (error) {
      failed(error);
    }
  };
}
