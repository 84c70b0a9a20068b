/** Parts of the program that are fetched when they are needed. One that does not come is asked for again and says so. */
import { type ComponentType, lazy, useEffect, useState } from 'react';
import { t } from '../lib/i18n.ts';
import { persist, TRY_NOW } from '../lib/persist.ts';
import { NoSuchFile } from '../lib/preload.ts';
import { Button } from './button.tsx';
import classes from './part.module.css';

/** Where the part would be: in the page, over it as dialogs are, or nowhere to be seen. */
export type Place = 'page' | 'over' | 'unseen';

interface MissingProps {
  readonly place: Place;
  /** The file is not there any more: a new release has replaced it. */
  readonly replaced: boolean;
}

function Missing({ place, replaced }: MissingProps) {
  if (place === 'unseen') return null;
  return (
    <div role="status" className={place === 'over' ? `${classes.missing} ${classes.over}` : classes.missing}>
      {replaced ? t('A newer version is available. Reload to continue.') : t('This part could not be loaded.')}
      <Button
        size="compact-sm"
        variant="default"
        onClick={() => (replaced ? window.location.reload() : window.dispatchEvent(new Event(TRY_NOW)))}
      >
        {replaced ? t('Reload') : t('Try again')}
      </Button>
    </div>
  );
}

/** A part that failed at first, for as long as the page is open. */
interface Wanted<Props> {
  readonly load: () => Promise<ComponentType<Props>>;
  readonly place: Place;
  part?: ComponentType<Props>;
}

interface PersistentProps<Props> {
  readonly wanted: Wanted<Props>;
  readonly given: Props;
}

/** The part once it is here, and until then that it is missing. */
function Persistent<Props extends object>({ wanted, given }: PersistentProps<Props>) {
  const [replaced, setReplaced] = useState(false);
  const [, setHere] = useState(false);
  useEffect(() => {
    if (wanted.part) return;
    const leaving = new AbortController();
    const onFailure = (_: number, error: unknown) => setReplaced(error instanceof NoSuchFile);
    void persist(wanted.load, { onFailure, signal: leaving.signal }).then((part) => {
      wanted.part = part;
      setHere(true);
    });
    return () => leaving.abort();
  }, [wanted]);
  const Part = wanted.part;
  return Part ? <Part {...given} /> : <Missing place={wanted.place} replaced={replaced} />;
}

export function persistentPart<Props extends object>(load: Wanted<Props>['load'], place: Place): ComponentType<Props> {
  const wanted: Wanted<Props> = { load, place };
  return (props: Props) => <Persistent wanted={wanted} given={props} />;
}

/** As React's own `lazy`, for a part that may not come: the screen around it stays. */
export function lazyPart<Props extends object>(
  load: () => Promise<{ readonly default: ComponentType<Props> }>,
  place: Place = 'page',
) {
  return lazy(() =>
    load().catch((error: unknown) => {
      console.error('A part could not be loaded', error);
      return { default: persistentPart(async () => (await load()).default, place) };
    }),
  );
}

const loadThemed = () => import('./themed.tsx');
const themed = new WeakMap<object, ComponentType<never>>();

/** A part that is made of Mantine's components, with what they stand in. */
export async function withTheme<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  const [Part, { Themed }] = await Promise.all([load(), loadThemed()]);
  // The same one each time, or React would begin anew with what is on screen.
  const known = themed.get(Part) as ComponentType<Props> | undefined;
  if (known) return known;
  const made = (props: Props) => (
    <Themed>
      <Part {...props} />
    </Themed>
  );
  themed.set(Part, made as ComponentType<never>);
  return made;
}

/** As `lazyPart`, for a part that is made of Mantine's components and stands in nothing that is. */
export function themedPart<Props extends object>(
  load: () => Promise<{ readonly default: ComponentType<Props> }>,
  place?: Place,
) {
  return lazyPart(async () => ({ default: await withTheme(async () => (await load()).default) }), place);
}
