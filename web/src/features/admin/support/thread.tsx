import type { AnswerOf } from '@cambist/contract/call.ts';
import {
  answerConversation,
  assignConversation,
  setConversationState,
  supportThread,
} from '@cambist/contract/support.ts';
import { Button, Textarea } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { call } from '../../../lib/api-client.ts';
import { every } from '../../../lib/away.ts';
import { restOfDraft, useDraft } from '../../../lib/drafts.ts';
import { formatDateTime } from '../../../lib/format.ts';
import { msg, t } from '../../../lib/i18n.ts';
import { sendMessageOnce } from '../../../lib/send-once.ts';
import { useSession } from '../../../lib/session-store.ts';
import { ErrorState, SkeletonRows } from '../../../ui/states.tsx';
import { ADMIN_KEY, useAct } from '../use-act.ts';
import { INBOX_KEY } from '../waiting.ts';
import { customerLabel } from './customer-label.ts';
import classes from './support-page.module.css';

const POLL_MS = 5_000;
const MESSAGE_LIMIT = 4_000;

const MAIL_STATES = { none: '', sent: msg('also by email'), failed: msg('email failed') } as const;

/** What is shown has been seen: the inbox and its count say so at once. */
function useThread(id: number) {
  const queries = useQueryClient();
  const thread = useQuery({
    queryKey: [...ADMIN_KEY, 'thread', id],
    queryFn: ({ signal }) => call(supportThread, { params: { id }, query: { seen: 'true' }, signal }),
    refetchInterval: every(POLL_MS),
  });
  const newest = thread.data?.messages.at(-1)?.id;
  useEffect(() => {
    if (newest !== undefined) void queries.invalidateQueries({ queryKey: INBOX_KEY });
  }, [newest, queries]);
  return thread;
}

/** It begins at the newest one, and goes on to each that comes. */
function Messages({ thread: { conversation, messages } }: { readonly thread: AnswerOf<typeof supportThread> }) {
  const list = useRef<HTMLOListElement>(null);
  const newest = messages.at(-1)?.id;
  useEffect(() => {
    if (newest !== undefined) list.current?.scrollTo({ top: list.current.scrollHeight });
  }, [newest]);
  return (
    <ol ref={list} className={classes.messages}>
      {messages.map((message) => (
        <li key={message.id} className={message.author === 'operator' ? classes.ours : classes.theirs}>
          <p className={classes.body}>{message.body}</p>
          <span className={classes.who}>
            {message.operator_email ?? customerLabel(conversation.customer)} · {formatDateTime(message.sent_at)}{' '}
            {t(MAIL_STATES[message.mail])}
          </span>
        </li>
      ))}
    </ol>
  );
}

/** On a phone the conversation is below the list that it was chosen from. */
const intoSight = (form: HTMLFormElement | null) => form?.scrollIntoView({ block: 'nearest' });

export function Thread({ id }: { readonly id: number }) {
  const thread = useThread(id);
  const me = useSession((session) => session.client?.id);
  const [text, setText] = useDraft(`answer ${id}`, '');
  const params = { id };
  const answer = useAct(async (message: string) => {
    await sendMessageOnce(`answer ${id}`, message, (idempotencyKey) =>
      call(answerConversation, { params, body: { message }, idempotencyKey }),
    );
    setText((written) => restOfDraft(message, written));
  });
  const close = useAct((state: 'open' | 'closed') => call(setConversationState, { params, body: { state } }));
  const assign = useAct((operator: number | null) =>
    call(assignConversation, { params, body: { operator_id: operator } }),
  );
  if (thread.isLoadingError) return <ErrorState error={thread.error} onRetry={() => void thread.refetch()} />;
  if (!thread.data) return <SkeletonRows rows={6} columns={1} />;
  const { conversation } = thread.data;
  const open = conversation.state === 'open';
  const mine = conversation.assigned_to?.client_id === me;
  return (
    <>
      <header className={classes.head}>
        <h2 className={classes.title}>{conversation.subject}</h2>
        <span className={classes.who}>
          {t('No. {{id}}', { id })} · {conversation.assigned_to?.email ?? t('Unassigned')}
        </span>
        <Button size="compact-sm" variant="default" onClick={() => assign.mutate(mine ? null : (me ?? null))}>
          {mine ? t('Unassign') : t('Assign to me')}
        </Button>
        <Button size="compact-sm" variant="default" onClick={() => close.mutate(open ? 'closed' : 'open')}>
          {open ? t('Close') : t('Open again')}
        </Button>
      </header>
      <Messages thread={thread.data} />
      <form
        ref={intoSight}
        className={classes.answer}
        onSubmit={(event) => {
          event.preventDefault();
          if (text.trim() !== '' && !answer.isPending) answer.mutate(text);
        }}
      >
        <Textarea
          aria-label={t('Answer')}
          placeholder={t('Answer')}
          autosize
          minRows={2}
          maxRows={8}
          maxLength={MESSAGE_LIMIT}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <Button type="submit" loading={answer.isPending} disabled={text.trim() === ''}>
          {t('Send')}
        </Button>
      </form>
    </>
  );
}
