/** The frame of the public screens about perpetuals, and what all of them ask for. */
import type { AnswerOf } from '@cambist/contract/call.ts';
import { perpetuals } from '@cambist/contract/perpetuals.ts';
import { queryOptions } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { call } from '../../lib/api-client.ts';
import { every } from '../../lib/away.ts';
import { t } from '../../lib/i18n.ts';
import { useTitle } from '../../lib/use-title.ts';
import { LinkTabs } from '../../ui/link-tabs.tsx';
import { Page } from '../../ui/page.tsx';

export type Perpetual = AnswerOf<typeof perpetuals>['perpetuals'][number];

const POLL_MS = 5_000;

export const perpetualsQuery = queryOptions({
  queryKey: ['perpetuals'],
  queryFn: ({ signal }) => call(perpetuals, { signal }),
  refetchInterval: every(POLL_MS),
});

interface FrameProps {
  readonly title: string;
  readonly aside?: ReactNode;
  readonly children: ReactNode;
}

export function Frame({ title, aside, children }: FrameProps) {
  useTitle(title);
  const tabs = [
    { to: '/futures/rules', label: t('Rules') },
    { to: '/futures/funding', label: t('Funding rates') },
    { to: '/futures/insurance', label: t('Insurance fund') },
  ];
  return (
    <Page title={title} actions={aside}>
      <LinkTabs label={t('Perpetual futures')} tabs={tabs} />
      {children}
    </Page>
  );
}
