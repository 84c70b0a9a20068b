/** Leads to sign-in and back to where the person was. */
export function signInPath(from: string): string {
  return from === '/' || from.startsWith('/sign') ? '/signin' : `/signin?return=${encodeURIComponent(from)}`;
}

/** Only a path of this site counts; anything else could lead a person away with their trust. */
export function returnPath(search: URLSearchParams, home = '/wallet'): string {
  const wanted = search.get('return') ?? '';
  return /^\/(?![/\\])/.test(wanted) ? wanted : home;
}
