/** What cold wallets hold beside the newest run: a statement for each is carried to its machine, signed there, and brought back. */
import { coldReservesFile, type LiabilityRun, signColdReserves } from '@cambist/contract/liabilities.ts';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { call } from '../../../lib/api-client.ts';
import { formatDateTime } from '../../../lib/format.ts';
import { t } from '../../../lib/i18n.ts';
import { saveJson } from '../../../lib/save-file.ts';
import { Section } from '../section.tsx';
import { useAct } from '../use-act.ts';
import own from './treasury.module.css';
import { liabilityRunsQuery } from './treasury-queries.ts';
import { UploadButton } from './upload-button.tsx';

type Cold = NonNullable<LiabilityRun['reserves']>['cold'][number];

export function ColdReserves() {
  const { data: runs = [] } = useQuery(liabilityRunsQuery);
  // What the newest run holds is read some moments after it was made.
  const run = runs.find(({ reserves }) => reserves !== null);
  if (!run?.reserves || run.reserves.cold.length === 0) return null;
  return (
    <Section title={t('Cold wallets in the proof')}>
      <p className={own.lead}>
        {t(
          'Carry a statement to the cold machine, sign it there with “npm run signer -- cold-sign”, and upload what it has written. It moves nothing; until then the proof shows what the wallet holds as not signed.',
        )}
      </p>
      {run.reserves.cold.map((cold) => (
        <ColdWallet key={cold.address} run={run} cold={cold} />
      ))}
      <UploadButton
        text={t('Upload a signed statement')}
        accept="application/json,.json"
        upload={async (file) => call(signColdReserves, { body: { file: await file.text() } })}
      />
    </Section>
  );
}

function ColdWallet({
  run: { batch, made_at: made },
  cold: { address, signed_at: signed },
}: {
  readonly run: LiabilityRun;
  readonly cold: Cold;
}) {
  const download = useAct(async () => {
    const { name, file } = await call(coldReservesFile, { params: { batch: String(batch) }, query: { address } });
    saveJson(name, file);
  });
  return (
    <div className={own.request}>
      <p>
        <strong className={own.mono}>{address}</strong>
        <span>
          {signed === null
            ? t('Not signed for the run of {{time}}', { time: formatDateTime(made) })
            : t('Signed for the run of {{time}}', { time: formatDateTime(made) })}
        </span>
      </p>
      {signed === null && (
        <Button
          size="compact-xs"
          variant="default"
          loading={download.isPending}
          aria-label={t('Download the statement of {{address}}', { address })}
          onClick={() => download.mutate(undefined)}
        >
          {t('Download')}
        </Button>
      )}
    </div>
  );
}
