/** The app: a code to scan for a phone, or the link on the phone itself. */

import { Suspense, useState } from 'react';
import { Link } from 'react-router';
import { t } from '../../lib/i18n.ts';
import { lazyPart } from '../../ui/part.tsx';
import classes from './app-section.module.css';
import { IconBrandAndroid, IconBrandApple } from './icons.ts';

const QrCode = lazyPart(async () => ({ default: (await import('../../ui/qr-code.tsx')).QrCode }));

const SYSTEMS = [
  { name: 'Android', path: '/api/v3/download-apk', icon: IconBrandAndroid },
  { name: 'iOS', path: '/api/v3/download-ios', icon: IconBrandApple },
] as const;

const SIZE = 168;

export function AppSection() {
  const [coded, setCoded] = useState<string>();
  const system = SYSTEMS.find(({ name }) => name === coded);
  return (
    <section className={classes.section} aria-labelledby="the-app">
      <div>
        <h2 id="the-app" className={classes.title}>
          {t('Your exchange in your pocket')}
        </h2>
        <p className={classes.text}>
          {t(
            'The same order book, wallet and alerts on your phone. It can also be installed straight from the browser.',
          )}{' '}
          <Link to="/install" className={classes.link}>
            {t('How to install it')}
          </Link>
        </p>
        <div className={classes.systems}>
          {SYSTEMS.map(({ name, path, icon: Icon }) => (
            <div key={name} className={classes.system}>
              <a href={path} target="_blank" rel="noreferrer" className={classes.download}>
                <Icon size={20} stroke={1.6} />
                {name}
              </a>
              <button
                type="button"
                className={classes.show}
                aria-pressed={coded === name}
                onClick={() => setCoded(name)}
              >
                {t('QR code for {{system}}', { system: name })}
              </button>
            </div>
          ))}
        </div>
      </div>
      <div className={classes.code}>
        {system ? (
          <Suspense>
            <QrCode
              value={window.location.origin + system.path}
              size={SIZE}
              label={t('QR code for the {{system}} app', { system: system.name })}
            />
          </Suspense>
        ) : (
          <p className={classes.hint}>{t('Choose a system and scan its code with your phone.')}</p>
        )}
      </div>
    </section>
  );
}
