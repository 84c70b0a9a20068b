/** The four questions of newcomers. One is open at a time, which the browser sees to by their common name. */

import { t } from '../../lib/i18n.ts';
import { useContent } from '../../lib/queries/content.ts';
import { IconChevronDown } from '../../ui/first-icons.ts';
import classes from './questions.module.css';

export function Questions() {
  const questions = useContent('faq').data?.items;
  return (
    <section className={classes.section} aria-labelledby="questions">
      <h2 id="questions" className={classes.title}>
        {t('Questions')}
      </h2>
      <div className={classes.items}>
        {questions?.map(({ id, question, answer }) => (
          <details key={id} name="questions" className={classes.item}>
            <summary className={classes.question}>
              {question}
              <IconChevronDown size={18} stroke={1.6} aria-hidden />
            </summary>
            <p className={classes.answer}>{answer}</p>
          </details>
        ))}
      </div>
    </section>
  );
}
