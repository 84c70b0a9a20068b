/** The support inbox: every conversation of clients, visitors and the contact form, and the one that is open. */
import type { AnswerOf } from '@cambist/contract/call.ts';
import { supportInbox } from '@cambist/contract/support.ts';
import { SegmentedControl, Switch, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../../lib/api-client.ts';
import { every } from '../../../lib/away.ts';
import { formatDateTime } from '../../../lib/format.ts';
import { t } from '../../../lib/i18n.ts';
import { Empty, ErrorState, SkeletonRows } from '../../../ui/states.tsx';
import { Console } from '../console.tsx';
import { INBOX_KEY } from '../waiting.ts';
import { customerLabel } from './customer-label.ts';
import classes from './support-page.module.css';
import { Thread } from './thread.tsx';

type Conversation = AnswerOf<typeof supportInbox>['conversations'][number];
type State = 'open' | 'closed';

const POLL_MS = 10_000;
const TYPING_MS = 250;
const SHOWN = 100;

interface Filter {
  readonly state: State;
  readonly unread: boolean;
  readonly search: string;
}

function useInbox({ state, unread, search }: Filter) {
  const query = { state, unread: unread ? ('true' as const) : ('false' as const), search, limit: SHOWN };
  return useQuery({
    queryKey: [...INBOX_KEY, query],
    queryFn: ({ signal }) => call(supportInbox, { query, signal }),
    refetchInterval: every(POLL_MS),
  });
}

export function SupportPage() {
  const [state, setState] = useState<State>('open');
  const [unread, setUnread] = useState(false);
  const [search, setSearch] = useState('');
  const [wanted] = useDebouncedValue(search.trim(), TYPING_MS);
  const [chosen, setChosen] = useState<number>();
  const inbox = useInbox({ state, unread, search: wanted });
  return (
    <Console title={t('Support')}>
      <div className={classes.filters}>
        <SegmentedControl
          aria-label={t('State')}
          data={[
            { value: 'open', label: t('Open ({{count}})', { count: inbox.data?.counts.open ?? 0 }) },
            { value: 'closed', label: t('Closed', { context: 'inbox' }) },
          ]}
          value={state}
          onChange={(value) => setState(value as State)}
        />
        <Switch
          label={t('Unread only')}
          checked={unread}
          onChange={(event) => setUnread(event.currentTarget.checked)}
        />
        <TextInput
          aria-label={t('Search conversations')}
          placeholder={t('Subject, name or address')}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
      </div>
      <div className={classes.desk}>
        <div className={classes.list}>
          {inbox.isPending && <SkeletonRows rows={8} columns={2} />}
          {inbox.isError && !inbox.data && <ErrorState error={inbox.error} onRetry={() => void inbox.refetch()} />}
          {inbox.data?.conversations.length === 0 && <Empty title={t('Nothing waiting.')} />}
          {inbox.data?.conversations.map((conversation) => (
            <Entry
              key={conversation.id}
              conversation={conversation}
              chosen={conversation.id === chosen}
              onChoose={() => setChosen(conversation.id)}
            />
          ))}
        </div>
        <div className={classes.thread}>
          {chosen === undefined ? <Empty title={t('Choose a conversation.')} /> : <Thread key={chosen} id={chosen} />}
        </div>
      </div>
    </Console>
  );
}

interface EntryProps {
  readonly conversation: Conversation;
  readonly chosen: boolean;
  readonly onChoose: () => void;
}

function Entry({ conversation, chosen, onChoose }: EntryProps) {
  const { customer, unread } = conversation;
  return (
    <button type="button" className={classes.entry} aria-pressed={chosen} onClick={onChoose}>
      <span className={classes.subject}>
        {conversation.subject}
        {unread > 0 && (
          <span className={classes.badge} title={t('Unread')}>
            {unread}
          </span>
        )}
      </span>
      <span className={classes.who}>
        {customerLabel(customer)} · {formatDateTime(conversation.updated_at)}
      </span>
    </button>
  );
}
