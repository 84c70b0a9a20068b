/** A text that the operator writes in Markdown; HTML in it stays text, and links out say nothing of where one came from. */
import Markdown, { type Components } from 'react-markdown';
import { Link } from 'react-router';
import type { Drawn } from '../../lib/queries/as-drawn.ts';
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
  readonly text: Drawn<{ readonly body: string }>;
}

export function Article({ text }: ArticleProps) {
  if (text.error) return <ErrorState error={text.error} onRetry={() => void text.refetch()} />;
  if (!text.data) return <SkeletonRows rows={12} columns={1} />;
  return (
    <article className={classes.article}>
      <Markdown components={components}>{text.data.body}</Markdown>
    </article>
  );
}
