/** The first page: what this is, what the market does right now, and where to go from here. */
import { useSignedIn } from '../../lib/session-store.ts';
import { useTitle } from '../../lib/use-title.ts';
import { AppSection } from './app-section.tsx';
import { Claims } from './claims.tsx';
import { Closing } from './closing.tsx';
import { Hero } from './hero.tsx';
import classes from './home-page.module.css';
import { MarketSection } from './market-section.tsx';
import { News } from './news.tsx';
import { Promos } from './promos.tsx';
import { Questions } from './questions.tsx';
import { QuickActions } from './quick-actions.tsx';
import { useScrollToEnd } from './use-scroll-to-end.ts';

export function HomePage() {
  useTitle('');
  useScrollToEnd();
  const signedIn = useSignedIn();
  return (
    <div className={classes.page}>
      <Hero signedIn={signedIn} />
      {signedIn ? <QuickActions /> : <Claims />}
      <MarketSection />
      {signedIn ? <Claims /> : <QuickActions />}
      <Promos />
      <AppSection />
      <News />
      <Questions />
      {!signedIn && <Closing />}
    </div>
  );
}
