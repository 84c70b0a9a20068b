/** A button whose menu, and everything that menus need, is fetched at the first use. */
import {
  type ButtonHTMLAttributes,
  type ComponentType,
  cloneElement,
  type ReactElement,
  type RefAttributes,
  useEffect,
  useRef,
  useState,
} from 'react';
import { messageOf, networkProblem } from '../lib/api-problem.ts';
import { t } from '../lib/i18n.ts';
import { noticeError } from './notices.ts';
import { withTheme } from './part.tsx';

export interface OnDemandMenuProps {
  /** The button; the menu makes it its own once it is there. */
  readonly trigger: ReactElement<ButtonHTMLAttributes<HTMLButtonElement> & RefAttributes<HTMLButtonElement>>;
}

interface OnDemandProps<Given> extends OnDemandMenuProps {
  /** Fetches the menu; it is only asked again when it has failed. */
  readonly load: () => Promise<ComponentType<Given & OnDemandMenuProps>>;
  /** What the menu is about. */
  readonly given?: Given;
}

export function OnDemand<Given extends object>({ load, trigger, given }: OnDemandProps<Given>) {
  const [Menu, setMenu] = useState<ComponentType<Given & OnDemandMenuProps>>();
  const button = useRef<HTMLButtonElement>(null);
  // The click that asked for the menu came before it: it is given once more.
  useEffect(() => {
    if (!Menu) return;
    button.current?.focus();
    button.current?.click();
  }, [Menu]);
  if (Menu) {
    const props = { ...given, trigger: cloneElement(trigger, { ref: button }) };
    return <Menu {...(props as Given & OnDemandMenuProps)} />;
  }
  const fetchMenu = () => withTheme(load);
  const prepare = () => void fetchMenu().catch(() => undefined);
  const open = () =>
    fetchMenu().then(
      (menu) => setMenu(() => menu),
      () => noticeError(t('Something went wrong'), messageOf(networkProblem())),
    );
  return cloneElement(trigger, {
    'aria-haspopup': true,
    'aria-expanded': false,
    onPointerEnter: prepare,
    onFocus: prepare,
    onClick: () => void open(),
  });
}
