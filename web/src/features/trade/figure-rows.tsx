/** Names of rows of figures that change all the time, for who has them read out. */
import { useState } from 'react';

interface RowWordsProps {
  /** Of the list, and the beginning of the ids of its words. */
  readonly id: string;
  readonly words: Readonly<Record<string, string>>;
}

/** Written once for all rows, which refer to them: a figure that changes makes no new text and takes no layout. */
export function RowWords({ id, words }: RowWordsProps) {
  return (
    <div hidden>
      {Object.entries(words).map(([name, text]) => (
        <span key={name} id={`${id}-${name}`}>
          {text}
        </span>
      ))}
    </div>
  );
}

const textOf = (ids: string) =>
  ids
    .split(' ')
    .map((id) => document.getElementById(id)?.textContent)
    .join(' ');

/** The name is of the moment in which the row got the focus: a screen reader would read out each change of it. */
export function useRowName(ids: string) {
  const [held, setHeld] = useState<string>();
  return {
    'aria-label': held,
    'aria-labelledby': held === undefined ? ids : undefined,
    onFocus: () => setHeld(textOf(ids)),
    onBlur: () => setHeld(undefined),
  };
}
