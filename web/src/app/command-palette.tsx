/** Pairs, screens and actions by name, from anywhere. Loaded at the first Ctrl K. */

import { createSpotlight, Spotlight, type SpotlightActionGroupData, useSpotlight } from '@mantine/spotlight';
import { IconSearch } from '../ui/icons.ts';
import '@mantine/spotlight/styles.layer.css';
import { useCallback, useEffect, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { COMMANDS } from '../features/trade/keyboard/commands.ts';
import { t } from '../lib/i18n.ts';
import { isPerpetual, terminalOf, usePairList, usePairs } from '../lib/market/pairs.ts';
import { useSignedIn } from '../lib/session-store.ts';
import { CoinIcon } from '../ui/coin-icon.tsx';
import { ACCOUNT, MORE } from './shell/account-navigation.ts';
import { EARN, MAIN } from './shell/navigation.ts';

const SHOWN = 12;
const [store, palette] = createSpotlight();
const LIST = 'palette-actions';
/** Of the actions that were chosen so far: ids must differ, also those of rows that have moved. */
let ids = 0;

/** Marks what is chosen for who hears the list. Answers its id. */
function markChosen(list: HTMLElement): string | undefined {
  for (const action of list.querySelectorAll('[role=option]')) {
    action.ariaSelected = String(action.hasAttribute('data-selected'));
  }
  const action = list.querySelector('[data-selected]');
  if (action && action.id === '') {
    ids += 1;
    action.id = `${LIST}-${ids}`;
  }
  return action?.id;
}

/** The keys stay in the field while they choose in the list, which the library does in the document alone. */
function useChosen() {
  const [chosen, setChosen] = useState<string>();
  const list = useCallback((element: HTMLElement | null) => {
    if (!element) return;
    const read = () => setChosen(markChosen(element));
    const observer = new MutationObserver(read);
    observer.observe(element, { subtree: true, childList: true, attributeFilter: ['data-selected'] });
    read();
    return () => {
      observer.disconnect();
      setChosen(undefined);
    };
  }, []);
  return { chosen, list };
}

export default function CommandPalette() {
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const signedIn = useSignedIn();
  const pairs = usePairs().data ?? [];
  const perpetuals = usePairList('perpetuals').data ?? [];
  const { opened } = useSpotlight(store);
  const { chosen, list } = useChosen();
  const label = t('Search pairs, screens and actions');
  const name = t('Command palette');
  // It was opened by the person.
  useEffect(() => palette.open(), []);
  const groups: SpotlightActionGroupData[] = [
    {
      group: t('Actions'),
      actions: pathname.startsWith('/trades/')
        ? COMMANDS.filter((command) => signedIn || !command.own).map((command) => ({
            id: command.id,
            role: 'option',
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
        role: 'option',
        label: t(label),
        onClick: () => void navigate(to),
      })),
    },
    {
      group: t('Pairs'),
      actions: [...pairs, ...perpetuals].map((pair) => ({
        id: pair.pair_name,
        role: 'option',
        label: pair.pair_name,
        description: isPerpetual(pair.pair_name) ? `${pair.name} · ${t('Perpetual')}` : pair.name,
        leftSection: <CoinIcon code={pair.coin} size={20} />,
        onClick: () => void navigate(terminalOf(pair.pair_name)),
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
      nothingFound={<span role="status">{t('Nothing found')}</span>}
      attributes={{ content: { 'aria-label': name } }}
      scrollAreaProps={{ ref: list, id: LIST, role: 'listbox', 'aria-label': name }}
      searchProps={{
        placeholder: label,
        'aria-label': label,
        role: 'combobox',
        'aria-expanded': opened,
        'aria-controls': LIST,
        'aria-activedescendant': chosen,
        leftSection: <IconSearch size={18} aria-hidden />,
      }}
    />
  );
}
