/** A year of all wallets as one file, written as the person's tax program reads it. */
import { yearFile } from '@cambist/contract/statements.ts';
import { Button, NativeSelect } from '@mantine/core';
import { useState } from 'react';
import { messageOf } from '../../../lib/api-problem.ts';
import { formatDecimal } from '../../../lib/format.ts';
import { t } from '../../../lib/i18n.ts';
import { saveFile } from '../../../lib/save-file.ts';
import { useSaving } from '../../../lib/use-saving.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { noticeError } from '../../../ui/notices.ts';
import { Select } from '../../../ui/select.tsx';
import classes from './statement.module.css';

const BYTES_PER_MB = 1_000_000;
const YEARS_OFFERED = 6;

const THIS_YEAR = new Date().getFullYear();
const YEARS = Array.from({ length: YEARS_OFFERED }, (_, index) => String(THIS_YEAR - index));
const OWN_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;
const ZONES = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')];

const FIRST = { year: YEARS[0]!, zone: ZONES.includes(OWN_ZONE) ? OWN_ZONE : 'UTC', separator: 'comma' };

export default function YearFileDialog({ onClose }: { readonly onClose: () => void }) {
  const [entry, setEntry] = useState({ ...FIRST, decimal: 'point' });
  const set = (name: keyof typeof entry, value: string) => setEntry((now) => ({ ...now, [name]: value }));
  const query = {
    ...{ year: Number(entry.year), zone: entry.zone },
    separator: entry.separator as 'comma' | 'semicolon' | 'tab',
    decimal_sign: entry.decimal as 'point' | 'comma',
  };
  const { bytes, begin, stop } = useSaving(
    (options) => saveFile(yearFile, { ...options, fileName: `cambist-${entry.year}.csv`, query }),
    (error) => noticeError(t('The file could not be downloaded'), messageOf(error)),
  );
  const choose = (name: keyof typeof entry, label: string, data: { value: string; label: string }[]) => (
    <NativeSelect
      label={label}
      data={data}
      value={entry[name]}
      onChange={({ currentTarget: { value } }) => set(name, value)}
    />
  );
  return (
    <Dialog onClose={onClose} title={t('Tax file for a year')} size="md">
      <div className={classes.year}>
        <p className={classes.about}>
          {t(
            'Trades, deposits, withdrawals and futures results of all wallets, in the format of Koinly, which rotki reads too.',
          )}
        </p>
        {choose(
          'year',
          t('Year'),
          YEARS.map((year) => ({ value: year, label: year })),
        )}
        <Select
          label={t('Time zone')}
          data={ZONES}
          value={entry.zone}
          searchable
          allowDeselect={false}
          onChange={(value) => set('zone', value ?? 'UTC')}
        />
        <div className={classes.pair}>
          {choose('separator', t('Separator'), [
            { value: 'comma', label: t('Comma (,)') },
            { value: 'semicolon', label: t('Semicolon (;)') },
            { value: 'tab', label: t('Tab') },
          ])}
          {choose('decimal', t('Decimal sign'), [
            { value: 'point', label: t('Point (1.5)') },
            { value: 'comma', label: t('Comma (1,5)') },
          ])}
        </div>
        {bytes === undefined ? (
          <Button onClick={() => void begin()}>{t('Download CSV')}</Button>
        ) : (
          <span className={classes.file}>
            <span role="status">
              {t('Downloading: {{size}} MB', { size: formatDecimal((bytes / BYTES_PER_MB).toFixed(1), 1) })}
            </span>
            <Button variant="default" onClick={stop}>
              {t('Cancel')}
            </Button>
          </span>
        )}
      </div>
    </Dialog>
  );
}
