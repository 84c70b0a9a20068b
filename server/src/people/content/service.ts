/** The sections as they stand, in memory; every save goes to the store first and is checked by its schema. */
import {
  type ReadContent,
  readSections,
  SECTION_NAMES,
  type SectionName,
  type StoredContent,
  storedSections,
} from '@cambist/contract/content.ts';
import type { LocaleName } from '@cambist/contract/locales.ts';
import type { z } from 'zod';
import { inLocale, type OperatorFacts } from './locale.ts';
import { seedOf } from './seed.ts';
import type { ContentRow, ContentStore } from './store.ts';

export { createContentStore } from './store.ts';

export interface ContentDeps {
  readonly store: ContentStore;
  readonly facts: OperatorFacts;
  readonly clock: { now(): number };
}

export type Saved =
  | { readonly ok: true; readonly row: ContentRow }
  | { readonly ok: false; readonly error: 'changed-since'; readonly current: number }
  | { readonly ok: false; readonly error: 'invalid'; readonly issues: z.core.$ZodIssue[] }
  | { readonly ok: false; readonly error: 'no-such-version' };

interface Current {
  readonly row: ContentRow;
  readonly content: unknown;
}

/** What a reader may see now: entries that are switched on, and within their time. */
function visible(entry: { enabled?: boolean; starts_at?: number | null; ends_at?: number | null }, now: number) {
  const { enabled = true, starts_at, ends_at } = entry;
  return enabled && (starts_at ?? 0) <= now && (ends_at ?? Number.POSITIVE_INFINITY) > now;
}

export async function createContentService({ store, facts, clock }: ContentDeps) {
  const sections = new Map<SectionName, Current>();
  /** A newer one, which another may have kept meanwhile, stays. */
  function keep(row: ContentRow): void {
    if (row.version > (sections.get(row.section)?.row.version ?? 0))
      sections.set(row.section, { row, content: JSON.parse(row.content) });
  }
  const readAll = async () => (await store.current()).forEach(keep);

  await readAll();
  for (const section of SECTION_NAMES.filter((name) => !sections.has(name))) {
    const content = storedSections[section].parse(seedOf(section, clock.now()));
    const seed = { section, basedOn: 0, savedBy: null, savedAt: clock.now(), note: '' };
    const row = await store.append({ ...seed, content: JSON.stringify(content) });
    if (row !== undefined) keep(row);
  }

  function current(section: SectionName): Current {
    const found = sections.get(section);
    if (found === undefined) throw new Error(`The section ${section} has no version`);
    return found;
  }

  async function save(
    section: SectionName,
    given: unknown,
    { basedOn, by, note }: { basedOn: number; by: number; note: string },
  ): Promise<Saved> {
    const parsed = storedSections[section].safeParse(given);
    if (!parsed.success) return { ok: false, error: 'invalid', issues: parsed.error.issues };
    const content = JSON.stringify(parsed.data);
    const row = await store.append({ section, basedOn, content, savedBy: by, savedAt: clock.now(), note });
    if (row === undefined) {
      // A save that the database took without an answer is in no memory.
      await readAll();
      return { ok: false, error: 'changed-since', current: current(section).row.version };
    }
    keep(row);
    return { ok: true, row };
  }

  return {
    /** With every locale, as it is kept. */
    stored: <Name extends SectionName>(section: Name) => current(section).content as StoredContent<Name>,

    /** In one locale, with what is switched off or out of its time left out. */
    read<Name extends SectionName>(section: Name, locale: LocaleName): { version: number; content: ReadContent<Name> } {
      const { row, content } = current(section);
      const now = clock.now();
      const shown = (content as { items?: { enabled?: boolean }[] }).items?.filter((item) => visible(item, now));
      const whole = inLocale(shown === undefined ? content : { items: shown }, locale, facts);
      // Reading drops nothing that the section's shape has; parsing only narrows the type.
      return { version: row.version, content: readSections[section].parse(whole) as ReadContent<Name> };
    },

    currentRows: (): ContentRow[] => SECTION_NAMES.map((section) => current(section).row),
    async row(section: SectionName, version: number | undefined): Promise<ContentRow | undefined> {
      return version === undefined ? current(section).row : store.version(section, version);
    },
    history: store.history,
    save,

    /** An earlier version becomes the next one, if it still fits the section's shape. */
    async restore(section: SectionName, version: number, from: { basedOn: number; by: number }): Promise<Saved> {
      const row = await store.version(section, version);
      if (row === undefined) return { ok: false, error: 'no-such-version' };
      return save(section, JSON.parse(row.content), { ...from, note: `Version ${version} again` });
    },
  };
}

export type ContentService = Awaited<ReturnType<typeof createContentService>>;
