/** What is said without a connection. It comes with the first page: later there is nothing to fetch it by. */

import { t, useLocale } from '../lib/i18n.ts';
import { usePreferences } from '../lib/preferences-store.ts';
import { useSession } from '../lib/session-store.ts';
import { IconPlugConnectedX } from '../ui/first-icons.ts';
import classes from './offline.module.css';

/** Above a screen that was there before the connection went. */
export function OfflineLine() {
  return (
    <p className={classes.line} role="status">
      {t("You are offline. Figures may be out of date, and you can't place orders until you're back online.")}
    </p>
  );
}

/** What is on the device, in place of a screen that would have nothing to show. It gives way when the connection comes. */
export function OfflinePage() {
  const email = useSession((session) => session.user?.email);
  const language = useLocale().label;
  const scheme = usePreferences((preferences) => preferences.scheme);
  const facts = [
    { name: t('Logged in as'), value: email ?? t('Not logged in') },
    { name: t('Language'), value: language },
    { name: t('Theme'), value: scheme === 'dark' ? t('Dark') : t('Light') },
  ];
  return (
    <div className={classes.page}>
      <IconPlugConnectedX size={30} stroke={1.4} aria-hidden />
      <h1 className={classes.title}>{t('You are offline')}</h1>
      <p className={classes.text}>
        {t("Prices, balances and orders are never shown from cache. They return when you're back online.")}
      </p>
      <section className={classes.device} aria-label={t('Saved on this device')}>
        <h2 className={classes.subtitle}>{t('Saved on this device')}</h2>
        <dl className={classes.facts}>
          {facts.map(({ name, value }) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      </section>
    </div>
  );
}
