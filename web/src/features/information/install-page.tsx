/** The web client as an app: what the browser offers, or how it is done by hand. */
import { Button } from '@mantine/core';
import { useEffect, useState } from 'react';
import { t } from '../../lib/i18n.ts';
import { useTitle } from '../../lib/use-title.ts';
import classes from '../../ui/markdown.module.css';
import { Page } from '../../ui/page.tsx';

/** Chromium's offer to install; other browsers have only their menus. */
interface InstallOffer extends Event {
  prompt(): Promise<unknown>;
}

function useInstallOffer(): InstallOffer | undefined {
  const [offer, setOffer] = useState<InstallOffer>();
  useEffect(() => {
    const keep = (event: Event) => {
      event.preventDefault();
      setOffer(event as InstallOffer);
    };
    const forget = () => setOffer(undefined);
    window.addEventListener('beforeinstallprompt', keep);
    window.addEventListener('appinstalled', forget);
    return () => {
      window.removeEventListener('beforeinstallprompt', keep);
      window.removeEventListener('appinstalled', forget);
    };
  }, []);
  return offer;
}

export function InstallPage() {
  useTitle(t('Install the app'));
  const offer = useInstallOffer();
  return (
    <Page title={t('Install the app')} narrow>
      <div className={classes.article}>
        <p>{t('Cambist runs as an app from your home screen or desktop, with nothing to download.')}</p>
        {offer && <Button onClick={() => void offer.prompt()}>{t('Install')}</Button>}
        <h2>Android</h2>
        <p>{t('Open this site in Chrome, open its menu, and choose “Add to home screen”, then “Install”.')}</p>
        <h2>iOS</h2>
        <p>{t('Open this site in Safari, tap Share, and choose “Add to Home Screen”.')}</p>
        <h2>{t('Computer')}</h2>
        <p>{t('In Chrome or Edge, click the install icon at the end of the address bar.')}</p>
      </div>
    </Page>
  );
}
