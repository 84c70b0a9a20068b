/** A form made from what is kept: a text has a field for each language, a list can grow and shrink. */
import { LOCALES } from '@cambist/contract/locales.ts';
import { Button, NumberInput, Switch, Tabs, Textarea, TextInput } from '@mantine/core';
import { t } from '../../../lib/i18n.ts';
import { blankItems, type Value } from './blank-items.ts';
import classes from './fields.module.css';

type Fielded = { readonly [field: string]: Value };

interface FieldProps<Kind extends Value> {
  readonly name: string;
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

export function Fields({ section, value, onChange }: FieldsProps) {
  return (
    <div className={classes.fields}>
      {Object.entries(value).map(([name, one]) => (
        <Field
          key={name}
          name={name}
          path={`${section}.${name}`}
          value={one}
          onChange={(changed) => onChange({ ...value, [name]: changed })}
        />
      ))}
    </div>
  );
}

function Field({ name, path, value, onChange }: FieldProps<Value> & { readonly path: string }) {
  if (Array.isArray(value)) return <List path={path} name={name} value={value} onChange={onChange} />;
  if (isFielded(value)) {
    if (isLocalized(value)) return <LocalizedField name={name} value={value} onChange={onChange} />;
    return <Fields section={path} value={value} onChange={onChange} />;
  }
  if (typeof value === 'boolean') {
    return <Switch label={name} checked={value} onChange={(event) => onChange(event.currentTarget.checked)} />;
  }
  // A time, which may be open.
  if (typeof value === 'number' || value === null) return <TimeField name={name} value={value} onChange={onChange} />;
  return <TextField name={name} value={value as string} onChange={onChange} />;
}

function TextField({ name, value, onChange }: FieldProps<string>) {
  const props = {
    label: name,
    value,
    onChange: (event: { currentTarget: { value: string } }) => onChange(event.currentTarget.value),
  };
  return value.length > ONE_LINE ? <Textarea autosize minRows={3} maxRows={18} {...props} /> : <TextInput {...props} />;
}

function TimeField({ name, value, onChange }: FieldProps<number | null>) {
  return (
    <NumberInput
      label={name}
      description={value === null ? t('Open') : new Date(value).toISOString()}
      hideControls
      allowDecimal={false}
      value={value ?? ''}
      onChange={(changed) => onChange(typeof changed === 'number' ? changed : null)}
    />
  );
}

function LocalizedField({ name, value, onChange }: FieldProps<Fielded>) {
  const lines = String(value.en).length > ONE_LINE;
  return (
    <fieldset className={classes.localized}>
      <legend>{name}</legend>
      <Tabs defaultValue="en" keepMounted={false}>
        <Tabs.List>
          {LOCALES.map((locale) => (
            <Tabs.Tab key={locale.name} value={locale.name}>
              {locale.label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {LOCALES.map((locale) => {
          const props = {
            'aria-label': `${name}, ${locale.label}`,
            lang: locale.tag,
            value: String(value[locale.name] ?? ''),
            onChange: (event: { currentTarget: { value: string } }) =>
              onChange({ ...value, [locale.name]: event.currentTarget.value }),
          };
          return (
            <Tabs.Panel key={locale.name} value={locale.name} pt="xs">
              {lines ? <Textarea autosize minRows={3} maxRows={18} {...props} /> : <TextInput {...props} />}
            </Tabs.Panel>
          );
        })}
      </Tabs>
    </fieldset>
  );
}

function List({ path, name, value, onChange }: FieldProps<readonly Value[]> & { readonly path: string }) {
  const blank = blankItems[path];
  return (
    <fieldset className={classes.list}>
      <legend>{name}</legend>
      {value.map((item, index) => (
        // Items have no identity of their own while they are edited; their place is it.
        <div key={`${path}-${index.toString()}`} className={classes.item}>
          <Field
            name={String(index + 1)}
            path={path}
            value={item}
            onChange={(changed) => onChange(value.map((other, at) => (at === index ? changed : other)))}
          />
          {blank && (
            <Button size="compact-xs" variant="default" onClick={() => onChange(value.filter((_, at) => at !== index))}>
              {t('Remove')}
            </Button>
          )}
        </div>
      ))}
      {blank && (
        <Button size="compact-sm" variant="default" onClick={() => onChange([blank(Date.now()), ...value])}>
          {t('Add one')}
        </Button>
      )}
    </fieldset>
  );
}
