/** Who looks at a page: a visitor, a trader or the operator. */
import type { Page } from 'playwright-core';
import { OPERATOR, type PageOptions, type Stage, TRADER } from './stage.ts';

export const ROLES = ['visitor', 'trader', 'operator'] as const;
export type Role = (typeof ROLES)[number];

/** A page on a device of their own. */
export async function pageOf(stage: Stage, role: Role, options: PageOptions = {}): Promise<Page> {
  if (role === 'visitor') return stage.open(options);
  return stage.open({ ...options, as: await stage.signIn(role === 'trader' ? TRADER : OPERATOR) });
}
