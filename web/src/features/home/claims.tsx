/** Figures of marketing, as the operator states them; samples are marked. */
import { t } from '../../lib/i18n.ts';
import { useContent } from '../../lib/queries/content.ts';
import { Sample } from '../../ui/sample.tsx';
import classes from './claims.module.css';

export function Claims() {
  const claims = useContent('claims').data?.items.filter(({ id }) => id !== 'counter');
  return (
    <section className={classes.claims} aria-label={t('In figures')}>
      {claims?.map(({ id, figure, text, sample }) => (
        <p key={id} className={classes.claim}>
          <span className={classes.figure}>{figure}</span>
          <span className={classes.text}>
            {text} {sample && <Sample />}
          </span>
        </p>
      ))}
    </section>
  );
}
