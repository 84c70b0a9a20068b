/** The tab of what is still being built: it says what will be there. */
import { Button } from '@mantine/core';
import { Link } from 'react-router';
import { t } from '../../lib/i18n.ts';
import { Empty } from '../../ui/states.tsx';
import classes from './wallet-page.module.css';

export function EarnTab() {
  return (
    <section className={classes.frame} aria-label={t('Earn')}>
      <h1 className={classes.frameTitle}>{t('Earn')}</h1>
      <div className={classes.frameBody}>
        <Empty
          title={t('Your earn plans and what they have paid will be listed here. Earn plans are not available yet.')}
          action={
            <Button component={Link} to="/trades/spot" variant="default">
              {t('Go to spot trading')}
            </Button>
          }
        />
      </div>
    </section>
  );
}
