/** The futures wallet: what is in it, and the positions that it backs. */
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { formatDecimal } from '../../../lib/format.ts';
import { t } from '../../../lib/i18n.ts';
import { overviewQuery } from '../../../lib/queries/account.ts';
import { usePhone } from '../../../ui/card-list.tsx';
import { Tabs } from '../../../ui/panel.tsx';
import { HideButton, Private } from '../hide-button.tsx';
import { useTransferType } from '../transfer/transfer-type.ts';
import classes from '../wallet-page.module.css';
import { AssetList } from './asset-list.tsx';
import { PositionList } from './position-list.tsx';

type Part = 'positions' | 'assets';

function MarginTotal() {
  const total = useQuery(overviewQuery).data?.futureTotal;
  const setType = useTransferType((store) => store.setType);
  const phone = usePhone();
  return (
    <header className={classes.total}>
      <div>
        <div className={classes.caption}>
          <h1>{t('Futures wallet')}</h1>
          <HideButton />
        </div>
        <p className={classes.subtotal}>
          {total === undefined ? (
            <span className={classes.bone} />
          ) : (
            <Private>
              {formatDecimal(total, 2)} <span className={classes.unit}>USDT</span>
            </Private>
          )}
        </p>
      </div>
      <div className={classes.actions}>
        {phone && (
          <Button component={Link} to="/wallet/convert" variant="default">
            {t('Convert')}
          </Button>
        )}
        <Button component={Link} to="/wallet/transfer" onClick={() => setType('FUTURE')}>
          {t('Transfer')}
        </Button>
      </div>
    </header>
  );
}

export function FutureTab() {
  const [part, setPart] = useState<Part>('positions');
  return (
    <section aria-label={t('Futures wallet')}>
      <MarginTotal />
      <Tabs<Part>
        label={t('Shown')}
        value={part}
        options={[
          { value: 'positions', label: t('Positions') },
          { value: 'assets', label: t('Assets') },
        ]}
        onChange={setPart}
      />
      {part === 'positions' ? <PositionList /> : <AssetList />}
    </section>
  );
}
