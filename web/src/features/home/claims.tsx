/**
 * Figures of marketing, as the operator states them. While all of them are samples one mark at the title says so; else
 * each that still is has its own.
 */
import { useEffect, useState } from 'react';
import { formatDecimal } from '../../lib/format.ts';
import { t } from '../../lib/i18n.ts';
import { useContent } from '../../lib/queries/content.ts';
import { Sample } from '../../ui/sample.tsx';
import classes from './claims.module.css';
import { counterAt, untilNextStep } from './counter.ts';

export function Claims() {
  const claims = useContent('claims').data?.items;
  const areAllSamples = claims?.every(({ sample }) => sample) ?? false;
  return (
    <section className={classes.claims} aria-labelledby="in-figures">
      <h2 id="in-figures" className={classes.title}>
        {t('In figures')} {areAllSamples && <Sample />}
      </h2>
      {claims?.map(({ id, figure, text, sample }) => (
        <p key={id} className={classes.claim}>
          <span className={classes.figure}>{id === 'counter' && figure === '' ? <Counter /> : figure}</span>
          <span className={classes.text}>
            {text} {sample && !areAllSamples && <Sample />}
          </span>
        </p>
      ))}
    </section>
  );
}

/** The figure of now. None is drawn beforehand, as it would be an old one when it is seen. */
function Counter() {
  const [figure, setFigure] = useState<number>();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const step = () => {
      setFigure(counterAt(Date.now()));
      timer = setTimeout(step, untilNextStep(Date.now()));
    };
    step();
    return () => clearTimeout(timer);
  }, []);
  return figure === undefined ? ' ' : formatDecimal({ units: BigInt(figure), scale: 0 }, 0);
}
