/** A form made from what is kept: a text has a field for each language, a list can grow and shrink. */
import { LOCALES } from '@cambist/contract/locales.ts';
import { Button, Switch, Tabs, Textarea, TextInput } from '@mantine/core';
import { Suspense } from 'react';
import { t } from '../../../lib/i18n.ts';
import { fromLocalField, toLocalField } from '../../../lib/local-time.ts';
import { lazyPart } from '../../../ui/part.tsx';
import { Loading } from '../../../ui/states.tsx';
import { blankItems, type Value } from './blank-items.ts';
import { entryTitle, fieldTexts, isMarkdown } from './field-texts.ts';
import classes from './fields.module.css';

const Markdown = lazyPart(() => import('../../../ui/markdown.tsx'));

type Fielded = { readonly [field: string]: Value };

interface FieldProps<Kind extends Value> {
  /** The section and the fields down to this one, such as `news.items.title`. */
  readonly path: string;
  readonly value: Kind;
  readonly onChange: (value: Kind) => void;
}

/** Above this a text has lines. */
const ONE_LINE = 90;

const isFielded = (value: Value): value is Fielded =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isLocalized = (value: Fielded) => 'en' in value;

interface FieldsProps {
  readonly section: string;
  readonly value: Fielded;
  readonly onChange: (value: Fielded) => void;
}

/** Entries of a list that keeps its length keep their ids too: the pages find them by these. */
const isFixed = (section: string, name: string) => name === 'id' && blankItems[section] === undefined;

export function Fields({ section, value, onChange }: FieldsProps) {
  return (
    <div className={classes.fields}>
      {Object.entries(value)
        .filter(([name]) => !isFixed(section, name))
        .map(([name, one]) => (
          <Field
            key={name}
            path={`${section}.${name}`}
            value={one}
            onChange={(changed) => onChange({ ...value, [name]: changed })}
          />
        ))}
    </div>
  );
}

function Field({ path, value, onChange }: FieldProps<Value>) {
  if (Array.isArray(value)) return <List path={path} value={value} onChange={onChange} />;
  if (isFielded(value)) {
    if (isLocalized(value)) return <LocalizedField path={path} value={value} onChange={onChange} />;
    return <Fields section={path} value={value} onChange={onChange} />;
  }
  if (typeof value === 'boolean') {
    const { label } = fieldTexts(path);
    return <Switch label={label} checked={value} onChange={(event) => onChange(event.currentTarget.checked)} />;
  }
  // A time, which may be open.
  if (typeof value === 'number' || value === null) return <TimeField path={path} value={value} onChange={onChange} />;
  return <TextField path={path} value={value as string} onChange={onChange} />;
}

function TextField({ path, value, onChange }: FieldProps<string>) {
  const { label, help } = fieldTexts(path);
  const props = {
    label,
    description: help,
    value,
    onChange: (event: { currentTarget: { value: string } }) => onChange(event.currentTarget.value),
  };
  if (path.endsWith('.effective_on')) return <TextInput type="date" className={classes.time} {...props} />;
  return value.length > ONE_LINE ? <Textarea autosize minRows={3} maxRows={18} {...props} /> : <TextInput {...props} />;
}

function TimeField({ path, value, onChange }: FieldProps<number | null>) {
  const { label, help } = fieldTexts(path);
  return (
    <TextInput
      type="datetime-local"
      className={classes.time}
      label={label}
      description={help}
      value={toLocalField(value)}
      onChange={(event) => onChange(fromLocalField(event.currentTarget.value))}
    />
  );
}

function LocalizedField({ path, value, onChange }: FieldProps<Fielded>) {
  const { label, help } = fieldTexts(path);
  const hasLines = isMarkdown(path) || String(value.en).length > ONE_LINE;
  return (
    <fieldset className={classes.localized}>
      <legend>{label}</legend>
      {help && <p className={classes.help}>{help}</p>}
      <Tabs defaultValue="en" keepMounted={false}>
        <Tabs.List>
          {LOCALES.map((locale) => (
            <Tabs.Tab key={locale.name} value={locale.name} {...(value[locale.name] ? {} : { c: 'dimmed' })}>
              {locale.label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {LOCALES.map((locale) => {
          const text = String(value[locale.name] ?? '');
          const props = {
            'aria-label': `${label}, ${locale.label}`,
            lang: locale.tag,
            value: text,
            placeholder: locale.name === 'en' ? undefined : t('If empty, visitors see the English text.'),
            onChange: (event: { currentTarget: { value: string } }) =>
              onChange({ ...value, [locale.name]: event.currentTarget.value }),
          };
          return (
            <Tabs.Panel key={locale.name} value={locale.name} pt="xs">
              {hasLines ? <Textarea autosize minRows={3} maxRows={18} {...props} /> : <TextInput {...props} />}
              {isMarkdown(path) && <Preview text={text === '' ? String(value.en) : text} lang={locale.tag} />}
            </Tabs.Panel>
          );
        })}
      </Tabs>
    </fieldset>
  );
}

/** The text as visitors see it, while it is written. */
function Preview({ text, lang }: { readonly text: string; readonly lang: string }) {
  return (
    <section className={classes.preview} aria-label={t('Preview')} lang={lang}>
      <h3 className={classes.help}>{t('Preview')}</h3>
      <Suspense fallback={<Loading />}>
        <Markdown text={text} />
      </Suspense>
    </section>
  );
}

function List({ path, value, onChange }: FieldProps<readonly Value[]>) {
  const blank = blankItems[path];
  const { label, help } = fieldTexts(path);
  return (
    <fieldset className={classes.list}>
      <legend>{label}</legend>
      {help && <p className={classes.help}>{help}</p>}
      {blank && (
        <Button size="compact-sm" variant="default" onClick={() => onChange([blank(Date.now()), ...value])}>
          {t('Add one')}
        </Button>
      )}
      {value.map((item, index) => (
        // Items have no identity of their own while they are edited; their place is it.
        <section key={`${path}-${index.toString()}`} className={classes.item} aria-label={entryTitle(index)}>
          <h3 className={classes.entry}>{entryTitle(index)}</h3>
          <Field
            path={path}
            value={item}
            onChange={(changed) => onChange(value.map((other, at) => (at === index ? changed : other)))}
          />
          {blank && (
            <Button size="compact-xs" variant="default" onClick={() => onChange(value.filter((_, at) => at !== index))}>
              {t('Remove')}
            </Button>
          )}
        </section>
      ))}
    </fieldset>
  );
}
