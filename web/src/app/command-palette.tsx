/** Pairs, screens and actions by name, from anywhere. Loaded at the first Ctrl K. */

import { createSpotlight, Spotlight, type SpotlightActionGroupData } from '@mantine/spotlight';
import { IconSearch } from '../ui/icons.ts';
import '@mantine/spotlight/styles.layer.css';
import { useEffect } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { COMMANDS } from '../features/trade/keyboard/commands.ts';
import { t } from '../lib/i18n.ts';
import { usePairs } from '../lib/market/pairs.ts';
import { useSignedIn } from '../lib/session-store.ts';
import { CoinIcon } from '../ui/coin-icon.tsx';
import { ACCOUNT, MORE } from './shell/account-navigation.ts';
import { EARN, MAIN } from './shell/navigation.ts';

const SHOWN = 12;
const [store, palette] = createSpotlight();

export default function CommandPalette() {
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const signedIn = useSignedIn();
  const pairs = usePairs().data ?? [];
  // It was opened by the person.
  useEffect(() => palette.open(), []);
  const groups: SpotlightActionGroupData[] = [
    {
      group: t('Actions'),
      actions: pathname.startsWith('/trades/')
        ? COMMANDS.filter((command) => signedIn || !command.own).map((command) => ({
            id: command.id,
            label: t(command.label),
            // The palette gives the focus back as it closes; what the action focuses comes after.
            onClick: () => void setTimeout(command.run, 200),
          }))
        : [],
    },
    {
      group: t('Screens'),
      actions: [...MAIN, ...EARN, ...(signedIn ? [...ACCOUNT, ...MORE] : [])].map(({ to, label }) => ({
        id: to,
        label: t(label),
        onClick: () => void navigate(to),
      })),
    },
    {
      group: t('Pairs'),
      actions: pairs.map((pair) => ({
        id: pair.pair_name,
        label: pair.pair_name,
        description: pair.name,
        leftSection: <CoinIcon code={pair.coin} size={20} />,
        onClick: () => void navigate(`/trades/spot/${pair.coin}`),
      })),
    },
  ];
  return (
    <Spotlight
      store={store}
      shortcut="mod + K"
      tagsToIgnore={[]}
      actions={groups}
      limit={SHOWN}
      nothingFound={t('Nothing found')}
      searchProps={{
        placeholder: t('Search pairs, screens and actions'),
        'aria-label': t('Search pairs, screens and actions'),
        leftSection: <IconSearch size={18} aria-hidden />,
      }}
    />
  );
}
