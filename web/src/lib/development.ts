/** A development server is reached on this machine; its helpers are not offered anywhere else. */
export function isDevelopmentHost(): boolean {
  return ['localhost', '127.0.0.1', '[::1]'].includes(window.location.hostname);
}
