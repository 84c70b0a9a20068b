/** From what is kept in all locales to what one reader gets. */
import type { LocaleName } from '@cambist/contract/locales.ts';

/** Written into the legal texts where the operator's name is not configured, so that they are not taken for finished. */
const unnamed: Readonly<Record<LocaleName, { operator: string; jurisdiction: string }>> = {
  en: { operator: '[name of the operator]', jurisdiction: '[jurisdiction]' },
  cn: { operator: '［營運方名稱］', jurisdiction: '［司法管轄區］' },
  zhHans: { operator: '［运营方名称］', jurisdiction: '［司法管辖区］' },
  german: { operator: '[Name des Betreibers]', jurisdiction: '[Rechtsordnung]' },
  ja: { operator: '［運営者名］', jurisdiction: '［準拠法の法域］' },
  spanish: { operator: '[nombre del operador]', jurisdiction: '[jurisdicción]' },
  vi: { operator: '[tên đơn vị vận hành]', jurisdiction: '[khu vực tài phán]' },
};

/** Undefined until the operator has set it. */
export interface OperatorFacts {
  readonly operator: string | undefined;
  readonly jurisdiction: string | undefined;
}

function named(text: string, locale: LocaleName, facts: OperatorFacts): string {
  return text.replace(
    /\{\{(operator|jurisdiction)\}\}/g,
    (_, key: keyof OperatorFacts) => facts[key] ?? unnamed[locale][key],
  );
}

const isLocalized = (value: object): value is Record<string, string> => 'en' in value;

/** Every localized text becomes the reader's, English where it is missing; all else stays as it is. */
export function inLocale(value: unknown, locale: LocaleName, facts: OperatorFacts): unknown {
  if (Array.isArray(value)) return value.map((item) => inLocale(item, locale, facts));
  if (typeof value !== 'object' || value === null) return value;
  if (isLocalized(value)) {
    return value[locale] ? named(value[locale], locale, facts) : named(value.en ?? '', 'en', facts);
  }
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, inLocale(part, locale, facts)]));
}
