/** Which coin is which part of the whole: a ring for the eye, and the same as a table. */
import { coinSpotPnl } from '@cambist/contract/coin-wallet.ts';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { call } from '../../../lib/api-client.ts';
import { every } from '../../../lib/away.ts';
import { decimal, rescale } from '../../../lib/decimal.ts';
import { formatDecimal, formatPercent, formatShare } from '../../../lib/format.ts';
import { t } from '../../../lib/i18n.ts';
import { accountKeys } from '../../../lib/queries/account-keys.ts';
import { Empty, SkeletonRows } from '../../../ui/states.tsx';
import { Private } from '../hide-button.tsx';
import classes from './distribution.module.css';
import cardClasses from './overview.module.css';
import { type Slice, slicesOf } from './portfolio.ts';
import { useHoldings } from './portfolio-list.tsx';

const NAMED = 5;
/** Left free between two slices, of the circle. */
const GAP = 0.006;
const PROFIT_MS = 5_000;

const profitQuery = queryOptions({
  queryKey: accountKeys.profit,
  queryFn: ({ signal }) => call(coinSpotPnl, { signal }),
  refetchInterval: every(PROFIT_MS),
});

export function Distribution() {
  const { holdings } = useHoldings();
  const title = t('Asset Distribution');
  const slices = holdings && slicesOf(holdings, NAMED);
  return (
    <section className={cardClasses.card} aria-label={title}>
      <h2 className={cardClasses.title}>{title}</h2>
      {slices === undefined && <SkeletonRows rows={5} columns={2} />}
      {slices?.length === 0 && <Empty title={t('Nothing here yet')} />}
      {slices !== undefined && slices.length > 0 && (
        <div className={classes.parts}>
          <div className={classes.ring}>
            <Ring slices={slices} />
            <Profit />
          </div>
          <Legend label={title} slices={slices} />
        </div>
      )}
      <LeftOut />
    </section>
  );
}

/** Drawn clockwise from the top; the circumference counts as 100. */
function Ring({ slices }: { readonly slices: readonly Slice[] }) {
  const gap = slices.length > 1 ? GAP : 0;
  return (
    <svg viewBox="0 0 120 120" className={classes.svg} aria-hidden>
      {slices.map(({ code, part, from }, index) => {
        const length = Math.max(part - gap, 0.002) * 100;
        return (
          <circle
            key={code ?? ''}
            className={classes.slice}
            data-slice={index}
            cx="60"
            cy="60"
            r="51"
            pathLength="100"
            strokeDasharray={`${length.toFixed(2)} ${(100 - length).toFixed(2)}`}
            strokeDashoffset={(25 - from * 100).toFixed(2)}
          />
        );
      })}
    </svg>
  );
}

/** What the coins that are held have gained over what they have cost. */
function Profit() {
  const profit = useQuery(profitQuery).data;
  const value = profit?.spotProfit;
  const isKnown = value !== undefined && value !== null;
  const { units } = isKnown ? rescale(decimal(value), 2, 'nearest') : { units: 0n };
  const shown = { units: units < 0n ? -units : units, scale: 2 };
  return (
    <p className={classes.profit} title={t('Unrealized: the value of what you hold, less its cost')}>
      <span className={classes.label}>{t('PNL')}</span>
      {isKnown ? (
        <span className={units > 0n ? classes.up : units < 0n ? classes.down : ''}>
          <span className={classes.value}>
            <Private>
              {units > 0n ? '+' : units < 0n ? '−' : ''}
              {formatDecimal(shown, 2)}
            </Private>
          </span>
          <span className={classes.percent}>{profit?.spotPercentage && formatPercent(profit.spotPercentage)}</span>
        </span>
      ) : (
        <span className={classes.value}>–</span>
      )}
    </p>
  );
}

/** Coins that count in the ring, or would, and not in what was gained. */
function LeftOut() {
  const coins = useQuery(profitQuery).data?.left_out ?? [];
  if (coins.length === 0) return null;
  return (
    <p className={classes.note}>
      {t('PNL leaves out {{coins}}: cost or price is not known.', { coins: coins.join(', ') })}
    </p>
  );
}

function Legend({ label, slices }: { readonly label: string; readonly slices: readonly Slice[] }) {
  return (
    <table className={classes.legend} aria-label={label}>
      <thead className="visually-hidden">
        <tr>
          <th scope="col">{t('Coin')}</th>
          <th scope="col">{t('Share')}</th>
          <th scope="col">{t('Value (USDT)')}</th>
        </tr>
      </thead>
      <tbody>
        {slices.map(({ code, worth, part }, index) => (
          <tr key={code ?? ''}>
            <th scope="row">
              <span className={classes.dot} data-slice={index} aria-hidden />
              {code ?? t('Other')}
            </th>
            <td>{formatShare(part * 100, 1)}</td>
            <td>
              <Private>{formatDecimal(worth, 2)}</Private>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
