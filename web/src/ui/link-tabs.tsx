/** Parts of a screen that have addresses of their own: the browser's back button leads from one to the other. */
import { useEffect, useRef } from 'react';
import { Link, NavLink, useLocation } from 'react-router';
import classes from './link-tabs.module.css';

export interface LinkTab {
  readonly to: string;
  readonly label: string;
  /** Where the path alone does not say it. */
  readonly isCurrent?: boolean;
}

export function LinkTabs({ label, tabs }: { readonly label: string; readonly tabs: readonly LinkTab[] }) {
  const nav = useRef<HTMLElement>(null);
  const { key } = useLocation();
  // On a phone the current one may lie beside the window.
  useEffect(() => {
    if (key) nav.current?.querySelector('[aria-current=page]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [key]);
  return (
    <nav ref={nav} className={classes.tabs} aria-label={label}>
      {tabs.map(({ to, label: text, isCurrent }) =>
        isCurrent === undefined ? (
          <NavLink key={to} to={to} className={classes.tab ?? ''}>
            {text}
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
