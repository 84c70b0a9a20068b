/** The name of a button beside it. Loaded when the first one is pointed at. */
import { type FloatingPosition, Tooltip } from '@mantine/core';
import '@mantine/core/styles/Tooltip.layer.css';
import type { RefObject } from 'react';

interface ToolLabelProps {
  readonly target: RefObject<HTMLElement | null>;
  readonly label: string;
  readonly at: FloatingPosition;
}

export default function ToolLabel({ target, label, at }: ToolLabelProps) {
  return <Tooltip target={target} label={label} position={at} opened />;
}
