/** Development only: mails that would have been sent. */
import { outbox } from '@cambist/contract/development.ts';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import { call } from '../../lib/api-client.ts';
import { every } from '../../lib/away.ts';
import { formatDateTime } from '../../lib/format.ts';
import { useTitle } from '../../lib/use-title.ts';
import { noticeError, noticeSuccess } from '../../ui/notices.ts';
import { Empty, ErrorState, SkeletonRows } from '../../ui/states.tsx';
import classes from './outbox-page.module.css';

const REFRESH_MS = 3_000;

export function OutboxPage() {
  useTitle('Development mailbox');
  const [search] = useSearchParams();
  const to = search.get('to') ?? undefined;
  const mails = useQuery({
    queryKey: ['outbox', to],
    queryFn: ({ signal }) => call(outbox, { query: { to }, signal }),
    refetchInterval: every(REFRESH_MS),
  });
  return (
    <div className={classes.page}>
      <h1 className={classes.title}>Development mailbox</h1>
      <p className={classes.hint}>Mails that a production server would have sent{to ? ` to ${to}` : ''}.</p>
      {mails.isPending && <SkeletonRows rows={4} columns={2} />}
      {mails.isError && <ErrorState error={mails.error} onRetry={() => void mails.refetch()} />}
      {mails.data?.messages.length === 0 && <Empty title="No mail yet. It appears here by itself." />}
      <ul className={classes.list}>
        {mails.data?.messages.map((mail) => (
          <li key={`${mail.sentAt}${mail.to}${mail.subject}`} className={classes.mail}>
            <div className={classes.head}>
              <strong>{mail.subject}</strong>
              <span className={classes.hint}>{formatDateTime(Date.parse(mail.sentAt))}</span>
            </div>
            <div className={classes.hint}>{mail.to}</div>
            <pre className={classes.text}>{mail.text}</pre>
            <CopyCode text={mail.text} />
          </li>
        ))}
      </ul>
    </div>
  );
}

async function copy(code: string): Promise<void> {
  await navigator.clipboard.writeText(code).then(
    () => noticeSuccess('Copied!', code),
    () => noticeError('Not copied', 'Unable to copy to the clipboard.'),
  );
}

function CopyCode({ text }: { readonly text: string }) {
  const code = /\b\d{6}\b/.exec(text)?.[0];
  if (!code) return null;
  return (
    <Button size="compact-sm" variant="default" onClick={() => void copy(code)}>
      Copy {code}
    </Button>
  );
}
