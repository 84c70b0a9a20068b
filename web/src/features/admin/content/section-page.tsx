/** The editor of one section: its fields in every language, and its earlier versions. */
import {
  contentHistory,
  contentToEdit,
  restoreContent,
  type SectionName,
  saveContent,
} from '@cambist/contract/content.ts';
import { Alert, Button, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useParams } from 'react-router';
import { call } from '../../../lib/api-client.ts';
import { ApiProblem } from '../../../lib/api-problem.ts';
import { useDraft } from '../../../lib/drafts.ts';
import { formatDateTime } from '../../../lib/format.ts';
import { t } from '../../../lib/i18n.ts';
import { Empty, ErrorState, SkeletonRows } from '../../../ui/states.tsx';
import classes from '../console.module.css';
import { Console } from '../console.tsx';
import { Section } from '../section.tsx';
import { ADMIN_KEY, useAct } from '../use-act.ts';
import type { Value } from './blank-items.ts';
import { SECTION_TITLES } from './content-page.tsx';
import { placeOf } from './field-texts.ts';
import { Fields } from './fields.tsx';

type Draft = Readonly<Record<string, Value>>;

const HISTORY = 20;
const NOTE_LIMIT = 200;

const isSection = (name: string | undefined): name is SectionName => name !== undefined && name in SECTION_TITLES;

export function SectionPage() {
  const { section: name } = useParams();
  return isSection(name) ? <Editor section={name} /> : <Empty title={t('Section not found.')} />;
}

function Editor({ section }: { readonly section: SectionName }) {
  const stored = useQuery({
    queryKey: [...ADMIN_KEY, 'content', section],
    queryFn: ({ signal }) => call(contentToEdit, { params: { section }, query: {}, signal }),
    // What is being typed must not be replaced by a reading in between.
    refetchOnWindowFocus: false,
  });
  return (
    <Console title={t(SECTION_TITLES[section])}>
      {stored.isPending && <SkeletonRows rows={10} columns={1} />}
      {stored.isError && <ErrorState error={stored.error} onRetry={() => void stored.refetch()} />}
      {stored.data && (
        <Form
          key={stored.data.version}
          section={section}
          version={stored.data.version}
          content={stored.data.content as unknown as Draft}
        />
      )}
      {stored.data && <History section={section} current={stored.data.version} />}
    </Console>
  );
}

interface FormProps {
  readonly section: SectionName;
  readonly version: number;
  readonly content: Draft;
}

function Form({ section, version, content }: FormProps) {
  const [draft, setDraft] = useDraft(`content ${section} ${version}`, content);
  const [note, setNote] = useState('');
  const save = useAct(async () => {
    await call(saveContent, { params: { section }, body: { based_on: version, note, content: draft as never } });
    setDraft(content);
  });
  const wrong = save.error instanceof ApiProblem ? [...save.error.fields] : [];
  return (
    <Section title={t('Version {{version}}', { version })}>
      <Fields section={section} value={draft} onChange={setDraft} />
      {wrong.length > 0 && (
        <Alert color="red" mt="md" title={t('Fix this first')}>
          {wrong.map(([field, message]) => (
            <p key={field} className={classes.quiet}>
              {placeOf(field.replace(/^content\./, ''))}: {message}
            </p>
          ))}
        </Alert>
      )}
      <div className={classes.row} style={{ marginTop: 16 }}>
        <TextInput
          label={t('Version note')}
          maxLength={NOTE_LIMIT}
          value={note}
          onChange={(event) => setNote(event.currentTarget.value)}
        />
        <Button loading={save.isPending} disabled={draft === content} onClick={() => save.mutate(undefined)}>
          {t('Save')}
        </Button>
        {draft !== content && (
          <Button variant="default" disabled={save.isPending} onClick={() => setDraft(content)}>
            {t('Discard changes')}
          </Button>
        )}
      </div>
    </Section>
  );
}

function History({ section, current }: { readonly section: SectionName; readonly current: number }) {
  const params = { section };
  const versions = useQuery({
    queryKey: [...ADMIN_KEY, 'content', section, 'history'],
    queryFn: ({ signal }) => call(contentHistory, { params, query: { limit: HISTORY }, signal }),
  }).data?.versions;
  const restore = useAct((version: number) => call(restoreContent, { params, body: { version, based_on: current } }));
  return (
    <Section title={t('Version history')}>
      {versions?.map((one) => (
        <div key={one.version} className={classes.statement}>
          <p className={classes.quiet}>
            {t('Version {{version}}', { version: one.version })} · {formatDateTime(one.saved_at)} ·{' '}
            {one.saved_by_email ?? t('Built in')} {one.note && `· ${one.note}`}
          </p>
          {one.version !== current && (
            <Button size="compact-xs" variant="default" onClick={() => restore.mutate(one.version)}>
              {t('Restore this version')}
            </Button>
          )}
        </div>
      ))}
    </Section>
  );
}
