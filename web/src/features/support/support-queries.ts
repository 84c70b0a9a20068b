/** The person's conversations: a client's by his session, a visitor's by the token that his browser keeps. */
import {
  closeConversation,
  conversations,
  openConversation,
  readConversation,
  writeMessage,
} from '@cambist/contract/support.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { call } from '../../lib/api-client.ts';
import { ApiProblem } from '../../lib/api-problem.ts';
import { every } from '../../lib/away.ts';
import { useLocale } from '../../lib/i18n.ts';
import type { Moment } from '../../lib/moments.ts';
import { readUpTo } from '../../lib/queries/held.ts';
import { sendMessageOnce, visitorTokenOf } from '../../lib/send-once.ts';
import { useSession } from '../../lib/session-store.ts';
import { privateStream, useStale } from '../../lib/streams.ts';
import { useVisitor } from './visitor-store.ts';

/** Visitors have no stream; they ask this often while they look, and while the button waits in its corner. */
const LOOKING_MS = 4_000;
const WAITING_MS = 60_000;

const supportKey = ['account', 'support'] as const;

interface Asker {
  /** In cache keys, so that the next account does not see the conversations of the one before. */
  readonly key: string;
  readonly isKnown: boolean;
  readonly body: { visitor_token?: string };
}

function useAsker(): Asker {
  const clientId = useSession((session) => session.client?.id);
  const signedIn = useSession((session) => session.token !== undefined);
  const token = useVisitor((visitor) => visitor.token);
  if (signedIn) return { key: `client ${clientId}`, isKnown: true, body: {} };
  return { key: `visitor ${token}`, isKnown: token !== undefined, body: token ? { visitor_token: token } : {} };
}

/** A client hears of new messages from the stream, and asks only while that is silent. */
function usePollMs(isLooking: boolean): number | false {
  const signedIn = useSession((session) => session.token !== undefined);
  const stale = useStale(privateStream);
  if (signedIn && !stale) return false;
  return isLooking ? LOOKING_MS : WAITING_MS;
}

export function useConversations(isLooking: boolean) {
  const { key, isKnown, body } = useAsker();
  const query = useQuery({
    queryKey: [...supportKey, key],
    queryFn: ({ signal }) => call(conversations, { body, signal }),
    enabled: isKnown,
    refetchInterval: every(usePollMs(isLooking)),
  });
  const { error } = query;
  useEffect(() => {
    if (error instanceof ApiProblem && error.code === 'UNKNOWN_VISITOR') useVisitor.getState().setToken(undefined);
  }, [error]);
  return query;
}

export function useThread(id: number) {
  const queries = useQueryClient();
  const { key, body } = useAsker();
  return useQuery({
    queryKey: [...supportKey, key, id],
    queryFn: async ({ signal }) => {
      const thread = await call(readConversation, { params: { id }, body: { ...body, seen: true }, signal });
      // What was unread in the list no longer is.
      void queries.invalidateQueries({ queryKey: [...supportKey, key], exact: true });
      return thread;
    },
    refetchInterval: every(usePollMs(true)),
  });
}

/** Every message that comes for a client, from either side. */
export function useSupportStream(): void {
  const queries = useQueryClient();
  const signedIn = useSession((session) => session.token !== undefined);
  useEffect(() => {
    if (!signedIn) return;
    const readFor = (moment: Moment) => void readUpTo(queries, supportKey, moment);
    return privateStream.subscribe(
      { channel: 'support' },
      { onPush: ({ moment }) => readFor(moment), onReset: readFor },
    );
  }, [signedIn, queries]);
}

type Opening = Pick<Parameters<typeof call<typeof openConversation>>[1] & object, 'body'>['body'];

/** `onOpened` belongs to the one who stays: with the token of a first conversation, the form is drawn anew. */
export function useOpenConversation(onOpened: (id: number) => void) {
  const queries = useQueryClient();
  const { body } = useAsker();
  const locale = useLocale().name;
  return useMutation({
    mutationFn: (opening: NonNullable<Opening>) =>
      sendMessageOnce('conversation', opening, async (idempotencyKey) => {
        const first_token = await visitorTokenOf(idempotencyKey);
        return call(openConversation, { body: { ...opening, ...body, locale, first_token }, idempotencyKey });
      }),
    onSuccess: ({ visitor_token, conversation }) => {
      onOpened(conversation.id);
      if (visitor_token) useVisitor.getState().setToken(visitor_token);
      return queries.invalidateQueries({ queryKey: supportKey });
    },
  });
}

/** @param onSent also of a message whose screen has gone meanwhile */
export function useWriteMessage(id: number, onSent: (message: string) => void) {
  const queries = useQueryClient();
  const { body } = useAsker();
  return useMutation({
    mutationFn: (message: string) =>
      sendMessageOnce(`message ${id}`, message, (idempotencyKey) =>
        call(writeMessage, { params: { id }, body: { ...body, message }, idempotencyKey }),
      ),
    onSuccess: (_, message) => {
      onSent(message);
      return queries.invalidateQueries({ queryKey: supportKey });
    },
  });
}

export function useCloseConversation(id: number) {
  const queries = useQueryClient();
  const { body } = useAsker();
  return useMutation({
    mutationFn: () => call(closeConversation, { params: { id }, body }),
    onSuccess: () => queries.invalidateQueries({ queryKey: supportKey }),
  });
}
