/**
 * The one field for amounts, prices and percentages. Plain decimals go in and come out (`lib/typed-number.ts` says how a
 * text is read); an entry that is refused comes out behind a question mark, so that no form can take it for a number.
 *
 * While it has the focus it shows what was typed, and nothing but an act of the client changes it. When it is left, the
 * number is grouped as the language does. Up and Down step by the smallest decimal, Shift ten times and Page Up and Page
 * Down a hundred times as far; the buttons do the same for pointers.
 */
import { Input, type InputProps } from '@mantine/core';
import {
  type ClipboardEventHandler,
  type FormEvent,
  type KeyboardEvent,
  type ReactNode,
  useId,
  useRef,
  useState,
} from 'react';
import { add, compare, decimal, rescale, subtract, toText, ZERO } from '../lib/decimal.ts';
import { decimalMark, localizeNumber } from '../lib/format.ts';
import { t } from '../lib/i18n.ts';
import { entryOf, entryProblem, isBeyondRepair, refusedText, stepOf } from '../lib/typed-number.ts';
import classes from './number-field.module.css';

interface NumberFieldProps extends Pick<InputProps, 'size' | 'variant'> {
  readonly label?: string;
  /** The name of a field without a label. */
  readonly 'aria-label'?: string;
  readonly description?: string;
  readonly placeholder?: string;
  readonly readOnly?: boolean;
  readonly className?: string | undefined;
  readonly labelClass?: string | undefined;
  readonly inputClass?: string | undefined;
  /** A plain decimal, nothing, or what this field gave out. */
  readonly value: string;
  /** Decimals that the number may have. */
  readonly scale: number;
  readonly onChange: (value: string) => void;
  /** What the form says against the entry; a refusal of the text comes before it. */
  readonly error?: string | undefined;
  /** Shown behind the number: a coin or a percent sign. */
  readonly unit?: ReactNode;
  readonly unitWidth?: number;
  /** Without them there is no room for it, or a step means nothing. */
  readonly steps?: boolean;
  /** The id of an element of the form that shows what is wrong; without it there is a line below the field. */
  readonly messageId?: string;
  /** Beside the label: shortcuts to a number. */
  readonly aside?: ReactNode;
  readonly busy?: boolean;
  readonly onFocus?: () => void;
  readonly autoFocusInDialog?: boolean;
  /** Which of a form's fields it is, for hotkeys. */
  readonly name?: string;
}

/** How many smallest steps a key goes. */
function stepsOf({ key, shiftKey }: KeyboardEvent): number {
  const sizes: Readonly<Record<string, number>> = { ArrowUp: 1, ArrowDown: -1, PageUp: 100, PageDown: -100 };
  const size = sizes[key] ?? 0;
  return shiftKey && key.startsWith('Arrow') ? size * 10 : size;
}

/** So many steps further, never below zero. */
export function stepped(value: string, scale: number, steps: number): string {
  const step = decimal(stepOf(scale));
  const distance = { units: step.units * BigInt(Math.abs(steps)), scale: step.scale };
  const from = decimal(value);
  const next = steps > 0 ? add(from, distance) : subtract(from, distance);
  return toText(rescale(compare(next, ZERO) < 0 ? ZERO : next, scale, 'floor'));
}

/** The number as it is typed: without groups, with the language's decimal mark. */
const rawText = (value: string) => value.replace('.', decimalMark());

/** One key that no number contains; a pasted text is shown as it is, and refused with words. */
const isForeign = (data: string | null | undefined) => data?.length === 1 && !/[\d.,'’\s０-９．，。、]/.test(data);

const STEPS_WIDTH = 52;

interface Draft {
  readonly text: string;
  readonly value: string;
}

function useNumberText(value: string, scale: number, onChange: (value: string) => void) {
  const [draft, setDraft] = useState<Draft>();
  const [focused, setFocused] = useState(false);
  // What is wrong with a text is said once it was left, pasted or sent; while it is typed it may become a number.
  const [finished, setFinished] = useState(true);
  const pasted = useRef(false);
  const own = draft?.value === value ? draft.text : undefined;
  const text = own ?? refusedText(value) ?? (focused ? rawText(value) : localizeNumber(value));
  const leave = (isFocused: boolean) => {
    setFocused(isFocused);
    setDraft(undefined);
    setFinished(true);
  };
  return {
    text,
    problem: finished || isBeyondRepair(value, scale) ? entryProblem(value, scale) : undefined,
    type: (typed: string) => {
      const entry = entryOf(typed, scale);
      setDraft({ text: typed, value: entry });
      setFinished(pasted.current);
      pasted.current = false;
      onChange(entry);
    },
    step: (steps: number) => {
      if (refusedText(value) !== undefined) return;
      setDraft(undefined);
      onChange(stepped(value, scale, steps));
    },
    paste: (() => {
      pasted.current = true;
    }) satisfies ClipboardEventHandler,
    focus: () => leave(true),
    blur: () => leave(false),
    finish: () => setFinished(true),
  };
}

/** A field with its label, and below it what is wrong, in a line that is there before. */
export function NumberField({ label, description, labelClass, aside, className, ...props }: NumberFieldProps) {
  const id = useId();
  const { value, scale, error, messageId, onChange } = props;
  const number = useNumberText(value, scale, onChange);
  const message = number.problem ?? error;
  const describedBy = [description && `${id}-description`, messageId ?? `${id}-message`].filter(Boolean).join(' ');
  return (
    <div className={className ? `${classes.field} ${className}` : classes.field}>
      {aside && <div className={classes.aside}>{aside}</div>}
      {label && (
        <Input.Label htmlFor={id} className={labelClass}>
          {label}
        </Input.Label>
      )}
      {description && <Input.Description id={`${id}-description`}>{description}</Input.Description>}
      <NumberInput {...props} id={id} number={number} describedBy={describedBy} invalid={message !== undefined} />
      {messageId === undefined && (
        <p id={`${id}-message`} className={classes.message} role={message === undefined ? undefined : 'alert'}>
          {message}
        </p>
      )}
    </div>
  );
}

type Inner = Omit<NumberFieldProps, 'label' | 'description' | 'labelClass' | 'aside' | 'className' | 'onChange'>;

interface NumberInputProps extends Inner {
  readonly id: string;
  readonly number: ReturnType<typeof useNumberText>;
  readonly describedBy: string;
  readonly invalid: boolean;
}

function NumberInput({ number, id, describedBy, invalid, ...props }: NumberInputProps) {
  const { unit, unitWidth = 56, steps = true, busy, autoFocusInDialog, name, size, variant, inputClass } = props;
  const canStep = steps && !props.readOnly;
  const end = (unit !== undefined || canStep) && {
    rightSectionWidth: (unit === undefined ? 0 : unitWidth) + (canStep ? STEPS_WIDTH : 0),
    rightSectionPointerEvents: 'all' as const,
    rightSection: (
      <span className={classes.end}>
        {unit !== undefined && <span className={classes.unit}>{unit}</span>}
        {canStep && <StepButtons onStep={number.step} />}
      </span>
    ),
  };
  return (
    <Input
      id={id}
      // Its own description and message; the component would look for those of a wrapper.
      withAria={false}
      aria-label={props['aria-label']}
      aria-invalid={invalid || undefined}
      aria-describedby={describedBy}
      aria-busy={busy}
      error={invalid}
      data-amount={name}
      {...(autoFocusInDialog ? { 'data-autofocus': true } : {})}
      {...(size ? { size } : {})}
      {...(variant ? { variant } : {})}
      {...(inputClass ? { classNames: { input: inputClass } } : {})}
      placeholder={props.placeholder}
      readOnly={props.readOnly}
      inputMode="decimal"
      autoComplete="off"
      spellCheck={false}
      value={number.text}
      {...(end || {})}
      onChange={({ currentTarget }) => number.type(currentTarget.value)}
      onBeforeInput={(event: FormEvent<HTMLInputElement> & { readonly data?: string | null }) => {
        if (isForeign(event.data)) event.preventDefault();
      }}
      onPaste={number.paste}
      onKeyDown={(event) => {
        if (event.key === 'Enter') number.finish();
        const count = canStep && !event.nativeEvent.isComposing ? stepsOf(event) : 0;
        if (count === 0) return;
        event.preventDefault();
        number.step(count);
      }}
      onFocus={({ currentTarget }) => {
        number.focus();
        props.onFocus?.();
        // The text loses its groups, and with them the selection that Tab made.
        if (isAllSelected(currentTarget)) queueMicrotask(() => currentTarget.select());
      }}
      onBlur={number.blur}
    />
  );
}

const isAllSelected = ({ selectionStart, selectionEnd, value }: HTMLInputElement) =>
  value !== '' && selectionStart === 0 && selectionEnd === value.length;

/** Out of the order of Tab: the field's own keys do the same. */
function StepButtons({ onStep }: { readonly onStep: (steps: number) => void }) {
  const button = (label: string, steps: number, sign: string) => (
    <button
      type="button"
      tabIndex={-1}
      aria-label={label}
      className={classes.step}
      // The field keeps the focus, and a phone its keyboard as it is.
      onMouseDown={(event) => event.preventDefault()}
      onClick={({ shiftKey }) => onStep(shiftKey ? steps * 10 : steps)}
    >
      {sign}
    </button>
  );
  return (
    <span className={classes.steps}>
      {button(t('Decrease'), -1, '−')}
      {button(t('Increase'), 1, '+')}
    </span>
  );
}
