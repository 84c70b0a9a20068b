/** A screen below the security centre, with the way back. */

import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { t } from '../../lib/i18n.ts';
import { useTitle } from '../../lib/use-title.ts';
import { IconChevronLeft } from '../../ui/first-icons.ts';

import { Page } from '../../ui/page.tsx';
import classes from './parts.module.css';

interface SubPageProps {
  readonly title: string;
  readonly children: ReactNode;
}

export function SubPage({ title, children }: SubPageProps) {
  useTitle(title);
  return (
    <Page
      title={title}
      narrow
      actions={
        <Link to="/account/security" className={classes.back ?? ''}>
          <IconChevronLeft size={16} aria-hidden />
          {t('Back to security')}
        </Link>
      }
    >
      {children}
    </Page>
  );
}
