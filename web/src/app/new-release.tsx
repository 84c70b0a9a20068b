/** Keeps the app on the device, and says when a newer release is there: it is used at the next visit, or at once. */
import { useEffect, useState } from 'react';
import { t } from '../lib/i18n.ts';
import { Button } from '../ui/button.tsx';
import { placedNotice } from '../ui/notice-place.ts';
import classes from './new-release.module.css';

async function watchReleases(onWaiting: (worker: ServiceWorker) => void): Promise<void> {
  const registration = await navigator.serviceWorker.register('/service-worker.js', { updateViaCache: 'none' });
  const announce = () => {
    // Without a worker in charge this is the first visit, and there is nothing older to replace.
    if (registration.waiting && navigator.serviceWorker.controller) onWaiting(registration.waiting);
  };
  announce();
  registration.addEventListener('updatefound', () => {
    registration.installing?.addEventListener('statechange', announce);
  });
}

export default function NewRelease() {
  const [waiting, setWaiting] = useState<ServiceWorker>();
  useEffect(() => {
    // A browser may refuse to keep anything; the site works without.
    watchReleases(setWaiting).catch((error: unknown) => console.error('The app is not kept on this device', error));
  }, []);
  if (!waiting) return null;
  const takeOver = () => {
    navigator.serviceWorker.addEventListener('controllerchange', () => window.location.reload(), { once: true });
    waiting.postMessage('take-over');
  };
  return (
    <div ref={placedNotice} className={classes.notice} role="status" data-keep-clear>
      <span>{t('A new version is ready and will be used on your next visit.')}</span>
      <Button size="compact-sm" onClick={takeOver}>
        {t('Update now')}
      </Button>
      <Button size="compact-sm" variant="subtle" onClick={() => setWaiting(undefined)}>
        {t('Later')}
      </Button>
    </div>
  );
}
