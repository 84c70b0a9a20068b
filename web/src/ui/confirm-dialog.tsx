/** Asks before something that cannot be taken back, and says in amounts what will happen. */
import { Button, Modal } from '@mantine/core';
import type { ReactNode } from 'react';
import { t } from '../lib/i18n.ts';
import classes from './confirm-dialog.module.css';

interface Fact {
  readonly name: string;
  readonly value: ReactNode;
}

interface ConfirmDialogProps {
  readonly opened: boolean;
  readonly title: string;
  readonly facts: readonly Fact[];
  /** What the button does, in its own words. */
  readonly action: string;
  readonly busy?: boolean;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

export function ConfirmDialog({ opened, title, facts, action, busy = false, onConfirm, onClose }: ConfirmDialogProps) {
  return (
    <Modal opened={opened} onClose={onClose} title={title} size="sm">
      <dl className={classes.facts}>
        {facts.map(({ name, value }) => (
          <div key={name} className={classes.fact}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <div className={classes.buttons}>
        <Button variant="default" onClick={onClose}>
          {t('Cancel')}
        </Button>
        <Button loading={busy} onClick={onConfirm}>
          {action}
        </Button>
      </div>
    </Modal>
  );
}
