/** One of the terminal's small buttons: an icon, and its name for who rests on it or cannot see it. */
import { ActionIcon, type FloatingPosition } from '@mantine/core';
import {
  type ComponentType,
  type KeyboardEventHandler,
  type MouseEvent,
  type PointerEvent,
  Suspense,
  useRef,
  useState,
} from 'react';
import { lazyPart } from '../../ui/part.tsx';

/** Of the button's size. */
const ICON_SHARE = 0.6;

interface ToolButtonProps {
  readonly label: string;
  readonly Icon: ComponentType<{ size: number; stroke: number }>;
  /** Pixels. */
  readonly size: number;
  readonly onClick: (event: MouseEvent) => void;
  /** For a button that switches something on and off. */
  readonly pressed?: boolean;
  readonly highlighted?: boolean;
  readonly className?: string | undefined;
  readonly labelAt?: FloatingPosition;
  /** In a row of tools that is one stop for Tab. */
  readonly tabIndex?: number;
  readonly onKeyDown?: KeyboardEventHandler<HTMLElement>;
  readonly onFocus?: () => void;
}

const Label = lazyPart(() => import('./tool-label.tsx'), 'unseen');

export function ToolButton(props: ToolButtonProps) {
  const { label, Icon, size, onClick, pressed, highlighted = pressed, className = '', labelAt = 'top' } = props;
  const { tabIndex, onKeyDown, onFocus } = props;
  const button = useRef<HTMLButtonElement>(null);
  const [named, setNamed] = useState(false);
  // A finger that presses it would leave the name behind.
  const enter = ({ pointerType }: PointerEvent) => setNamed(pointerType === 'mouse');
  return (
    <>
      <ActionIcon
        ref={button}
        className={className}
        variant="subtle"
        color={highlighted ? 'accent' : 'gray'}
        size={size}
        aria-label={label}
        aria-pressed={pressed}
        onClick={onClick}
        onPointerEnter={enter}
        onPointerLeave={() => setNamed(false)}
        tabIndex={tabIndex}
        onKeyDown={onKeyDown}
        onFocus={({ currentTarget }) => {
          setNamed(currentTarget.matches(':focus-visible'));
          onFocus?.();
        }}
        onBlur={() => setNamed(false)}
      >
        <Icon size={Math.round(size * ICON_SHARE)} stroke={1.6} />
      </ActionIcon>
      {named && (
        <Suspense>
          <Label target={button} label={label} at={labelAt} />
        </Suspense>
      )}
    </>
  );
}
