import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { RouterProvider } from 'react-router';
import { useLocale } from '../lib/i18n.ts';
import { queryClient } from '../lib/query-client.ts';
import { router } from './router.ts';

export function App() {
  const locale = useLocale();
  return (
    <StrictMode key={locale.name}>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>
  );
}
