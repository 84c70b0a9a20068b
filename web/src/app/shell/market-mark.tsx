import { msg, t } from '../../lib/i18n.ts';
import { usePlatform } from '../../lib/queries/platform.ts';
import classes from './top-bar.module.css';

const MARKS = {
  simulated: {
    text: msg('Simulated market'),
    says: msg('Prices and other traders here are simulated. No real coin changes hands.'),
  },
  okx: {
    text: msg('Market maker'),
    says: msg(
      'The market maker quotes around a public feed, which prices follow where nothing is traded. It does not trade with itself: volume is what clients trade.',
    ),
  },
} as const;

/** Says what the market is, on every screen, wherever it is not clients alone. */
export function MarketMark() {
  const market = usePlatform()?.market;
  if (market === undefined || market === 'none') return null;
  const text = t(MARKS[market].text);
  const says = t(MARKS[market].says);
  return (
    <span className={classes.market}>
      <button type="button" className={classes.marketMark} aria-label={`${text}: ${says}`}>
        {text}
      </button>
      <span className={classes.marketSays} aria-hidden>
        {says}
      </span>
    </span>
  );
}
