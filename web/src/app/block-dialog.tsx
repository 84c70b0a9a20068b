/** The account is frozen, or the exchange is being maintained: what that means, why, until when, and how to object. */
import { Button } from '@mantine/core';
import { type Block, useBlock } from '../lib/block-store.ts';
import { formatDateTime } from '../lib/format.ts';
import { t } from '../lib/i18n.ts';
import { useShell } from '../lib/shell-store.ts';
import { Dialog } from '../ui/dialog.tsx';
import classes from './block-dialog.module.css';

function wordsOf({ kind, text }: Block): { title: string; text: string } {
  if (kind === 'MAINTENANCE') {
    return {
      title: t('Scheduled Maintenance Notice'),
      text: t('We are carrying out scheduled maintenance to improve system performance and stability.'),
    };
  }
  return {
    title: t('Freezed Account!'),
    text: text ?? t('Your account has been freezed. Please contact customer service for more details.'),
  };
}

export function BlockDialog() {
  const { block, setBlock } = useBlock();
  const setChatOpen = useShell((shell) => shell.setChatOpen);
  if (!block) return null;
  const { title, text } = wordsOf(block);
  const { restriction } = block;
  return (
    <Dialog onClose={() => setBlock(undefined)} title={title} size="sm">
      <p className={classes.text}>{text}</p>
      {restriction && (
        <dl className={classes.facts}>
          {restriction.reason && (
            <div>
              <dt>{t('Reason')}</dt>
              <dd>{restriction.reason}</dd>
            </div>
          )}
          <div>
            <dt>{t('Until')}</dt>
            <dd>{restriction.until === null ? t('No end time set.') : formatDateTime(restriction.until)}</dd>
          </div>
        </dl>
      )}
      <Button
        fullWidth
        variant="default"
        onClick={() => {
          setBlock(undefined);
          setChatOpen(true);
        }}
      >
        {t('Contact customer service')}
      </Button>
    </Dialog>
  );
}
