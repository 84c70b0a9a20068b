/** What the layout needs to know about a route. */
import type { ComponentType } from 'react';
import { type Location, useMatches } from 'react-router';
import type { Scheme } from '../lib/preferences-store.ts';

export interface RouteHandle {
  /** A scheme that the route insists on. */
  readonly scheme?: Scheme;
  /** Only the logo above the page. */
  readonly plain?: boolean;
  /** The page fills the window below the top bar. */
  readonly terminal?: boolean;
  readonly footer?: boolean;
  /** Beside the page on large screens. */
  readonly sidebar?: boolean;
  /** Only for clients: a visitor signs in first and comes back. */
  readonly guarded?: boolean;
  /** Only for operators: for anybody else there is nothing at the address. */
  readonly operator?: boolean;
  /** The frame that a screen shows that is still being built. */
  readonly soon?: string;
}

export interface Screen extends RouteHandle {
  readonly path: string;
  /** The folder of the feature, which is also the part of the texts that it needs. */
  readonly feature: string;
  readonly load: () => Promise<ComponentType>;
  /** Made of what the first page has, without the styles of all other components. */
  readonly lean?: boolean;
}

export function useRouteHandle(): RouteHandle {
  return (useMatches().at(-1)?.handle as RouteHandle | undefined) ?? {};
}

/**
 * Under what the place of a page is kept for the tab. The library gives the first entry of every load the same key, so
 * an address that was typed would open as far down as the page before it.
 */
export const scrollKey = ({ key, pathname }: Location): string => (key === 'default' ? pathname : key);
