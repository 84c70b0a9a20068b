/** Asks before something that cannot be taken back, and says in amounts what will happen. */
import { Button } from '@mantine/core';
import { t } from '../lib/i18n.ts';
import classes from './confirm-dialog.module.css';
import { Dialog } from './dialog.tsx';
import { type Fact, Facts } from './facts.tsx';

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
    <Dialog opened={opened} onClose={onClose} title={title} size="sm">
      <Facts look="rows" facts={facts} className={classes.facts} />
      <div className={classes.buttons}>
        <Button variant="default" onClick={onClose}>
          {t('Cancel')}
        </Button>
        <Button loading={busy} onClick={onConfirm}>
          {action}
        </Button>
      </div>
    </Dialog>
  );
}
