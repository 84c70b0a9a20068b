/** The first page: what this is, what the market does right now, and where to go from here. */
import { Suspense } from 'react';
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
import { TerminalPicture } from './terminal-picture.tsx';
import { useScrollToEnd } from './use-scroll-to-end.ts';

export function HomePage() {
  useTitle('');
  useScrollToEnd();
  const signedIn = useSignedIn();
  const sections = [
    <Hero key="hero" signedIn={signedIn} />,
    signedIn && <QuickActions key="actions" />,
    <MarketSection key="market" />,
    !signedIn && <QuickActions key="actions" />,
    !signedIn && <TerminalPicture key="terminal" />,
    <Promos key="promos" />,
    <AppSection key="app" />,
    <Claims key="claims" />,
    <News key="news" />,
    <Questions key="questions" />,
    !signedIn && <Closing key="closing" />,
  ];
  // What was drawn beforehand comes alive a section at a time, so that a phone answers in between.
  return (
    <div className={classes.page}>
      {sections.map((section) => section && <Suspense key={section.key}>{section}</Suspense>)}
    </div>
  );
}
