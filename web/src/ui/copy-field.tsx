/** Text to take along: one press copies it and says so, or says why it could not. */

import { ActionIcon } from '@mantine/core';
import { useState } from 'react';
import { t } from '../lib/i18n.ts';
import classes from './copy-field.module.css';
import { IconCheck, IconCopy } from './icons.ts';
import { noticeError } from './notices.ts';

const SAID_MS = 2_000;

/** Copies a text; `copied` for two seconds, and a notice for as long where the browser forbids it. */
export function useCopy(label: string, value: string) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(value);
      setCopied(true);
      setTimeout(() => setCopied(false), SAID_MS);
    } catch {
      // The text can still be selected.
      noticeError(label, t('Unable to copy address to clipboard.'), SAID_MS);
    }
  };
  return { copied, copy };
}

interface CopyFieldProps {
  readonly label: string;
  readonly value: string;
}

export function CopyField({ label, value }: CopyFieldProps) {
  const { copied, copy } = useCopy(label, value);
  return (
    <div className={classes.field}>
      <span className={classes.words}>
        <span className={classes.label}>{label}</span>
        <span translate="no" className={classes.value}>
          {value}
        </span>
      </span>
      <ActionIcon
        variant="subtle"
        color={copied ? 'teal' : 'gray'}
        aria-label={copied ? t('Copied!') : t('Copy {{what}}', { what: label })}
        onClick={() => void copy()}
      >
        {copied ? <IconCheck size={17} /> : <IconCopy size={17} />}
      </ActionIcon>
      <span className="visually-hidden" role="status">
        {copied && t('Copied!')}
      </span>
    </div>
  );
}
