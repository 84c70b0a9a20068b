/** The first six pieces of news. Where they cannot be had there is simply no such section. */
import type { newsItem } from '@cambist/contract/content.ts';
import { useEffect } from 'react';
import { Link } from 'react-router';
import type { z } from 'zod';
import { formatDate } from '../../lib/format.ts';
import { t } from '../../lib/i18n.ts';
import { useNews } from '../../lib/queries/content.ts';
import classes from './news.module.css';

type Item = z.infer<typeof newsItem>;

const SHOWN = 6;

export function News() {
  const { data, error } = useNews(SHOWN);
  useEffect(() => {
    if (error) console.error('The news could not be loaded', error);
  }, [error]);
  if (error || data?.length === 0) return null;
  return (
    <section className={classes.section} aria-labelledby="news">
      <h2 id="news" className={classes.title}>
        {t('News')}
      </h2>
      <div className={classes.items}>
        {data?.slice(0, SHOWN).map((item) => (
          <Article key={item.id} item={item} />
        ))}
      </div>
    </section>
  );
}

function Article({ item }: { readonly item: Item }) {
  return (
    <article className={classes.item}>
      <Picture address={item.imageurl} />
      <div className={classes.words}>
        <h3 className={classes.heading}>
          <Heading item={item} />
        </h3>
        <p className={classes.body}>{item.body}</p>
        <p className={classes.about}>
          {formatDate(item.published_at)}
          {item.source && ` · ${item.source}`}
        </p>
      </div>
    </article>
  );
}

/** Pictures of other sites are not shown: they would tell those sites who reads here. */
function Picture({ address }: { readonly address: string }) {
  return address.startsWith('/') ? (
    <img src={address} alt="" className={classes.picture} loading="lazy" width={40} height={40} />
  ) : (
    <span className={classes.picture} />
  );
}

function Heading({ item: { url, title } }: { readonly item: Item }) {
  if (url === '') return title;
  if (url.startsWith('/')) return <Link to={url}>{title}</Link>;
  return (
    <a href={url} target="_blank" rel="noreferrer">
      {title}
    </a>
  );
}
