import { Link } from 'react-router';
import { t } from '../../lib/i18n.ts';
import { useContent, useSite } from '../../lib/queries/content.ts';
import classes from './footer.module.css';
import { Logo } from './logo.tsx';

export function Footer() {
  const community = useContent('community').data;
  const site = useSite();
  return (
    <footer className={classes.footer}>
      <div className={classes.inner}>
        <div className={classes.community}>
          <Logo />
          <p className={classes.blurb}>{community?.blurb}</p>
          <p className={classes.social}>
            {community?.links
              .filter(({ url }) => url !== '')
              .map(({ id, label, url }) => (
                <a key={id} href={url} rel="noreferrer" target="_blank" className={classes.link}>
                  {label}
                </a>
              ))}
          </p>
        </div>
        <nav className={classes.column} aria-label={t('Quick links')}>
          <h2 className={classes.title}>{t('Quick links')}</h2>
          <Go to="/markets/prices" label={t('Markets')} />
          <Go to="/trades/spot" label={t('Trade')} />
          <Go to="/trades/futures" label={t('Futures')} />
          <Go to="/wallet" label={t('Wallet')} />
          <Go to="/futures/funding" label={t('Funding rates')} />
          <Go to="/futures/insurance" label={t('Insurance fund')} />
          <Go to="/futures/rules" label={t('Futures rules')} />
        </nav>
        <nav className={classes.column} aria-label={t('Company')}>
          <h2 className={classes.title}>{t('Company')}</h2>
          <Go to="/about" label={t('About')} />
          <Go to="/proof" label={t('Proof of liabilities')} />
          <Go to="/contactus" label={t('Contact us')} />
          <Go to="/legal-center/terms" label={t('Terms of use')} />
          <Go to="/legal-center/privacy" label={t('Privacy policy')} />
        </nav>
        <nav className={classes.column} aria-label={t('Download')}>
          <h2 className={classes.title}>{t('Download')}</h2>
          <a href="/api/v3/download-apk" target="_blank" rel="noreferrer" className={classes.link}>
            Android
          </a>
          <a href="/api/v3/download-ios" target="_blank" rel="noreferrer" className={classes.link}>
            iOS
          </a>
        </nav>
      </div>
      <p className={classes.legal}>
        {site?.operator
          ? t('{{site}} is run by {{operator}}.', { site: site.name, operator: site.operator })
          : 'Cambist'}
      </p>
    </footer>
  );
}

function Go({ to, label }: { readonly to: string; readonly label: string }) {
  return (
    <Link to={to} className={classes.link}>
      {label}
    </Link>
  );
}
