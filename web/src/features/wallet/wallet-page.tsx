/** The wallet: its tabs, and what development gives beside them. */
import { useDisclosure } from '@mantine/hooks';
import { t } from '../../lib/i18n.ts';
import { useIsDevelopment } from '../../lib/queries/platform.ts';
import { useTitle } from '../../lib/use-title.ts';
import { EarnTab } from './earn-tab.tsx';
import { FaucetDialog } from './faucet-dialog.tsx';
import { FutureTab } from './future/future-tab.tsx';
import { OverviewTab } from './overview/overview-tab.tsx';
import { SpotTab } from './spot-tab.tsx';
import { tabLabel, useTab, WalletTabs } from './tabs.tsx';
import classes from './wallet-page.module.css';
import { Web3Tab } from './web3/web3-tab.tsx';

export function WalletPage() {
  const tab = useTab();
  useTitle(tab === 'overview' ? t('Wallet') : `${t('Wallet')}: ${tabLabel(tab)}`);
  const [funding, faucet] = useDisclosure(false);
  const fund = useIsDevelopment() ? faucet.open : undefined;
  return (
    <div className={classes.page}>
      <WalletTabs current={tab} />
      {tab === 'overview' && <OverviewTab onFund={fund} />}
      {tab === 'spot' && <SpotTab onFund={fund} />}
      {tab === 'earn' && <EarnTab />}
      {tab === 'future' && <FutureTab />}
      {tab === 'web3' && <Web3Tab />}
      <FaucetDialog opened={funding} onClose={faucet.close} />
    </div>
  );
}
