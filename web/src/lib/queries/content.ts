/** What the operator writes, in the person's language. */
import { content, news, type ReadContent, readContent, type SectionName, site } from '@cambist/contract/content.ts';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { call } from '../api-client.ts';
import { useLocale } from '../i18n.ts';
import { type Drawn, useAsDrawn } from './as-drawn.ts';

const STALE_MS = 300_000;

function contentQuery<Name extends SectionName>(section: Name, locale: string) {
  return queryOptions({
    queryKey: ['content', section, locale],
    queryFn: async ({ signal }): Promise<ReadContent<Name>> =>
      readContent(section, await call(content, { params: { section }, query: { locale }, signal })),
    staleTime: STALE_MS,
  });
}

export function useContent<Name extends SectionName>(section: Name): Drawn<ReadContent<Name>> {
  const locale = useLocale().name;
  return useAsDrawn(useQuery(contentQuery(section, locale)));
}

export function useNews(limit: number) {
  const locale = useLocale().name;
  const query = useQuery({
    queryKey: ['content', 'news', locale, limit],
    queryFn: ({ signal }) => call(news, { query: { locale, limit }, signal }),
    select: (answer) => answer.newsfeed.Data,
    staleTime: STALE_MS,
  });
  return useAsDrawn(query);
}

export function useSite() {
  const query = useQuery({ queryKey: ['site'], queryFn: ({ signal }) => call(site, { signal }), staleTime: STALE_MS });
  return useAsDrawn(query).data;
}
