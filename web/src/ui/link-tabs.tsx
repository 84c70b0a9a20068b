/** Parts of a screen that have addresses of their own: the browser's back button leads from one to the other. */
import { useEffect, useRef } from 'react';
import { Link, NavLink, useLocation } from 'react-router';
import { formatCount } from '../lib/format.ts';
import classes from './link-tabs.module.css';

export interface LinkTab {
  readonly to: string;
  readonly label: string;
  /** Where the path alone does not say it. */
  readonly isCurrent?: boolean;
  /** How much there waits for the person; nothing is said of none. */
  readonly waiting?: number;
}

/** On a phone they are a row that can be wider than the window; the current one is in its sight. */
export function LinkTabs({ label, tabs }: { readonly label: string; readonly tabs: readonly LinkTab[] }) {
  const nav = useRef<HTMLElement>(null);
  // Another one at each arrival.
  const { key: arrival } = useLocation();
  useEffect(() => {
    const row = nav.current;
    const current = row?.querySelector<HTMLElement>('[aria-current=page]');
    // The page itself stays where it is: who comes back to a long list is led to where they were.
    if (!arrival || !row || !current) return;
    row.scrollLeft = current.offsetLeft - row.offsetLeft - (row.clientWidth - current.clientWidth) / 2;
  }, [arrival]);
  return (
    <nav ref={nav} className={classes.tabs} aria-label={label}>
      {tabs.map(({ to, label: text, isCurrent, waiting = 0 }) =>
        isCurrent === undefined ? (
          <NavLink key={to} to={to} className={classes.tab ?? ''}>
            {text} {waiting > 0 && <span className={classes.waiting}>{formatCount(waiting)}</span>}
          </NavLink>
        ) : (
          <Link key={to} to={to} className={classes.tab ?? ''} {...(isCurrent && { 'aria-current': 'page' as const })}>
            {text}
          </Link>
        ),
      )}
    </nav>
  );
}
