/** The frame of the operator's console. */
import type { ReactNode } from 'react';
import { NavLink } from 'react-router';
import { msg, t } from '../../lib/i18n.ts';
import { useTitle } from '../../lib/use-title.ts';
import { Page } from '../../ui/page.tsx';
import classes from './console.module.css';

const ROOMS = [
  { to: '/admin/clients', label: msg('Clients') },
  { to: '/admin/support', label: msg('Support') },
  { to: '/admin/content', label: msg('Content') },
  { to: '/admin/operations', label: msg('Operations') },
  { to: '/admin/audit', label: msg('Audit log') },
] as const;

interface ConsoleProps {
  readonly title: string;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

export function Console({ title, actions, children }: ConsoleProps) {
  useTitle(title);
  return (
    <Page title={title} actions={actions}>
      <nav className={classes.rooms} aria-label={t('Console')}>
        {ROOMS.map(({ to, label }) => (
          <NavLink key={to} to={to} className={classes.room ?? ''}>
            {t(label)}
          </NavLink>
        ))}
      </nav>
      {children}
    </Page>
  );
}
