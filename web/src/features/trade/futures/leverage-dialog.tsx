/** Any whole leverage up to the market's highest, and how large a position may be with it. */
import { Button, Group } from '@mantine/core';
import { useState } from 'react';
import { formatDecimal } from '../../../lib/format.ts';
import { largestValue } from '../../../lib/futures/orders.ts';
import { type FuturesSettings, marketTerms, usdt } from '../../../lib/futures/terms.ts';
import { t } from '../../../lib/i18n.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { NumberField } from '../../../ui/number-field.tsx';
import type { MarketProps } from '../terminal.ts';
import ticketClasses from '../ticket/ticket.module.css';
import { useChangeLeverage } from './use-leverage.ts';

interface LeverageDialogProps extends MarketProps {
  readonly settings: FuturesSettings;
  readonly onClose: () => void;
}

export default function LeverageDialog({ pair, settings, onClose }: LeverageDialogProps) {
  const [entered, setEntered] = useState(String(settings.leverage));
  // An emptied field may be on its way to another leverage until it is left or sent.
  const [left, setLeft] = useState(false);
  const change = useChangeLeverage(pair.pair_name, onClose);
  const times = Number(entered);
  const highest = settings.maximum_leverage;
  const isRight = Number.isInteger(times) && times >= 1 && times <= highest;
  const isShownWrong = !isRight && (left || times > highest);
  const most = isRight ? largestValue(marketTerms(pair, settings), times) : undefined;
  return (
    <Dialog onClose={onClose} size={360} title={t('Leverage of {{pair}}', { pair: pair.pair_name })}>
      <form
        className={ticketClasses.confirm}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          setLeft(true);
          if (isRight) change.mutate({ leverage: times });
        }}
        onBlur={() => setLeft(true)}
      >
        <NumberField
          label={t('Leverage')}
          value={entered}
          scale={0}
          unit="x"
          unitWidth={30}
          autoFocusInDialog
          error={isShownWrong ? t('Use a whole number from 1 to {{highest}}', { highest }) : undefined}
          hint={most === undefined ? '' : t('Positions up to {{value}} USDT', { value: formatDecimal(usdt(most), 0) })}
          onChange={(typed) => {
            setEntered(typed);
            setLeft(false);
          }}
        />
        <p>
          {t('The margin that your open orders in {{pair}} reserve changes with the leverage.', {
            pair: pair.pair_name,
          })}
        </p>
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
