/** What each field of the content is called in the console, and what to write there. */
import { msg, t } from '../../../lib/i18n.ts';

interface FieldTexts {
  readonly label: string;
  readonly help?: string;
}

const LINK_HELP = msg('Starts with https://, or with / for a page of this site. Leave empty for no link.');

const FIELDS: Readonly<Record<string, FieldTexts | undefined>> = {
  items: { label: msg('Entries') },
  links: { label: msg('Links'), help: msg('Your other channels, shown at the end of the page.') },
  id: {
    label: msg('Identifier'),
    help: msg("Lowercase letters, digits and hyphens, unique to each entry. Visitors don't see it."),
  },
  title: { label: msg('Title') },
  text: { label: msg('Text') },
  body: { label: msg('Text') },
  url: { label: msg('Link'), help: LINK_HELP },
  imageurl: { label: msg('Image address'), help: LINK_HELP },
  published_at: { label: msg('Published'), help: msg('In your time zone. The newest comes first.') },
  pinned: { label: msg('Pinned above all other news') },
  enabled: { label: msg('Visible') },
  sample: { label: msg('Marked as a sample') },
  starts_at: { label: msg('Visible from'), help: msg('In your time zone. If empty, from now on.') },
  ends_at: { label: msg('Visible until'), help: msg('In your time zone. If empty, no end.') },
  question: { label: msg('Question') },
  answer: { label: msg('Answer') },
  figure: { label: msg('Figure'), help: msg("Such as 350+. The counter's own figure is computed.") },
  button: { label: msg('Button text') },
  effective_on: { label: msg('In effect since') },
  android: {
    label: msg('Android app'),
    help: msg('Download link of the app. If empty, the page that installs the web app.'),
  },
  ios: { label: msg('iOS app'), help: msg('Download link of the app. If empty, the page that installs the web app.') },
  blurb: { label: msg('Introduction') },
  label: { label: msg('Display name') },
  support_email: { label: msg('Support email') },
  business_email: { label: msg('Business email') },
  privacy_email: { label: msg('Privacy email') },
  postal_address: { label: msg('Postal address') },
  hours: { label: msg('Opening hours') },
};

/** Sections whose text is Markdown, and is shown as visitors see it. */
export const isMarkdown = (path: string): boolean => /^(terms|privacy|about)\.body$/.test(path);

/** @param path the section and the fields below it, such as `news.items.title` */
export function fieldTexts(path: string): FieldTexts {
  const name = path.slice(path.lastIndexOf('.') + 1);
  const { label, help } = FIELDS[name] ?? { label: name };
  if (path === 'about.body') return { label: t(label), help: markdownHelp() };
  if (isMarkdown(path)) return { label: t(label), help: `${markdownHelp()} ${placeholderHelp()}` };
  return { label: t(label), ...(help ? { help: t(help) } : {}) };
}

const markdownHelp = () => t('Markdown: ## for a heading, **bold**, - for a list, [text](address) for a link.');

const placeholderHelp = () =>
  t('{{operator}} and {{jurisdiction}} are filled in from settings.', {
    operator: '{{operator}}',
    jurisdiction: '{{jurisdiction}}',
  });

export const entryTitle = (index: number): string => t('Entry {{number}}', { number: index + 1 });

/** Where a refusal is, in the words of the form: `links.0.id` is "Links, Entry 1, Identifier". */
export function placeOf(path: string): string {
  const words = path.split('.').map((part) => (/^\d+$/.test(part) ? entryTitle(Number(part)) : fieldTexts(part).label));
  return words.join(', ');
}
