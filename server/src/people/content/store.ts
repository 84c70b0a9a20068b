/** Versions of what the operator writes. Nothing is changed or deleted here. */
import type { SectionName } from '@cambist/contract/content.ts';
import { ConstraintViolation, type Database } from '../../platform/database.ts';

export type VersionRow = {
  readonly section: SectionName;
  readonly version: number;
  readonly saved_by: number | null;
  readonly saved_at: number;
  readonly note: string;
};

export type ContentRow = VersionRow & {
  /** JSON. */
  readonly content: string;
};

export interface NewVersion {
  readonly section: SectionName;
  /** 0 for the first. */
  readonly basedOn: number;
  readonly content: string;
  readonly savedBy: number | null;
  readonly savedAt: number;
  readonly note: string;
}

const versionColumns = 'section, version, saved_by, saved_at, note';

export function createContentStore(database: Database) {
  return {
    current(): Promise<ContentRow[]> {
      return database.query<ContentRow>(
        `SELECT DISTINCT ON (section) ${versionColumns}, content FROM content_versions
         ORDER BY section, version DESC`,
      );
    },
    async version(section: SectionName, version: number): Promise<ContentRow | undefined> {
      const [row] = await database.query<ContentRow>(
        `SELECT ${versionColumns}, content FROM content_versions WHERE section = $1 AND version = $2`,
        [section, version],
      );
      return row;
    },
    /** Newest first. */
    history(section: SectionName, before: number | undefined, limit: number): Promise<VersionRow[]> {
      return database.query<VersionRow>(
        `SELECT ${versionColumns} FROM content_versions
         WHERE section = $1 AND ($2::int IS NULL OR version < $2) ORDER BY version DESC LIMIT $3`,
        [section, before ?? null, limit],
      );
    },
    /** Answers undefined when the version that it is based on is no longer the newest. */
    async append(version: NewVersion): Promise<ContentRow | undefined> {
      const { section, basedOn, content, savedBy, savedAt, note } = version;
      try {
        const [row] = await database.query<ContentRow>(
          `INSERT INTO content_versions (section, version, content, saved_by, saved_at, note)
           SELECT $1::text, $2::int + 1, $3::text, $4::bigint, $5::bigint, $6::text
           WHERE (SELECT coalesce(max(version), 0) FROM content_versions WHERE section = $1) = $2
           RETURNING ${versionColumns}, content`,
          [section, basedOn, content, savedBy, savedAt, note],
        );
        return row;
      } catch (error) {
        // Two saved at the same moment; the key let one of them in.
        if (error instanceof ConstraintViolation && error.constraint === 'content_versions_pkey') return undefined;
        throw error;
      }
    },
  };
}

export type ContentStore = ReturnType<typeof createContentStore>;
