/** Frames of the screens that are still being built: what will be here, and what a person can do until then. */
import { Button } from '@mantine/core';
import { Link, useMatches } from 'react-router';
import { msg, t } from '../../lib/i18n.ts';
import { useTitle } from '../../lib/use-title.ts';
import { Empty } from '../../ui/states.tsx';
import classes from './soon-screen.module.css';

interface Way {
  readonly to: string;
  readonly label: string;
}

const TRADE: Way = { to: '/trades/spot', label: msg('Go to spot trading') };
const WALLET: Way = { to: '/wallet', label: msg('Go to wallet') };

interface Frame {
  readonly title: string;
  readonly text: string;
  readonly way: Way;
}

const frame = (title: string, text: string, way: Way): Frame => ({ title, text, way });

const frames = {
  earn: frame(msg('Earn'), msg('Earn plans are not available yet.'), WALLET),
  simpleEarn: frame(msg('Simple Earn'), msg('Earn plans are not available yet.'), WALLET),
  autoInvest: frame(msg('Auto Invest'), msg('Auto-invest plans are not available yet.'), TRADE),
  earnAnalysis: frame(msg('Earn analysis'), msg('Nothing to analyze until you have an earn plan.'), WALLET),
  earnTransactions: frame(msg('Earn transactions'), msg('Earn plans are not available yet.'), WALLET),
  stake: frame(msg('Stake'), msg('Staking is not available yet.'), WALLET),
  miner: frame(msg('Miners'), msg('No miners yet.'), WALLET),
  live: frame(msg('Live'), msg('No live sessions are scheduled.'), WALLET),
  verification: frame(msg('Verification'), msg('Identity verification is not required yet.'), WALLET),
  kyc: frame(msg('Verification'), msg('Identity verification is not required yet.'), WALLET),
  levels: frame(msg('Verification levels'), msg('Identity verification is not required yet.'), WALLET),
  referral: frame(msg('Referral'), msg('Referrals are not available yet.'), WALLET),
  rewards: frame(msg('Rewards Center'), msg('No tasks are currently available. Please try again later.'), WALLET),
  tasks: frame(msg('Task Center'), msg('No Tasks available'), WALLET),
  p2p: frame(msg('P2P'), msg('P2P trading is not offered yet.'), TRADE),
  gift: frame(msg('Gift Card'), msg('Gift cards are not offered yet.'), WALLET),
  pool: frame(msg('Pool'), msg('Mining pools are not offered yet.'), WALLET),
  buyCrypto: frame(msg('Buy Crypto'), msg('Buying with a card or a bank account is not offered yet.'), WALLET),
  payments: frame(msg('Payment methods'), msg('No payment method yet'), WALLET),
} as const satisfies Record<string, Frame>;

export type SoonName = keyof typeof frames;

/** Which frame is the route's to say, in its handle. */
export function SoonScreen() {
  const handle = useMatches().at(-1)?.handle as { readonly soon?: SoonName } | undefined;
  return handle?.soon ? <FrameScreen {...frames[handle.soon]} /> : null;
}

function FrameScreen({ title, text, way }: Frame) {
  useTitle(t(title));
  return (
    <div className={classes.page} data-frame>
      <h1 className={classes.title}>{t(title)}</h1>
      <div className={classes.body}>
        <Empty
          title={t(text)}
          action={
            <Button component={Link} to={way.to} variant="default">
              {t(way.label)}
            </Button>
          }
        />
      </div>
    </div>
  );
}
