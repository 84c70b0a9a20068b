import type { FastifyRequest } from 'fastify';
import { expect, it } from 'vitest';
import { shownOrigin } from './origin.ts';

const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0';
const asking = (language: string) => ({ headers: { 'accept-language': language } }) as unknown as FastifyRequest;

it.each([
  ['en', FIREFOX, 'Private network', { device: 'Firefox on Windows', place: 'Private network' }],
  ['de', FIREFOX, 'Private network', { device: 'Firefox auf Windows', place: 'Privates Netzwerk' }],
  ['ja', FIREFOX, 'NL', { device: 'WindowsのFirefox', place: 'NL' }],
  ['de', '', 'Unknown', { device: 'Unbekanntes Gerät', place: 'Unbekannt' }],
  ['en', 'curl/8.0', 'Unknown', { device: 'Unknown device', place: 'Unknown' }],
])('says to a reader in %s where %j at %s is', (language, user_agent, place, shown) => {
  expect(shownOrigin(asking(language), { user_agent, place })).toEqual(shown);
});
