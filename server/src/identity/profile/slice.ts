/** The profile as a slice. */
import type { Platform, Slice } from '../../platform/slice.ts';
import { serveProfile } from './routes.ts';
import { createProfile, type ProfileDeps } from './service.ts';

export interface ProfileParts extends Omit<ProfileDeps, 'siteName' | 'clock' | 'outbox'> {
  readonly security: Parameters<typeof serveProfile>[1]['security'];
  readonly oauth: Parameters<typeof serveProfile>[1]['oauth'];
}

export function createProfileSlice({ config, clock, outbox }: Platform, parts: ProfileParts): Slice {
  const profile = createProfile({ ...parts, outbox, siteName: config.SITE_NAME, clock });
  const { security, oauth, accounts } = parts;
  return {
    routes: (calls) => serveProfile(calls, { profile, security, oauth, smsThrottle: accounts.throttles.send }),
  };
}
