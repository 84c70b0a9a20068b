import { useEffect, useState } from 'react';
import { formatDecimal } from '../../lib/format.ts';
import { useContent } from '../../lib/queries/content.ts';
import { Sample } from '../../ui/sample.tsx';
import { counterAt, untilNextStep } from './counter.ts';
import classes from './hero.module.css';

/** The figure of now. None is drawn beforehand, as it would be an old one when it is seen. */
function useCounter(): number | undefined {
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
  return figure;
}

export function Counter() {
  const figure = useCounter();
  const claim = useContent('claims').data?.items.find(({ id }) => id === 'counter');
  const own = claim?.figure ?? '';
  return (
    <p className={classes.counter}>
      <span className={classes.count}>
        {own || (figure === undefined ? ' ' : formatDecimal({ units: BigInt(figure), scale: 0 }, 0))}
      </span>
      <span className={classes.counted}>
        {claim?.text} {claim?.sample && <Sample />}
      </span>
    </p>
  );
}
