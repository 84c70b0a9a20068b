/** The faucet and the mailbox of development as a slice. */
import type { Slice } from '../../platform/slice.ts';
import { type DevelopmentDeps, serveDevelopment } from './routes.ts';

export const createDevelopmentSlice = (deps: DevelopmentDeps): Slice => ({
  routes: (calls) => serveDevelopment(calls, deps),
});
