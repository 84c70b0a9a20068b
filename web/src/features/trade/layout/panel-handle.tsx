/** A panel while panels are arranged: dragged by the mouse, moved by its menu with keys or single taps. */
import { Menu, UnstyledButton } from '@mantine/core';
import { useRef } from 'react';
import { msg, t } from '../../../lib/i18n.ts';
import { announce } from '../../../ui/announcer.tsx';
import { useFloating } from '../../../ui/use-floating.ts';
import { IconGripVertical } from '../icons.ts';
import classes from './layout.module.css';
import { PANEL_TITLES, type PanelId, type PanelPlace } from './panel-layouts.ts';
import { movedPanel, PANEL_MOVES, type PanelMove } from './panel-moves.ts';

const MOVES: Readonly<Record<PanelMove, string>> = {
  up: msg('Move up'),
  down: msg('Move down'),
  left: msg('Move left'),
  right: msg('Move right'),
  wider: msg('Wider'),
  narrower: msg('Narrower'),
  taller: msg('Taller'),
  shorter: msg('Shorter'),
};

/** Farther than this, the press was a drag. */
const STILL_PX = 3;

function announcePlace({ i, x, y, w, h }: PanelPlace): void {
  const figures = { panel: t(PANEL_TITLES[i]), x: x + 1, y: y + 1, w, h };
  announce(t('{{panel}}: column {{x}}, row {{y}}, {{w}} wide, {{h}} high', figures));
}

interface PanelHandleProps {
  readonly id: PanelId;
  readonly places: readonly PanelPlace[];
  readonly onMove: (places: readonly PanelPlace[]) => void;
}

export function PanelHandle({ id, places, onMove }: PanelHandleProps) {
  const { opened, onChange } = useFloating();
  const pressed = useRef({ x: 0, y: 0 });
  const move = (step: PanelMove) => {
    const moved = movedPanel(places, id, step);
    onMove(moved);
    const place = moved.find(({ i }) => i === id);
    if (place) announcePlace(place);
  };
  return (
    <Menu
      opened={opened}
      onChange={onChange}
      closeOnItemClick={false}
      withInitialFocusPlaceholder={false}
      position="bottom"
      width={180}
    >
      <Menu.Target>
        <UnstyledButton
          className={classes.handle ?? ''}
          onPointerDown={({ clientX: x, clientY: y }) => {
            pressed.current = { x, y };
          }}
          onClickCapture={(event) => {
            const { x, y } = pressed.current;
            const isDrag = Math.hypot(event.clientX - x, event.clientY - y) > STILL_PX;
            if (event.detail > 0 && isDrag) event.stopPropagation();
          }}
        >
          <IconGripVertical size={16} aria-hidden />
          {t(PANEL_TITLES[id])}
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        {PANEL_MOVES.map((step) => (
          <Menu.Item key={step} onClick={() => move(step)}>
            {t(MOVES[step])}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
