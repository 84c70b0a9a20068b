/** The frame of an ordinary screen: a heading, what can be done beside it, and the content in a readable width. */
import type { ReactNode } from 'react';
import classes from './page.module.css';

interface PageProps {
  readonly title: string;
  /** Right of the heading. */
  readonly actions?: ReactNode;
  /** For text and forms. */
  readonly narrow?: boolean;
  readonly children: ReactNode;
}

export function Page({ title, actions, narrow = false, children }: PageProps) {
  return (
    <div className={narrow ? `${classes.page} ${classes.narrow}` : classes.page}>
      <header className={classes.head}>
        <h1 className={classes.title}>{title}</h1>
        {actions && <div className={classes.actions}>{actions}</div>}
      </header>
      {children}
    </div>
  );
}
