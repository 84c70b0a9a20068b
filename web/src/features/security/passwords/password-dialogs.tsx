/** The two passwords as rows: the name leads to the screen of its own, the button opens the same over everything. */
import { Button } from '@mantine/core';
import { useState } from 'react';
import { msg, t } from '../../../lib/i18n.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { LinkRow } from '../parts.tsx';
import dialog from './password-dialogs.module.css';
import { PasswordForm } from './password-form.tsx';
import { type PasswordKind, passwordTexts } from './password-rules.ts';

const ROWS = [
  {
    kind: 'password',
    to: '/account/change_password',
    title: msg('Login password'),
    hint: msg('What you log in with.'),
  },
  {
    kind: 'transaction-password',
    to: '/account/change_transaction_password',
    title: msg('Transaction password'),
    hint: msg('Required before money moves and before anything here changes.'),
  },
] as const;

export function PasswordRows() {
  const [open, setOpen] = useState<PasswordKind>();
  const close = () => setOpen(undefined);
  return (
    <>
      {ROWS.map(({ kind, to, title, hint }) => (
        <LinkRow key={kind} to={to} title={t(title)} hint={t(hint)}>
          <Button variant="default" size="xs" aria-label={t(passwordTexts[kind].title)} onClick={() => setOpen(kind)}>
            {t('Change')}
          </Button>
        </LinkRow>
      ))}
      {open && (
        <Dialog fullScreen radius={0} onClose={close} title={t(passwordTexts[open].title)}>
          <div className={dialog.column}>
            <PasswordForm kind={open} onChanged={close} />
          </div>
        </Dialog>
      )}
    </>
  );
}
