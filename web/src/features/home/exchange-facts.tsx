/** What the exchange computes of itself, beside the headline. What is not known yet, or by nobody, is left out. */
import { exchangeFigures } from '@cambist/contract/exchange-figures.ts';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { call } from '../../lib/api-client.ts';
import { every } from '../../lib/away.ts';
import { formatCompact, formatDecimal, withPercent } from '../../lib/format.ts';
import { t } from '../../lib/i18n.ts';
import { useAsDrawn } from '../../lib/queries/as-drawn.ts';
import { useSite } from '../../lib/queries/content.ts';
import classes from './exchange-facts.module.css';

const FRESH_MS = 60_000;

/** An hour in which 99 of 100 orders took at most this long: of a machine that was busy with something else, the median tells nothing. */
const QUIET_P99_MS = 50;

const percentOf = (text: string) => withPercent(formatDecimal(text, 4, 2));

interface Fact {
  readonly title: string;
  readonly figure: ReactNode;
  readonly hint?: string;
}

function useFacts(): Fact[] {
  const query = useQuery({
    queryKey: ['exchange-figures'],
    queryFn: ({ signal }) => call(exchangeFigures, { signal }),
    staleTime: FRESH_MS,
    refetchInterval: every(FRESH_MS),
  });
  const { data } = useAsDrawn(query);
  if (!data) return [];
  const { acknowledgement } = data;
  const facts: Fact[] = [
    { title: t('Pairs'), figure: <Link to="/markets">{formatDecimal(String(data.pairs), 0)}</Link> },
    { title: t('24h volume (USDT)'), figure: formatCompact(data.volume_24h) },
    {
      title: t('Maker / taker fee'),
      figure: `${percentOf(data.maker_fee_percent)} / ${percentOf(data.taker_fee_percent)}`,
    },
  ];
  if (acknowledgement === null || Number(acknowledgement.p99_ms) > QUIET_P99_MS) return facts;
  return [
    ...facts,
    {
      title: t('Order acknowledged'),
      figure: `${formatDecimal(acknowledgement.p50_ms, 1)} ms`,
      hint: t('From arrival to commit, the median of the last hour'),
    },
  ];
}

export function ExchangeFacts() {
  const facts = useFacts();
  const source = useSite()?.source_url;
  return (
    <div className={classes.facts}>
      <dl className={classes.list} aria-label={t('This exchange right now')}>
        {facts.map(({ title, figure, hint }) => (
          <div key={title} title={hint}>
            <dt className={classes.name}>{title}</dt>
            <dd className={classes.figure}>{figure}</dd>
          </div>
        ))}
      </dl>
      <Link to="/proof" className={classes.source}>
        {t('Proof of liabilities')}
      </Link>
      {source && (
        <a href={source} target="_blank" rel="noreferrer" className={classes.source}>
          {t('Read the source code')}
        </a>
      )}
    </div>
  );
}
