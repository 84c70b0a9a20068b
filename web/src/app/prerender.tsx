/** Draws the first page to HTML when the client is built, as a visitor sees it before any figure has come. */
import { LOCALES, type LocaleName, localeOf } from '@cambist/contract/locales.ts';
import { QueryClientProvider } from '@tanstack/react-query';
import { renderToString } from 'react-dom/server';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { loadTexts, speak } from '../lib/i18n.ts';
import { queryClient } from '../lib/query-client.ts';
import { homeRoute, layoutRoute } from './route-objects.ts';

const router = createMemoryRouter([{ ...layoutRoute, children: [homeRoute] }], { initialEntries: ['/'] });

async function loaded(): Promise<void> {
  while (!router.state.initialized) await new Promise((resolve) => setTimeout(resolve, 1));
  if (router.state.errors) throw new Error('The first page could not be drawn', { cause: router.state.errors });
}

async function draw(name: LocaleName): Promise<string> {
  await speak(localeOf(name));
  return renderToString(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  );
}

/** The page of each locale, by name. */
export async function drawAll(): Promise<Map<LocaleName, string>> {
  await loadTexts('shell');
  await loaded();
  const pages = new Map<LocaleName, string>();
  // One after the other: the language is the page's, not the call's.
  for (const { name } of LOCALES) pages.set(name, await draw(name));
  return pages;
}
