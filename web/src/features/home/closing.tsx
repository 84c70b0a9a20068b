import { Button } from '@mantine/core';
import { Link } from 'react-router';
import { t } from '../../lib/i18n.ts';
import classes from './home-page.module.css';

export function Closing() {
  return (
    <section className={classes.closing}>
      <h2 className={classes.closingTitle}>{t('Sign up in two minutes.')}</h2>
      <Button component={Link} to="/signup" size="lg">
        {t('Sign up')}
      </Button>
    </section>
  );
}
