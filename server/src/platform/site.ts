/** Where the site is, as browsers see it: the setting, or in development the loopback address that was asked. */
import type { FastifyRequest } from 'fastify';

export interface Site {
  /** Such as `https://exchange.example`. */
  readonly origin: string;
  /** Host and port. */
  readonly host: string;
  /** The host alone: passkeys belong to it. */
  readonly domain: string;
}

/** @returns undefined where the address of the site is not configured */
export type SiteOf = (http: FastifyRequest) => Site | undefined;

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

function siteAt(text: string): Site | undefined {
  if (!URL.canParse(text)) return undefined;
  const { origin, host, hostname } = new URL(text);
  return { origin, host, domain: hostname };
}

/** A header is believed only where it names the machine itself, and only in development. */
function loopbackSite({ headers }: FastifyRequest): Site | undefined {
  const named = [headers.origin, `http://${headers.host ?? ''}`].map((text) => siteAt(text ?? ''));
  return named.find((site) => site !== undefined && LOOPBACK.has(site.domain));
}

export function siteReader(publicUrl: string | undefined, isProduction: boolean): SiteOf {
  const fixed = publicUrl === undefined ? undefined : siteAt(publicUrl);
  if (fixed !== undefined) return () => fixed;
  return isProduction ? () => undefined : loopbackSite;
}
