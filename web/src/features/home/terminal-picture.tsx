/** The terminal as it is, in the theme of the page, which is known once the page is alive: its place is kept until then. */
import { useEffect, useState } from 'react';
import { Link } from 'react-router';
import { t } from '../../lib/i18n.ts';
import { usePreferences } from '../../lib/preferences-store.ts';
import classes from './terminal-picture.module.css';

export function TerminalPicture() {
  const scheme = usePreferences((preferences) => preferences.scheme);
  const [isAlive, setIsAlive] = useState(false);
  useEffect(() => setIsAlive(true), []);
  const label = t('The trading terminal');
  return (
    <section className={classes.section} aria-labelledby="the-terminal">
      <h2 id="the-terminal" className={classes.title}>
        {label}
      </h2>
      <p className={classes.text}>
        {t('Order book, chart, orders and history on one screen, by mouse or keyboard, on the desk and on the phone.')}
      </p>
      <Link to="/trades/spot" aria-label={t('Open the terminal')}>
        <span className={classes.place}>
          {isAlive && (
            <img
              src={`/pictures/terminal-${scheme}.webp`}
              width={1440}
              height={900}
              loading="lazy"
              decoding="async"
              alt=""
            />
          )}
        </span>
      </Link>
    </section>
  );
}
