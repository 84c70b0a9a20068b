import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode, useEffect } from 'react';
import { RouterProvider } from 'react-router';
import { useLocale } from '../lib/i18n.ts';
import { queryClient } from '../lib/query-client.ts';
import { router } from './router.ts';

declare global {
  interface Window {
    /**
     * The button that was pressed last before there was an app; from then on presses are the app's own. Of
     * `appearance.js`, which a browser may still keep from an older release.
     */
    takeEarlyPress?(): HTMLButtonElement | undefined;
  }
}

export function App() {
  const locale = useLocale();
  useEffect(() => window.takeEarlyPress?.()?.click(), []);
  return (
    <StrictMode key={locale.name}>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>
  );
}
