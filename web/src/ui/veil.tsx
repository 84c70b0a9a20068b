/** Covers amounts with dots while the person hides balances. Every cover is as wide, so that none says how much it hides. */
import type { ReactNode } from 'react';
import { useHiddenBalances } from '../lib/hidden-balances.ts';
import classes from './cost-figures.module.css';

interface VeilProps {
  /** What is read out in place of the amount. */
  readonly says: string;
  readonly children: ReactNode;
}

export function Veil({ says, children }: VeilProps) {
  const areHidden = useHiddenBalances((state) => state.areHidden);
  if (!areHidden) return children;
  return (
    <span className={classes.veil}>
      <span aria-hidden>••••••</span>
      <span className="visually-hidden">{says}</span>
    </span>
  );
}
