/** The newest hundred trades by side and size, as a pie with its figures beside it. */
import type { CoinPair } from '@cambist/contract/markets.ts';
import { toText } from '../../../lib/decimal.ts';
import { formatCompact, formatShare } from '../../../lib/format.ts';
import { msg, t } from '../../../lib/i18n.ts';
import { useRecentTrades } from '../trades/use-recent-trades.ts';
import classes from './chart.module.css';
import { type FlowKind, tradeFlow } from './trade-flow.ts';

const LOOKS: Readonly<Record<FlowKind, { label: string; color: string }>> = {
  'large-buy': { label: msg('Large buys'), color: 'var(--up-fill)' },
  'small-buy': { label: msg('Small buys'), color: 'var(--up)' },
  'small-sell': { label: msg('Small sells'), color: 'var(--down)' },
  'large-sell': { label: msg('Large sells'), color: 'var(--down-fill)' },
};

const RADIUS = 42;
const AROUND = 2 * Math.PI * RADIUS;

export function TradePie({ pair }: { readonly pair: CoinPair }) {
  const { trades } = useRecentTrades(pair.pair_name);
  if (trades.length === 0) return null;
  const flow = tradeFlow(trades);
  let before = 0;
  return (
    <section aria-label={t('Trading data')}>
      <h3 className={classes.subheading}>{t('Trading data of the last {{count}} trades', { count: trades.length })}</h3>
      <div className={classes.pie}>
        <svg width={120} height={120} viewBox="0 0 120 120" aria-hidden>
          {flow.map(({ kind, share }) => {
            const offset = before;
            before += share;
            return (
              <circle
                key={kind}
                cx={60}
                cy={60}
                r={RADIUS}
                fill="none"
                stroke={LOOKS[kind].color}
                strokeWidth={18}
                strokeDasharray={`${share * AROUND} ${AROUND}`}
                strokeDashoffset={-offset * AROUND}
                transform="rotate(-90 60 60)"
              />
            );
          })}
        </svg>
        <dl className={classes.pieLegend}>
          {flow.map(({ kind, total, share }) => (
            <div key={kind} style={{ display: 'contents' }}>
              <dt>
                <span className={classes.swatch} style={{ background: LOOKS[kind].color }} aria-hidden />
                {t(LOOKS[kind].label)}
              </dt>
              <dd>{formatShare(share * 100, 1)}</dd>
              <dd>{formatCompact(toText(total))} USDT</dd>
            </div>
          ))}
        </dl>
      </div>
    </section>
  );
}
