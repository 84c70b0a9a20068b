/** What the operator offers, and two examples of what is to come. */
import { Link } from 'react-router';
import { t } from '../../lib/i18n.ts';
import { useContent } from '../../lib/queries/content.ts';
import { Sample } from '../../ui/sample.tsx';
import { DayLine } from './day-line.tsx';
import classes from './promos.module.css';

/** Made up: how a plan might grow over a year, in percent of what was put in. */
const PLAN = [100, 100.4, 101.1, 101.5, 102.3, 102.9, 103.2, 104.1, 104.8, 105.2, 106.1, 106.9];

/** Made up: the last guesses of a game, and the block that decided. */
const GUESSES = ['3', '7', '1', '9', '4'];
const DRAWN = 3;

export function Promos() {
  const promos = useContent('promos').data?.items;
  return (
    <section className={classes.promos} aria-label={t('Promotions')}>
      {promos?.map(({ id, title, text, button, url, sample }) => (
        <article key={id} className={classes.banner}>
          <h2 className={classes.title}>
            {title} {sample && <Sample />}
          </h2>
          <p className={classes.text}>{text}</p>
          <Way to={url}>{button}</Way>
        </article>
      ))}
      <article className={classes.card}>
        <h3 className={classes.cardTitle}>
          {t('A plan over one year')} <Sample />
        </h3>
        <p className={classes.text}>{t('How savings could grow. What a plan really pays is on its own page.')}</p>
        <DayLine points={PLAN} up />
      </article>
      <article className={classes.card}>
        <h3 className={classes.cardTitle}>
          {t('Mining & Guess')} <Sample /> <span className={classes.soon}>{t('Coming Soon')}</span>
        </h3>
        <p className={classes.text}>{t('Guess the last digit of the next block and share in what it mines.')}</p>
        <p className={classes.guesses} aria-hidden>
          {GUESSES.map((guess, index) => (
            <span key={guess} className={index === DRAWN ? classes.drawn : undefined}>
              {guess}
            </span>
          ))}
        </p>
      </article>
    </section>
  );
}

function Way({ to, children }: { readonly to: string; readonly children: string }) {
  if (to === '') return null;
  return to.startsWith('/') ? (
    <Link to={to} className={classes.way}>
      {children}
    </Link>
  ) : (
    <a href={to} rel="noreferrer" className={classes.way}>
      {children}
    </a>
  );
}
