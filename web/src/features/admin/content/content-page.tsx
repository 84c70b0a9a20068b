/** What the operator writes: every section, who saved it last, and the way to its editor. */
import type { AnswerOf } from '@cambist/contract/call.ts';
import { contentSections } from '@cambist/contract/content.ts';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from 'react-router';
import { call } from '../../../lib/api-client.ts';
import { formatDateTime } from '../../../lib/format.ts';
import { msg, t } from '../../../lib/i18n.ts';
import { type Column, DenseTable } from '../../../ui/dense-table.tsx';
import { ErrorState, SkeletonRows } from '../../../ui/states.tsx';
import { Console } from '../console.tsx';
import { Section } from '../section.tsx';
import { ADMIN_KEY } from '../use-act.ts';

type Row = AnswerOf<typeof contentSections>['sections'][number];

export const SECTION_TITLES: Readonly<Record<Row['section'], string>> = {
  news: msg('News'),
  banners: msg('Announcements'),
  faq: msg('Questions'),
  claims: msg('Claims'),
  promos: msg('Promotions'),
  terms: msg('Terms of use'),
  privacy: msg('Privacy policy'),
  about: msg('About'),
  downloads: msg('Downloads'),
  community: msg('Community'),
  contacts: msg('Contacts'),
};

const COLUMNS: readonly Column<Row>[] = [
  {
    id: 'section',
    title: msg('Section'),
    cell: (row) => <Link to={`/admin/content/${row.section}`}>{t(SECTION_TITLES[row.section])}</Link>,
  },
  { id: 'version', title: msg('Version'), align: 'right', cell: (row) => row.version },
  { id: 'by', title: msg('By'), wideOnly: true, cell: (row) => row.saved_by_email ?? t('Built in') },
  { id: 'at', title: msg('Saved at'), align: 'right', cell: (row) => formatDateTime(row.saved_at) },
];

export function ContentPage() {
  const navigate = useNavigate();
  const list = useQuery({
    queryKey: [...ADMIN_KEY, 'content'],
    queryFn: ({ signal }) => call(contentSections, { signal }),
  });
  return (
    <Console title={t('Content')}>
      <Section title={t('Sections')}>
        {list.isPending && <SkeletonRows rows={11} columns={3} />}
        {list.isError && <ErrorState error={list.error} onRetry={() => void list.refetch()} />}
        {list.data && (
          <DenseTable
            tall
            label={t('Sections')}
            columns={COLUMNS}
            rows={list.data.sections}
            rowKey={(row) => row.section}
            onRowClick={(row) => void navigate(`/admin/content/${row.section}`)}
          />
        )}
      </Section>
    </Console>
  );
}
