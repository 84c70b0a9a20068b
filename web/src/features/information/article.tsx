/** A text that the operator writes, with the states around it. */
import type { Drawn } from '../../lib/queries/as-drawn.ts';
import Markdown from '../../ui/markdown.tsx';
import { ErrorState, SkeletonRows } from '../../ui/states.tsx';

interface ArticleProps {
  readonly text: Drawn<{ readonly body: string }>;
}

export function Article({ text }: ArticleProps) {
  if (text.data) return <Markdown text={text.data.body} />;
  if (text.error) return <ErrorState error={text.error} onRetry={() => void text.refetch()} />;
  return <SkeletonRows rows={12} columns={1} />;
}
