import { t } from '../../lib/i18n.ts';
import { ButtonLink } from '../../ui/button.tsx';
import classes from './home-page.module.css';

export function Closing() {
  return (
    <section className={classes.closing}>
      <h2 className={classes.closingTitle}>{t('Sign up in two minutes.')}</h2>
      <ButtonLink to="/signup" size="lg">
        {t('Sign up')}
      </ButtonLink>
    </section>
  );
}
