/** Above a screen that was there before the connection went. */
import { t } from '../lib/i18n.ts';
import classes from './offline.module.css';

export default function OfflineLine() {
  return (
    <p className={classes.line} role="status">
      {t('You are offline. Figures may be old, and nothing can be ordered until the connection is back.')}
    </p>
  );
}
