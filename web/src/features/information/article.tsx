/** A text that the operator writes in Markdown; HTML in it stays text, and links out say nothing of where one came from. */
import type { UseQueryResult } from '@tanstack/react-query';
import Markdown, { type Components } from 'react-markdown';
import { Link } from 'react-router';
import { ErrorState, SkeletonRows } from '../../ui/states.tsx';
import classes from './article.module.css';

const components: Components = {
  // The page has its own first heading.
  h1: ({ children }) => <h2>{children}</h2>,
  a: ({ href = '', children }) =>
    href.startsWith('/') ? (
      <Link to={href}>{children}</Link>
    ) : (
      <a href={href} rel="noreferrer">
        {children}
      </a>
    ),
};

interface ArticleProps {
  readonly text: UseQueryResult<{ readonly body: string }>;
}

export function Article({ text }: ArticleProps) {
  if (text.isPending) return <SkeletonRows rows={12} columns={1} />;
  if (text.isError) return <ErrorState error={text.error} onRetry={() => void text.refetch()} />;
  return (
    <article className={classes.article}>
      <Markdown components={components}>{text.data.body}</Markdown>
    </article>
  );
}
