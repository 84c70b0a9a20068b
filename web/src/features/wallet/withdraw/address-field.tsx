/** Where it goes: typed, pasted, taken from an earlier address, or scanned. */
import { ActionIcon, TextInput } from '@mantine/core';
import { Suspense, useState } from 'react';
import { t } from '../../../lib/i18n.ts';
import { noticeError } from '../../../ui/notices.ts';
import { lazyPart } from '../../../ui/part.tsx';
import { IconAddressBook, IconClipboard, IconScan } from '../icons.ts';
import { AddressBook } from './address-book.tsx';
import { type Payment, readPayment } from './payment-text.ts';
import type { WithdrawForm } from './use-withdraw-form.ts';
import classes from './withdraw.module.css';

const ScanDialog = lazyPart(async () => ({ default: (await import('./scan-dialog.tsx')).ScanDialog }), 'over');

type Opened = 'book' | 'scan' | undefined;

export function AddressField({ form }: { readonly form: WithdrawForm }) {
  const { coin, entered, errors, enter, leaveAddress } = form;
  const [opened, setOpened] = useState<Opened>();
  const close = () => setOpened(undefined);
  /** An amount is that of one coin: it is taken where that is the one which is withdrawn. */
  const take = ({ address, amount }: Payment) => {
    enter(amount && amount.coin === coin?.name ? { address, amount: amount.value } : { address });
    leaveAddress();
    close();
  };
  const paste = async () => {
    try {
      const text = await navigator.clipboard.readText();
      take(readPayment(text) ?? { address: text.trim() });
    } catch {
      noticeError(t('Recipient address'), t('The browser does not allow pasting here. Use the keyboard instead.'));
    }
  };
  return (
    <>
      <TextInput
        label={t('Recipient address')}
        placeholder={t('Enter or paste an address')}
        classNames={{ input: classes.address ?? '' }}
        autoComplete="off"
        spellCheck={false}
        autoCapitalize="off"
        maxLength={100}
        value={entered.address}
        error={errors.address}
        rightSectionWidth={104}
        rightSection={
          <Tools onPaste={() => void paste()} onBook={() => setOpened('book')} onScan={() => setOpened('scan')} />
        }
        onChange={(event) => enter({ address: event.currentTarget.value })}
        onPaste={(event) => {
          const payment = readPayment(event.clipboardData.getData('text'));
          // Anything else goes to where the caret is, as everywhere.
          if (payment === undefined) return;
          event.preventDefault();
          take(payment);
        }}
        onBlur={leaveAddress}
      />
      {opened === 'book' && form.coin && (
        <AddressBook
          coin={form.coin}
          isWhitelistOnly={form.limits.data?.whitelist_only ?? false}
          onChoose={({ network, address }) => {
            form.chooseNetwork(network);
            take({ address });
          }}
          onClose={close}
        />
      )}
      <Suspense>{opened === 'scan' && <ScanDialog onPayment={take} onClose={close} />}</Suspense>
    </>
  );
}

interface ToolsProps {
  readonly onPaste: () => void;
  readonly onBook: () => void;
  readonly onScan: () => void;
}

function Tools({ onPaste, onBook, onScan }: ToolsProps) {
  return (
    <span className={classes.tools}>
      <Tool label={t('Paste')} icon={<IconClipboard size={17} aria-hidden />} onClick={onPaste} />
      <Tool label={t('Choose an address')} icon={<IconAddressBook size={17} aria-hidden />} onClick={onBook} />
      <Tool label={t('Scan a QR code')} icon={<IconScan size={17} aria-hidden />} onClick={onScan} />
    </span>
  );
}

interface ToolProps {
  readonly label: string;
  readonly icon: React.ReactNode;
  readonly onClick: () => void;
}

function Tool({ label, icon, onClick }: ToolProps) {
  return (
    <ActionIcon variant="subtle" color="gray" size={30} aria-label={label} title={label} onClick={onClick}>
      {icon}
    </ActionIcon>
  );
}
