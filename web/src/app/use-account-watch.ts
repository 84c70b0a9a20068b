/** Every five minutes: is the account still open, and is the exchange? If not, the person is signed out and told why. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useNavigate } from 'react-router';
import { useBlock } from '../lib/block-store.ts';
import { forgetKept } from '../lib/kept-answers.ts';
import { accountCheckQuery, LOGOUT_KEY } from '../lib/queries/account.ts';
import { signInPath } from '../lib/return-path.ts';
import { useSession } from '../lib/session-store.ts';
import { useStepUp } from '../lib/step-up-store.ts';
import { useRouteHandle } from './route-handle.ts';

export function useAccountWatch(): void {
  const token = useSession((session) => session.token);
  const { data } = useQuery({ ...accountCheckQuery, enabled: token !== undefined });
  const client = data?.client;
  const navigate = useNavigate();
  useEffect(() => {
    if (!client || !useSession.getState().token) return;
    const { setClient, signOut } = useSession.getState();
    setClient(client);
    const restriction = client.restriction ?? undefined;
    if (client.platform_status === 'maintenance') useBlock.getState().setBlock({ kind: 'MAINTENANCE', restriction });
    else if (client.status === 'FREEZE_ACCOUNT') useBlock.getState().setBlock({ kind: 'FREEZE_ACCOUNT', restriction });
    else return;
    // From every screen, and without a way back to it: what they must read now stands over the sign-in.
    void Promise.resolve(navigate('/signin')).then(() => signOut());
  }, [client, navigate]);
  useSignedOut(token);
}

/** When a session ends, whoever ended it, its data goes and a guarded screen gives way to sign-in. */
function useSignedOut(token: string | undefined): void {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const guarded = useRouteHandle().guarded ?? false;
  // Mounted for who was signed in: one whose session ended before that is signed out now.
  const before = useRef<string | undefined>(token ?? 'ended');
  useEffect(() => {
    const had = before.current;
    before.current = token;
    if (!had || token) return;
    queries.removeQueries({ queryKey: ['account'] });
    forgetKept();
    // What it was to confirm has ended with the session.
    useStepUp.getState().answer(false);
    // Where the browser is now: a logout has already left the screen when its session ends.
    const { pathname, search } = window.location;
    // A logout leads to sign-in by itself, after its pause and without a way back.
    if (guarded && queries.isMutating({ mutationKey: LOGOUT_KEY }) === 0) void navigate(signInPath(pathname + search));
  }, [token, guarded, navigate, queries]);
}
