import { t } from '../lib/i18n.ts';
import classes from './states.module.css';

/** Beside every figure that is not computed: a claim or an example that the operator has yet to replace. */
export function Sample() {
  return (
    <span className={classes.sample} title={t('Example figure, until the operator enters a real one')}>
      {t('Sample')}
    </span>
  );
}
