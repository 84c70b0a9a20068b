/** One conversation, newest message last, and a place to write. */

import { ActionIcon, Button, Textarea } from '@mantine/core';
import { type FormEvent, type KeyboardEvent, useEffect, useRef } from 'react';
import { messageOf } from '../../lib/api-problem.ts';
import { restOfDraft, useDraft } from '../../lib/drafts.ts';
import { formatDateTime } from '../../lib/format.ts';
import { t } from '../../lib/i18n.ts';
import { IconSend2 } from '../../ui/icons.ts';
import { ErrorState, SkeletonRows } from '../../ui/states.tsx';
import classes from './chat.module.css';
import { useCloseConversation, useThread, useWriteMessage } from './support-queries.ts';

export function Thread({ id }: { readonly id: number }) {
  const { data, error, refetch } = useThread(id);
  const close = useCloseConversation(id);
  const end = useRef<HTMLDivElement>(null);
  const newest = data?.messages.at(-1)?.id;
  useEffect(() => {
    if (newest !== undefined) end.current?.scrollIntoView({ block: 'end' });
  }, [newest]);
  if (!data)
    return error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <SkeletonRows rows={4} columns={1} />;
  const { conversation, messages } = data;
  return (
    <>
      <header className={classes.about}>
        <h3 className={classes.heading}>{conversation.subject}</h3>
        {conversation.state === 'open' && (
          <Button
            variant="subtle"
            color="gray"
            size="compact-xs"
            loading={close.isPending}
            onClick={() => close.mutate()}
          >
            {t('Mark as resolved')}
          </Button>
        )}
      </header>
      <div className={classes.messages} role="log" aria-label={t('Messages')}>
        {messages.map((message) => (
          <div key={message.id} className={message.author === 'customer' ? classes.own : classes.theirs}>
            <p className={classes.words}>{message.body}</p>
            <span className={classes.time}>
              {message.author === 'customer' ? t('You') : t('Support')} · {formatDateTime(message.sent_at)}
            </span>
          </div>
        ))}
        {conversation.state === 'closed' && (
          <p className={classes.closed}>{t('This conversation is closed. Send a message to reopen it.')}</p>
        )}
        <div ref={end} />
      </div>
      <Writer id={id} />
    </>
  );
}

function Writer({ id }: { readonly id: number }) {
  const [draft, setDraft] = useDraft(`message ${id}`, '');
  const write = useWriteMessage(id, (sent) => setDraft((written) => restOfDraft(sent, written)));
  const send = (event?: FormEvent) => {
    event?.preventDefault();
    if (draft.trim() !== '' && !write.isPending) write.mutate(draft);
  };
  const sendOnEnter = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    send();
  };
  return (
    <form className={classes.writer} onSubmit={send}>
      {write.error && (
        <p className={classes.error} role="alert">
          {messageOf(write.error)}
        </p>
      )}
      <div className={classes.line}>
        <Textarea
          aria-label={t('Message')}
          placeholder={t('Enter a message')}
          autosize
          minRows={1}
          maxRows={6}
          maxLength={4_000}
          value={draft}
          onChange={(event) => setDraft(event.currentTarget.value)}
          onKeyDown={sendOnEnter}
          className={classes.field ?? ''}
        />
        <ActionIcon type="submit" size={36} aria-label={t('Send')} loading={write.isPending} disabled={!draft.trim()}>
          <IconSend2 size={18} stroke={1.7} />
        </ActionIcon>
      </div>
    </form>
  );
}
