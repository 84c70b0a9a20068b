/**
 * The operator's announcement, such as an airdrop, which comes in along the top, once on each device, and stays until the
 * person closes it. The sample that is there before he states one announces nothing, and is not shown.
 */

import type { ReadContent } from '@cambist/contract/content.ts';
import { useState } from 'react';
import { Link } from 'react-router';
import { t } from '../../lib/i18n.ts';
import { usePreferences } from '../../lib/preferences-store.ts';
import { useContent } from '../../lib/queries/content.ts';
import { IconButton } from '../../ui/button.tsx';
import { IconX } from '../icons.ts';
import classes from './announcement.module.css';

/**
 * Marks a text that is wider than its band, for as long as it is: one that fits need not move, and costs nothing then. Keys
 * scroll the band of one that does not.
 */
function markLong(text: HTMLElement | null): (() => void) | undefined {
  const band = text?.parentElement;
  if (!band) return undefined;
  const mark = () => {
    const isLong = text.offsetWidth > band.offsetWidth;
    text.toggleAttribute('data-long', isLong);
    band.tabIndex = isLong ? 0 : -1;
  };
  const observer = new ResizeObserver(mark);
  observer.observe(text);
  observer.observe(band);
  return () => observer.disconnect();
}

type Banner = ReadContent<'banners'>['items'][number];

function AnnouncementText({ banner }: { readonly banner: Banner }) {
  const { shownBanner, showBanner } = usePreferences();
  // Once it has begun to come in, it does so to the end.
  const [isNew] = useState(shownBanner !== banner.id);
  return (
    <div className={classes.window}>
      <p
        ref={markLong}
        className={classes.text}
        data-new={isNew || undefined}
        onAnimationEnd={() => showBanner(banner.id)}
      >
        {banner.url.startsWith('/') ? (
          <Link to={banner.url}>{banner.text}</Link>
        ) : banner.url ? (
          <a href={banner.url} rel="noreferrer">
            {banner.text}
          </a>
        ) : (
          banner.text
        )}
      </p>
    </div>
  );
}

export function Announcement() {
  const { data, error } = useContent('banners');
  const banner = data?.items.find(({ sample }) => !sample);
  const { closedBanner, closeBanner, shownBanner } = usePreferences();
  // Its place is kept while it is awaited by who has seen one, so that the page does not move when it comes.
  if (!data && !error && shownBanner && !closedBanner) return <div className={classes.band} data-awaited-banner />;
  if (!banner || closedBanner === banner.id) return null;
  return (
    <aside className={classes.band} aria-label={t('Announcement')}>
      <AnnouncementText key={banner.id} banner={banner} />
      <IconButton
        variant="transparent"
        size="sm"
        aria-label={t('Close the announcement')}
        onClick={() => closeBanner(banner.id)}
      >
        <IconX size={14} />
      </IconButton>
    </aside>
  );
}
