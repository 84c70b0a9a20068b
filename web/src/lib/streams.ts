/** The three streams of this tab, opened when something first subscribes. */
import { useSyncExternalStore } from 'react';
import { noteAnswered } from './away.ts';
import { useSession } from './session-store.ts';
import { StreamClient } from './stream-client.ts';

function streamUrl(path: string): () => string {
  return () => {
    const url = new URL(path, window.location.href);
    url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
    return url.href;
  };
}

export const publicStream = new StreamClient({ url: streamUrl('/ws/v5/public') });
export const businessStream = new StreamClient({ url: streamUrl('/ws/v5/business') });
export const privateStream = new StreamClient({
  url: streamUrl('/ws/v5/private'),
  token: () => useSession.getState().token,
});

// A stream that speaks again says sooner than the next request that the server is back.
for (const stream of [publicStream, businessStream, privateStream])
  stream.watchStale(() => {
    if (!stream.isStale()) noteAnswered();
  });

/** True from three seconds after a stream fell silent until it speaks again. */
export function useStale(stream: StreamClient): boolean {
  return useSyncExternalStore(stream.watchStale, stream.isStale, () => false);
}
