import { login } from '@cambist/contract/accounts.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearchParams } from 'react-router';
import { call } from '../../lib/api-client.ts';
import { messageOf } from '../../lib/api-problem.ts';
import { overviewQuery, spotWalletQuery } from '../../lib/queries/account.ts';
import { returnPath } from '../../lib/return-path.ts';
import { useSession } from '../../lib/session-store.ts';
import { noticeError } from '../../ui/notices.ts';

interface Credentials {
  readonly username: string;
  readonly password: string;
}

const FROZEN = 'Your account has been freezed. Please contact customer service for more details.';

/** Signs in and goes to where the person was, or to the wallet. */
export function useSignIn() {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [search] = useSearchParams();
  return useMutation({
    mutationFn: (credentials: Credentials) => call(login, { body: credentials }),
    onError: (error) => noticeError('Login Failed', messageOf(error)),
    onSuccess: async (answer) => {
      if (answer.client.platform_status === 'maintenance') {
        return noticeError('Scheduled Maintenance Notice', 'The exchange is being maintained. Please come back later.');
      }
      if (answer.client.status === 'FREEZE_ACCOUNT') return noticeError('Freezed Account!', FROZEN);
      useSession.getState().signIn(answer);
      void queries.prefetchQuery(overviewQuery);
      void queries.prefetchQuery(spotWalletQuery);
      await navigate(returnPath(search), { replace: true });
    },
  });
}
