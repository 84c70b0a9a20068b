/** Everything that a client has, at a glance. */
import { AccountTiles } from './account-tiles.tsx';
import { BalanceLine } from './balance-line.tsx';
import { Distribution } from './distribution.tsx';
import classes from './overview.module.css';
import { Portfolio } from './portfolio-list.tsx';
import { TotalCard, UsdtCard } from './total-card.tsx';

interface OverviewTabProps {
  /** Only where development funds exist. */
  readonly onFund: (() => void) | undefined;
}

export function OverviewTab({ onFund }: OverviewTabProps) {
  return (
    <>
      <TotalCard onFund={onFund} />
      <AccountTiles />
      <div className={classes.columns}>
        <BalanceLine />
        <UsdtCard />
        <Portfolio />
        <Distribution />
      </div>
    </>
  );
}
