/** One of the terminal's small buttons: an icon, and its name for who rests on it or cannot see it. */
import { ActionIcon, type FloatingPosition, Tooltip } from '@mantine/core';
import type { ComponentType } from 'react';

/** Of the button's size. */
const ICON_SHARE = 0.6;

interface ToolButtonProps {
  readonly label: string;
  readonly Icon: ComponentType<{ size: number; stroke: number }>;
  /** Pixels. */
  readonly size: number;
  readonly onClick: () => void;
  /** For a button that switches something on and off. */
  readonly pressed?: boolean;
  readonly highlighted?: boolean;
  readonly className?: string | undefined;
  readonly labelAt?: FloatingPosition;
}

export function ToolButton(props: ToolButtonProps) {
  const { label, Icon, size, onClick, pressed, highlighted = pressed, className = '', labelAt = 'top' } = props;
  return (
    <Tooltip label={label} position={labelAt}>
      <ActionIcon
        className={className}
        variant="subtle"
        color={highlighted ? 'accent' : 'gray'}
        size={size}
        aria-label={label}
        aria-pressed={pressed}
        onClick={onClick}
      >
        <Icon size={Math.round(size * ICON_SHARE)} stroke={1.6} />
      </ActionIcon>
    </Tooltip>
  );
}
