import { t } from '../lib/i18n.ts';

/** Read out, not seen: the heading of a column that needs none for the eye. The text is translated here. */
export function HiddenText({ text }: { readonly text: string }) {
  return <span className="visually-hidden">{t(text)}</span>;
}
