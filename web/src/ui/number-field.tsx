/**
 * The one field for amounts, prices and percentages. Plain decimals go in and come out (`lib/typed-number.ts` says how a
 * text is read); an entry that is refused comes out behind a question mark, so that no form can take it for a number.
 *
 * It shows what was typed until it is left, and nothing but an act of the client changes that; then the number is grouped
 * as the language does. Up and Down step by the smallest decimal, Shift ten times and Page Up and Page
 * Down a hundred times as far; the buttons do the same for pointers.
 */
import { Input, type InputProps } from '@mantine/core';
import { type KeyboardEvent, type ReactNode, useEffect, useId, useLayoutEffect, useRef, useState } from 'react';
import { add, compare, decimal, rescale, subtract, toText, ZERO } from '../lib/decimal.ts';
import { decimalMark, localizeNumber } from '../lib/format.ts';
import { t } from '../lib/i18n.ts';
import { entryOf, entryProblem, isBeyondRepair, refusedText, stepOf } from '../lib/typed-number.ts';
import classes from './number-field.module.css';

interface NumberFieldProps extends Pick<InputProps, 'size' | 'variant'> {
  readonly label?: string;
  /** The name of a field without a label. */
  readonly 'aria-label'?: string;
  /** Below the field while nothing is wrong. */
  readonly hint?: string;
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
  /** Beside the label, of the field's description: what is needed all the more once something is wrong. */
  readonly beside?: string;
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

/** Pasted or dropped: nothing more is on its way. */
export const isPasted = (event: Event) => (event as InputEvent).inputType?.startsWith('insertFrom') === true;

interface Draft {
  readonly text: string;
  readonly value: string;
}

/** Where a selection begins and ends. */
type Range = readonly [start: number, end: number];

interface Edit {
  readonly text: string;
  readonly caret: number;
}

/**
 * The grouped number on screen with an edit inside it, without its groups: they would be in the wrong places. Only what
 * was not selected before the edit stays; undefined for a text that has taken the whole number's place.
 */
export function ungrouped(before: string, [start, end]: Range, typed: string, caret: number): Edit | undefined {
  const behind = typed.slice(caret);
  if (!before.endsWith(behind) || behind.length > before.length - end) return undefined;
  let kept = 0;
  while (kept < Math.min(start, caret) && before[kept] === typed[kept]) kept += 1;
  if (kept + behind.length === 0) return undefined;
  const plain = (text: string) => text.replaceAll(decimalMark() === '.' ? ',' : '.', '');
  const ahead = plain(typed.slice(0, kept)) + typed.slice(kept, caret);
  return { text: ahead + plain(behind), caret: ahead.length };
}

function useNumberText(value: string, scale: number, onChange: (value: string) => void) {
  const input = useRef<HTMLInputElement>(null);
  const caret = useRef<number>(undefined);
  const selected = useRef<Range>([0, 0]);
  const [draft, setDraft] = useState<Draft>();
  // What is wrong with a text is said once it was left, pasted or sent; while it is typed it may become a number.
  const [finished, setFinished] = useState(true);
  const own = draft?.value === value ? draft.text : undefined;
  const text = own ?? refusedText(value) ?? localizeNumber(value);
  useLayoutEffect(() => {
    if (caret.current !== undefined) input.current?.setSelectionRange(caret.current, caret.current);
    caret.current = undefined;
  });
  useEffect(() => {
    const field = input.current;
    // Before any change, also one by the menu, an input method or a drop.
    const begin = () => {
      selected.current = [field?.selectionStart ?? 0, field?.selectionEnd ?? 0];
    };
    field?.addEventListener('beforeinput', begin);
    return () => field?.removeEventListener('beforeinput', begin);
  }, []);
  return {
    input,
    text,
    problem: finished || isBeyondRepair(value, scale) ? entryProblem(value, scale) : undefined,
    type: (field: HTMLInputElement, isWhole: boolean) => {
      const isGrouped = own === undefined && refusedText(value) === undefined;
      const at = field.selectionStart ?? field.value.length;
      const edit = isGrouped ? ungrouped(text, selected.current, field.value, at) : undefined;
      const typed = edit?.text ?? field.value;
      const entry = entryOf(typed, scale);
      caret.current = edit?.caret;
      setDraft({ text: typed, value: entry });
      setFinished(isWhole);
      onChange(entry);
    },
    step: (steps: number) => {
      // From what is no number there is no step; the field says why.
      if (refusedText(value) !== undefined) return setFinished(true);
      setDraft(undefined);
      onChange(stepped(value, scale, steps));
    },
    leave: () => {
      setDraft(undefined);
      setFinished(true);
    },
    finish: () => setFinished(true),
  };
}

/** A field with its label, and below it what is wrong, in a line that is there before. */
export function NumberField({ label, hint, labelClass, aside, beside, className, ...props }: NumberFieldProps) {
  const id = useId();
  const { value, scale, error, messageId, onChange } = props;
  const number = useNumberText(value, scale, onChange);
  const message = number.problem ?? error;
  const ownMessage = messageId ?? `${id}-message`;
  const describedBy = beside === undefined ? ownMessage : `${id}-beside ${ownMessage}`;
  return (
    <div className={className ? `${classes.field} ${className}` : classes.field}>
      {aside && <div className={classes.aside}>{aside}</div>}
      {label && (
        <div className={beside && classes.named}>
          <Input.Label htmlFor={id} className={labelClass}>
            {label}
          </Input.Label>
          {beside && (
            <span id={`${id}-beside`} className={classes.beside}>
              {beside}
            </span>
          )}
        </div>
      )}
      <NumberInput {...props} id={id} number={number} describedBy={describedBy} invalid={message !== undefined} />
      {messageId === undefined && (
        <p
          id={ownMessage}
          className={classes.message}
          data-wrong={message !== undefined}
          role={message === undefined ? undefined : 'alert'}
        >
          {message ?? hint}
        </p>
      )}
    </div>
  );
}

type Inner = Omit<NumberFieldProps, 'label' | 'hint' | 'labelClass' | 'aside' | 'beside' | 'className' | 'onChange'>;

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
    rightSectionWidth: `calc(min(${unit === undefined ? 0 : unitWidth / 16}rem, var(--unit-most)) + ${canStep ? 'var(--steps)' : '0px'})`,
    rightSectionPointerEvents: 'all' as const,
    rightSection: (
      <span className={classes.end}>
        {unit !== undefined && (
          <span className={classes.unit} translate="no">
            {unit}
          </span>
        )}
        {canStep && <StepButtons onStep={number.step} />}
      </span>
    ),
  };
  return (
    <Input
      ref={number.input}
      id={id}
      aria-label={props['aria-label']}
      // The component would name the description and the message of a wrapper.
      attributes={{ input: { 'aria-describedby': describedBy } }}
      aria-busy={busy}
      error={invalid}
      data-amount={name}
      {...(autoFocusInDialog ? { 'data-autofocus': true } : {})}
      {...(size ? { size } : {})}
      {...(variant ? { variant } : {})}
      classNames={{ wrapper: classes.wrapper ?? '', input: inputClass ?? '' }}
      placeholder={props.placeholder}
      readOnly={props.readOnly}
      inputMode="decimal"
      autoComplete="off"
      spellCheck={false}
      value={number.text}
      {...(end || {})}
      onChange={({ currentTarget, nativeEvent }) => number.type(currentTarget, isPasted(nativeEvent))}
      onKeyDown={(event) => {
        if (event.key === 'Enter') number.finish();
        const count = canStep && !event.nativeEvent.isComposing ? stepsOf(event) : 0;
        if (count === 0) return;
        event.preventDefault();
        number.step(count);
      }}
      onFocus={props.onFocus}
      onBlur={number.leave}
    />
  );
}

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
