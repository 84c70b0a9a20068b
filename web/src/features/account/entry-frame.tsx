/** The quiet white page around sign-in and sign-up. */
import type { ReactNode } from 'react';
import classes from './entry-frame.module.css';

interface EntryFrameProps {
  readonly title: string;
  readonly hint?: ReactNode;
  readonly children: ReactNode;
  readonly footer: ReactNode;
}

export function EntryFrame({ title, hint, children, footer }: EntryFrameProps) {
  return (
    <div className={classes.page}>
      <div className={classes.column}>
        <h1 className={classes.title}>{title}</h1>
        {hint && <p className={classes.hint}>{hint}</p>}
        {children}
        <p className={classes.footer}>{footer}</p>
      </div>
    </div>
  );
}
