/** One position in a market, or a long and a short one side by side. */
import { changePositionMode, type PositionMode } from '@cambist/contract/futures.ts';
import { Button, Group } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../../lib/api-client.ts';
import { messageOf, titleOf } from '../../../lib/api-problem.ts';
import { settingsKey } from '../../../lib/futures/positions.ts';
import type { FuturesSettings } from '../../../lib/futures/terms.ts';
import { t } from '../../../lib/i18n.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { Segments } from '../../../ui/panel.tsx';
import { noticeError } from '../notices.ts';
import type { MarketProps } from '../terminal.ts';
import ticketClasses from '../ticket/ticket.module.css';

interface ModeDialogProps extends MarketProps {
  readonly settings: FuturesSettings;
  readonly onClose: () => void;
}

export default function ModeDialog({ pair, settings, onClose }: ModeDialogProps) {
  const { pair_name: symbol } = pair;
  const [mode, setMode] = useState<PositionMode>(settings.position_mode ?? 'one-way');
  const queries = useQueryClient();
  const change = useMutation({
    mutationFn: () => call(changePositionMode, { body: { symbol, position_mode: mode } }),
    onSuccess: () => {
      void queries.invalidateQueries({ queryKey: settingsKey(symbol) });
      onClose();
    },
    onError: (error) => noticeError(titleOf(error, t('Not changed')), messageOf(error)),
  });
  return (
    <Dialog onClose={onClose} size={400} title={t('Position mode of {{pair}}', { pair: symbol })}>
      <form
        className={ticketClasses.confirm}
        onSubmit={(event) => {
          event.preventDefault();
          change.mutate();
        }}
      >
        <Segments<PositionMode>
          label={t('Position mode')}
          value={mode}
          options={[
            { value: 'one-way', label: t('One-way') },
            { value: 'hedge', label: t('Hedge') },
          ]}
          onChange={setMode}
        />
        <p>
          {mode === 'hedge'
            ? t(
                'A long and a short side by side, each with its own leverage and margin. Reduce only closes the other one.',
              )
            : t('One position: an order on the other side makes it smaller, closes it or turns it around.')}
        </p>
        <p>{t('It can be changed while you have no position and no order in {{pair}}.', { pair: symbol })}</p>
        <Group grow>
          <Button variant="default" onClick={onClose}>
            {t('Cancel')}
          </Button>
          <Button type="submit" loading={change.isPending}>
            {t('Confirm')}
          </Button>
        </Group>
      </form>
    </Dialog>
  );
}
