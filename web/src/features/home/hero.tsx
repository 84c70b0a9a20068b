import { Link } from 'react-router';
import { t } from '../../lib/i18n.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { CoinBox } from './coin-box.tsx';
import { ExchangeFacts } from './exchange-facts.tsx';
import classes from './hero.module.css';

export function Hero({ signedIn }: { readonly signedIn: boolean }) {
  return (
    <section className={classes.hero}>
      <div>
        <h1 className={classes.headline}>{t('Trade crypto on an exchange you can read.')}</h1>
        <p className={classes.lead}>
          {t('Cambist is a complete, open exchange: a fast order book, live charts and a wallet, without noise.')}
        </p>
        <div className={classes.actions}>
          <ButtonLink to={signedIn ? '/wallet' : '/signup'} size="lg">
            {signedIn ? t('Go to wallet') : t('Get started')}
          </ButtonLink>
          <ButtonLink to="/trades/spot" size="lg" variant="default">
            {t('See the market')}
          </ButtonLink>
        </div>
        {!signedIn && (
          <p className={classes.login}>
            {t('Already have an account?')} <Link to="/signin">{t('Log in')}</Link>
          </p>
        )}
        <ExchangeFacts />
      </div>
      <CoinBox />
    </section>
  );
}
