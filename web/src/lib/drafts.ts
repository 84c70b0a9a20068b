/**
 * What a person has begun to write and has not sent. It outlives its screen, a reload of the page and a session that ends, in
 * this tab and for its writer alone, and goes when they log out.
 */
import { useLayoutEffect } from 'react';
import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import { useSession } from './session-store.ts';
import { inTab } from './storage.ts';

const useDrafts = create<Readonly<Record<string, unknown>>>()(persist(() => ({}), inTab('cambist.drafts')));

function forget(key: string): void {
  const { [key]: _, ...others } = useDrafts.getState();
  useDrafts.setState(others, true);
}

/** Who logs out leaves nothing that was written to whoever sits here next. */
export const forgetDrafts = () => useDrafts.setState({}, true);

const VISITOR = 'visitor';

type Change<Value> = Value | ((written: Value) => Value);

/**
 * As `useState`, for what can be written as JSON.
 *
 * @param name what it is for, such as an answer in one conversation
 * @param blank what there is before anything was written; written again, nothing is kept
 */
export function useDraft<Value>(name: string, blank: Value): readonly [Value, (change: Change<Value>) => void] {
  return useDraftOf(
    useSession(({ client }) => client?.id ?? VISITOR),
    name,
    blank,
  );
}

/**
 * As `useDraft`, for what is written on the way in: it stays the visitor's when the session begins, and goes with the screen, or
 * at the next one where the page was left before that.
 */
export function useVisitorDraft<Value>(name: string, blank: Value) {
  useLayoutEffect(() => {
    const forgetInSession = () => {
      if (useSession.getState().token !== undefined) forget(`${VISITOR} ${name}`);
    };
    forgetInSession();
    return forgetInSession;
  }, [name]);
  return useDraftOf(VISITOR, name, blank);
}

function useDraftOf<Value>(writer: number | string, name: string, blank: Value) {
  const key = `${writer} ${name}`;
  const writtenIn = (drafts: Readonly<Record<string, unknown>>) => (key in drafts ? (drafts[key] as Value) : blank);
  const write = (change: Change<Value>) => {
    const value = change instanceof Function ? change(writtenIn(useDrafts.getState())) : change;
    if (value === blank) forget(key);
    else useDrafts.setState({ [key]: value });
  };
  return [useDrafts(writtenIn), write] as const;
}

/** What is left in the field of a message that has been sent: what was typed after it, while it was on its way, is the next one. */
export function restOfDraft(sent: string, typed: string): string {
  return typed.startsWith(sent) ? typed.slice(sent.length).trimStart() : typed;
}
