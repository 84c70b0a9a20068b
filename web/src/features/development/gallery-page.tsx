/** Every piece of the design system in every state, to look at while building; the picture test watches it. */

import { Alert, Button, SegmentedControl, Switch, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { ApiProblem } from '../../lib/api-problem.ts';
import { useTitle } from '../../lib/use-title.ts';
import { CoinIcon } from '../../ui/coin-icon.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { CopyField } from '../../ui/copy-field.tsx';
import { type Column, DenseTable, useSorting } from '../../ui/dense-table.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Amount, Change, Dollars, Price } from '../../ui/figures.tsx';
import { IconInfoCircle } from '../../ui/icons.ts';
import { noticeError, noticeSuccess } from '../../ui/notices.ts';
import { NumberField } from '../../ui/number-field.tsx';
import { Page } from '../../ui/page.tsx';
import { Pager } from '../../ui/pager.tsx';
import { QrCode } from '../../ui/qr-code.tsx';
import { Sample } from '../../ui/sample.tsx';
import { SecretInput } from '../../ui/secret-input.tsx';
import { Sparkline } from '../../ui/sparkline.tsx';
import { Empty, ErrorState, Loading, SkeletonRows, StaleBadge } from '../../ui/states.tsx';
import classes from './gallery-page.module.css';

const COLOURS = [
  ...['surface-0', 'surface-1', 'surface-2', 'surface-3', 'hairline', 'line-strong', 'text-1', 'text-2', 'text-3'],
  ...['accent', 'accent-fill', 'accent-soft', 'up', 'up-fill', 'up-soft', 'down', 'down-fill', 'down-soft'],
  ...['warning', 'warning-soft', 'favourite'],
];

const LINE = [3, 4, 3.6, 5, 6, 5.2, 7, 6.4, 8, 7.2, 9];
const PROBLEM = new ApiProblem({ status: 503, code: 'UNAVAILABLE', detail: '', message: 'The exchange is busy.' });

interface Row {
  readonly coin: string;
  readonly amount: string;
  readonly change: string;
}

const ROWS: readonly Row[] = [
  { coin: 'BTC', amount: '0.52000000', change: '2.4512' },
  { coin: 'ETH', amount: '12.00000000', change: '-1.3021' },
  { coin: 'USDT', amount: '1500.25000000', change: '0' },
];

const TABLE: readonly Column<Row>[] = [
  { id: 'coin', title: 'Coin', cell: ({ coin }) => coin, compare: (a, b) => a.coin.localeCompare(b.coin) },
  { id: 'amount', title: 'Amount', align: 'right', cell: ({ amount }) => <Amount value={amount} digits={8} /> },
  { id: 'change', title: '24h Change', align: 'right', cell: ({ change }) => <Change value={change} /> },
];

export function GalleryPage() {
  useTitle('Gallery');
  return (
    <Page title="Gallery">
      <div className={classes.grid}>
        <Piece name="Colours">
          <div className={classes.colours}>
            {COLOURS.map((name) => (
              <span key={name} className={classes.colour}>
                <i style={{ background: `var(--${name})` }} />
                {name}
              </span>
            ))}
          </div>
        </Piece>
        <Piece name="Figures">
          <Figures />
        </Piece>
        <Piece name="Table">
          <Table />
        </Piece>
        <Piece name="Buttons and fields">
          <Controls />
        </Piece>
        <Piece name="Coins and lines">
          <p className={classes.row}>
            {['BTC', 'ETH', 'SOL', 'NO-ICON'].map((code) => (
              <CoinIcon key={code} code={code} size={32} />
            ))}
            <Sparkline points={LINE} up />
            <Sparkline points={[...LINE].reverse()} up={false} />
          </p>
        </Piece>
        <Piece name="Copy and scan">
          <CopyField label="Address" value="0x8ba1f109551bD432803012645Ac136ddd64DBA72" />
          <div className={classes.code}>
            <QrCode value="https://cambist.test" size={120} label="Example" />
          </div>
        </Piece>
        <Piece name="Loading">
          <Loading />
          <SkeletonRows rows={3} />
        </Piece>
        <Piece name="Empty">
          <Empty title="No open orders" action={<Button variant="default">Trade</Button>} />
        </Piece>
        <Piece name="Failed">
          <ErrorState error={PROBLEM} onRetry={() => undefined} />
        </Piece>
        <Piece name="Behind and sample">
          <p className={classes.row}>
            <StaleBadge />
            <StaleBadge short />
            <Sample />
          </p>
        </Piece>
        <Piece name="Alerts">
          <Alert icon={<IconInfoCircle size={18} />}>Withdrawals open again at 18:00.</Alert>
          <Alert color="yellow">The price is 3 % from the last trade.</Alert>
          <Alert color="red">This address is fraudulent. Do not send funds.</Alert>
        </Piece>
        <Piece name="Dialogs and notices">
          <Dialogs />
        </Piece>
      </div>
    </Page>
  );
}

function Piece({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <section className={classes.piece} aria-label={name}>
      <h2 className={classes.name}>{name}</h2>
      {children}
    </section>
  );
}

function Figures() {
  return (
    <>
      <p className={classes.row}>
        <Amount value="0.52000000" digits={8} coin="BTC" />
        <Amount value="1234567.8" digits={2} coin="USDT" />
      </p>
      <p className={classes.row}>
        <Price value="91250.1" scale={1} direction="up" />
        <Price value="91249.9" scale={1} direction="down" />
        <Dollars value="0.00000872" digits={8} />
      </p>
      <p className={classes.row}>
        <Change value="2.4512" arrow /> <Change value="-1.3021" arrow /> <Change value="0" arrow />
      </p>
    </>
  );
}

function Table() {
  const { rows, sorting, onSort } = useSorting(ROWS, TABLE);
  return (
    <>
      <DenseTable
        label="Example"
        columns={TABLE}
        rows={rows}
        rowKey={({ coin }) => coin}
        sorting={sorting}
        onSort={onSort}
      />
      <Pager page={0} count={3} onChange={() => undefined} />
    </>
  );
}

function Controls() {
  return (
    <>
      <p className={classes.row}>
        <Button>Primary</Button>
        <Button variant="default">Default</Button>
        <Button variant="subtle" color="gray">
          Subtle
        </Button>
        <Button disabled>Disabled</Button>
        <Button loading>Busy</Button>
      </p>
      <TextInput label="A field" placeholder="Placeholder" />
      <TextInput label="A wrong field" defaultValue="abc" error="Field is required" />
      <Numbers />
      <SecretInput label="A secret" defaultValue="secret" />
      <SegmentedControl data={['Market', 'Limit', 'Stop']} />
      <Switch label="A switch" defaultChecked />
    </>
  );
}

function Numbers() {
  const [price, setPrice] = useState('92098.8');
  const [amount, setAmount] = useState('?1.2.3');
  return (
    <>
      <NumberField label="A number" unit="USDT" scale={1} hint="Now 92,100.0" value={price} onChange={setPrice} />
      <NumberField label="A refused number" unit="BTC" scale={5} value={amount} onChange={setAmount} />
    </>
  );
}

function Dialogs() {
  const [open, setOpen] = useState<'plain' | 'confirm'>();
  const close = () => setOpen(undefined);
  return (
    <>
      <p className={classes.row}>
        <Button variant="default" onClick={() => noticeSuccess('Success', 'Order created successfully')}>
          Success notice
        </Button>
        <Button variant="default" onClick={() => noticeError('Error!', 'Email not found')}>
          Error notice
        </Button>
        <Button variant="default" onClick={() => setOpen('plain')}>
          Dialog
        </Button>
        <Button variant="default" onClick={() => setOpen('confirm')}>
          Confirm
        </Button>
      </p>
      <Dialog opened={open === 'plain'} onClose={close} title="A dialog">
        What it is about.
      </Dialog>
      <ConfirmDialog
        opened={open === 'confirm'}
        title="Cancel all orders?"
        facts={[
          { name: 'Orders', value: '3' },
          { name: 'Released', value: '1,250.00 USDT' },
        ]}
        action="Cancel 3 orders"
        onConfirm={close}
        onClose={close}
      />
    </>
  );
}
