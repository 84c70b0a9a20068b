/**
 * What the operator writes: news, banners, questions, claims, legal texts, links. Each section is one document, kept in
 * versions. A text is written in English and, where there is one, in the other locales; a reader gets one locale.
 */
import { z } from 'zod';
import { defineCall } from './call.ts';
import { email, LAST_TIME_MS } from './fields.ts';
import { LOCALES, type LocaleName, localeOf } from './locales.ts';

const tag = 'Content';

/** `en` always; another locale that is missing or empty falls back to it. */
export type Localized = { readonly en: string } & { readonly [Name in Exclude<LocaleName, 'en'>]?: string | undefined };

const text = (maximum: number) => z.string().trim().max(maximum, 'Use at most {{maximum}} characters');

function localized(maximum: number) {
  const others = LOCALES.filter(({ name }) => name !== 'en').map(({ name }) => [name, text(maximum).optional()]);
  return z
    .object({ en: text(maximum).min(1, 'The English text is required'), ...Object.fromEntries(others) })
    .strict() as unknown as z.ZodType<Localized>;
}

const ADDRESS = /^(https:\/\/[^\s/?#\\]+[^\s\\]*|\/(?![/\\])[^\s\\]*)$/;

/** Where a link leads: another site by https, or a path of this one. Empty: no link. */
const address = z
  .string()
  .trim()
  .max(500, 'Use at most {{maximum}} characters')
  .regex(ADDRESS, 'Enter an address that begins with https://, or a path that begins with /')
  .or(z.literal(''));

const id = z
  .string()
  .trim()
  .regex(/^[a-z0-9][a-z0-9-]{0,39}$/, 'Use lower-case letters, digits and hyphens, at most 40');

const mailAddress = email.or(z.literal(''));

function distinct<Item extends { readonly id: string }>(items: readonly Item[]): boolean {
  return new Set(items.map((item) => item.id)).size === items.length;
}
const twice = { message: 'Two entries have the same id' };

/** The five figures of marketing. What says `sample` of itself is shown with a visible mark. */
export const CLAIM_IDS = ['coins', 'users', 'earnable', 'minimum', 'counter'] as const;

type Words<Text> = (maximum: number) => Text;

/** Ms since 1970. */
const moment = z.number().int().min(0).max(LAST_TIME_MS);

/** What comes and goes. */
function noticesWith<Text extends z.ZodType>(words: Words<Text>) {
  return {
    news: z.object({
      items: z
        .array(
          z.object({
            id,
            title: words(200),
            body: words(2000),
            url: address,
            imageurl: address,
            /** The newest comes first. */
            published_at: moment,
            /** Stands before everything else, imported news included. */
            pinned: z.boolean(),
          }),
        )
        .max(200)
        .refine(distinct, twice),
    }),
    banners: z.object({
      items: z
        .array(
          z.object({
            id,
            text: words(300),
            url: address,
            enabled: z.boolean(),
            sample: z.boolean(),
            /** Null: from now on, or without end. */
            starts_at: moment.nullable(),
            ends_at: moment.nullable(),
          }),
        )
        .max(10)
        .refine(distinct, twice),
    }),
  };
}

/** Of the first page. */
function firstPageWith<Text extends z.ZodType>(words: Words<Text>) {
  return {
    faq: z.object({
      items: z
        .array(z.object({ id, question: words(200), answer: words(4000) }))
        .length(4, 'The questions section holds exactly four questions')
        .refine(distinct, twice),
    }),
    claims: z.object({
      items: z
        .array(
          z.object({
            id: z.enum(CLAIM_IDS),
            /** `350+`; empty for the counter, whose figure the page computes. */
            figure: words(40).or(z.literal('')),
            text: words(200),
            /** Shown with a visible mark until the operator has put a figure of his own. */
            sample: z.boolean(),
          }),
        )
        .length(CLAIM_IDS.length, 'Keep each of the {{minimum}} claims')
        .refine(distinct, twice),
    }),
    promos: z.object({
      items: z
        .array(
          z.object({
            id,
            title: words(100),
            text: words(500),
            button: words(60),
            url: address,
            enabled: z.boolean(),
            sample: z.boolean(),
          }),
        )
        .max(10)
        .refine(distinct, twice),
    }),
  };
}

/** Pages, and where else one finds the operator. */
function pagesWith<Text extends z.ZodType>(words: Words<Text>) {
  const page = z.object({ body: words(60_000) });
  return {
    /** Markdown; `{{operator}}` and `{{jurisdiction}}` become what the settings say. */
    terms: page.extend({ effective_on: z.iso.date() }),
    privacy: page.extend({ effective_on: z.iso.date() }),
    about: page,
    downloads: z.object({ android: address, ios: address }),
    community: z.object({
      blurb: words(500),
      links: z
        .array(z.object({ id, label: z.string().trim().min(1).max(60), url: address }))
        .max(12)
        .refine(distinct, twice),
    }),
    contacts: z.object({
      support_email: mailAddress,
      business_email: mailAddress,
      privacy_email: mailAddress,
      postal_address: z.string().trim().max(500),
      hours: words(200).or(z.literal('')),
    }),
  };
}

/** One definition of every section: with localized texts as it is kept, with plain texts as it is read. */
function sectionsWith<Text extends z.ZodType>(words: Words<Text>) {
  return { ...noticesWith(words), ...firstPageWith(words), ...pagesWith(words) };
}

/** As kept and edited: every text in all locales. */
export const storedSections = sectionsWith(localized);
/** As read in one locale. */
export const readSections = sectionsWith(() => z.string());

export type SectionName = keyof typeof storedSections;
export type StoredContent<Name extends SectionName> = z.output<(typeof storedSections)[Name]>;
export type ReadContent<Name extends SectionName> = z.output<(typeof readSections)[Name]>;

// Marked so that the built page may leave the sections out.
export const SECTION_NAMES = /* @__PURE__ */ Object.keys(storedSections) as SectionName[];

const section = z.enum(SECTION_NAMES, 'Name one of: {{values}}');
/** A name of a locale, such as `german`; one that we don't have is English. */
const locale = z
  .string()
  .max(40)
  .default('en')
  .transform((name) => localeOf(name).name);

const anyOf = <Schemas extends Record<string, z.ZodType>>(schemas: Schemas) =>
  z.union(Object.values(schemas) as [Schemas[keyof Schemas], ...Schemas[keyof Schemas][]]);

/** `readSections[section]` says the exact shape of `content`; see `readContent`. */
export const content = defineCall({
  methods: ['GET'],
  path: '/api/v3/content/:section',
  access: 'public',
  tag,
  summary: 'One section of what the operator writes, in one locale; with an ETag',
  params: z.object({ section }),
  query: z.object({ locale }),
  answer: z.object({ section, version: z.number().int(), locale: z.string(), content: anyOf(readSections) }),
  cacheSeconds: 60,
});

/** The content of an answer of `content`, in the type of its section. */
export function readContent<Name extends SectionName>(
  name: Name,
  answer: z.output<typeof content.answer>,
): ReadContent<Name> {
  if (answer.section !== name) throw new Error(`Asked for ${name}, got ${answer.section}`);
  return answer.content as ReadContent<Name>;
}

export const newsItem = z.object({
  id: z.string(),
  title: z.string(),
  /** https or a path of this site; empty where there is nothing more to read. */
  url: z.string(),
  body: z.string(),
  imageurl: z.string(),
  /** Ms since 1970. */
  published_at: z.number().int(),
  pinned: z.boolean(),
  /** The feed's own name for imported news; empty for the operator's. */
  source: z.string(),
});

export const news = defineCall({
  methods: ['GET'],
  path: '/api/v3/news',
  access: 'public',
  tag,
  summary: "News, newest first; the operator's pinned items before all",
  query: z.object({ locale, limit: z.coerce.number().int().min(1).max(100).default(30) }),
  answer: z.object({ newsfeed: z.object({ Data: z.array(newsItem) }) }),
  cacheSeconds: 60,
});

/** Both answer with a redirect: to the operator's file, or to the page that installs the web client. */
export const INSTALL_PATH = '/install';

export const downloadApk = defineCall({
  methods: ['GET'],
  path: '/api/v3/download-apk',
  access: 'public',
  tag,
  summary: "Redirects to the operator's Android app, or to the page that installs the web client",
  answer: z.undefined(),
});

export const downloadIos = defineCall({
  methods: ['GET'],
  path: '/api/v3/download-ios',
  access: 'public',
  tag,
  summary: "Redirects to the operator's iOS app, or to the page that installs the web client",
  answer: z.undefined(),
});

/** Who saved a version, and when; `saved_by` is null for what came with the product. */
const versionInfo = z.object({
  version: z.number().int(),
  saved_at: z.number().int(),
  saved_by: z.number().int().nullable(),
  saved_by_email: z.string().nullable(),
  note: z.string(),
});

const storedAnswer = versionInfo.extend({ section, content: anyOf(storedSections) });
const note = z.string().trim().max(200, 'Use at most {{maximum}} characters').default('');
/** The next one has to fit an int4 as well. */
const LARGEST_VERSION = 2 ** 31 - 2;
const versionNumber = z.number().int().min(1).max(LARGEST_VERSION);
const versionText = z.coerce.number().int().min(1).max(LARGEST_VERSION);

/** The version that the edit began from; a save over another is refused. */
const basedOn = versionNumber;

export const contentSections = defineCall({
  methods: ['GET'],
  path: '/api/v3/admin/content',
  access: 'operator:content',
  audit: 'none',
  tag,
  summary: 'Every section with its current version',
  answer: z.object({ sections: z.array(versionInfo.extend({ section })) }),
});

export const contentToEdit = defineCall({
  methods: ['GET'],
  path: '/api/v3/admin/content/:section',
  access: 'operator:content',
  audit: 'none',
  tag,
  summary: 'One section with all its locales, in its current or an earlier version',
  params: z.object({ section }),
  query: z.object({ version: versionText.optional() }),
  answer: storedAnswer,
});

/** `content` is checked against `storedSections[section]`; errors name the field from there on. */
export const saveContent = defineCall({
  methods: ['POST'],
  path: '/api/v3/admin/content/:section',
  access: 'operator:content',
  audit: { acts: ['save-content'] },
  tag,
  summary: 'Save a section as its next version; 409 when another save came between',
  params: z.object({ section }),
  body: z.object({ based_on: basedOn, note, content: z.record(z.string(), z.unknown()) }),
  bodyLimitBytes: 1024 * 1024,
  answer: storedAnswer,
});

export const contentHistory = defineCall({
  methods: ['GET'],
  path: '/api/v3/admin/content/:section/history',
  access: 'operator:content',
  audit: 'none',
  tag,
  summary: 'The versions of a section, newest first',
  params: z.object({ section }),
  query: z.object({
    limit: z.coerce.number().int().min(1).max(200).default(50),
    before: versionText.optional(),
  }),
  answer: z.object({ versions: z.array(versionInfo) }),
});

export const restoreContent = defineCall({
  methods: ['POST'],
  path: '/api/v3/admin/content/:section/restore',
  access: 'operator:content',
  audit: { acts: ['restore-content'] },
  tag,
  summary: 'Save an earlier version again as the next one; nothing of the history is lost',
  params: z.object({ section }),
  body: z.object({ version: versionNumber, based_on: basedOn }),
  answer: storedAnswer,
});

/** How the imported feeds do. */
export const newsFeeds = defineCall({
  methods: ['GET'],
  path: '/api/v3/admin/news-feeds',
  access: 'operator:content',
  audit: 'none',
  tag,
  summary: 'The feeds of NEWS_RSS: when each was last read, and what went wrong',
  answer: z.object({
    feeds: z.array(
      z.object({
        url: z.string(),
        title: z.string(),
        checked_at: z.number().int().nullable(),
        /** Empty when the last reading went well. */
        failure: z.string(),
        items: z.number().int(),
      }),
    ),
  }),
});

export const site = defineCall({
  methods: ['GET'],
  path: '/api/v3/site',
  access: 'public',
  tag,
  summary: 'What the shell of the web client needs to know of this site',
  answer: z.object({
    name: z.string(),
    /** Who runs it and under which law; null until the operator says so. */
    operator: z.string().nullable(),
    jurisdiction: z.string().nullable(),
    /** Where the source can be read; null until the operator says so. */
    source_url: z.string().nullable(),
    /** Mails reach people; otherwise they are in the development outbox. */
    mail: z.boolean(),
    downloads: z.object({ android: z.string(), ios: z.string() }),
    /** A Chatwoot inbox instead of our own support thread. */
    chatwoot: z.object({ url: z.string(), token: z.string() }).nullable(),
  }),
  cacheSeconds: 60,
});
