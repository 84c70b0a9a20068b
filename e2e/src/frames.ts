/** What a page says and hears on its sockets. */
import type { Page } from 'playwright-core';

type Frame = Readonly<Record<string, unknown>>;

export interface Frames {
  readonly sent: readonly Frame[];
  readonly heard: readonly Frame[];
}

/** Of sockets that the page opens from now on. */
export function framesOf(page: Page): Frames {
  const [sent, heard]: [Frame[], Frame[]] = [[], []];
  const keep = (list: Frame[]) => (frame: { readonly payload: string | Buffer }) => {
    const text = String(frame.payload);
    if (text.startsWith('{')) list.push(JSON.parse(text) as Frame);
  };
  page.on('websocket', (socket) => {
    socket.on('framesent', keep(sent));
    socket.on('framereceived', keep(heard));
  });
  return { sent, heard };
}
