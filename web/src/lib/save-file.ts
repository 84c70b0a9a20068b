/** A file of any length from the server to the person's disk; the browser keeps a large one on its disk meanwhile. */
import type { Call, QueryOf } from '@cambist/contract/call.ts';
import { queryText } from './api-client.ts';
import { networkProblem, problemFrom } from './api-problem.ts';
import { currentLocale } from './i18n.ts';
import { useSession } from './session-store.ts';

interface Saving<C extends Call> {
  readonly query: QueryOf<C>;
  readonly fileName: string;
  readonly signal: AbortSignal;
  /** Bytes so far. */
  readonly onProgress: (bytes: number) => void;
}

const REVOKE_MS = 60_000;
const JSON_TYPE = 'application/json';

/** As other calls, but for their time limit: a file takes as long as it is. */
async function ask(path: string, signal: AbortSignal): Promise<Response> {
  const { token, signOut } = useSession.getState();
  const headers = { authorization: `Bearer ${token ?? ''}`, 'accept-language': currentLocale().tag };
  const response = await fetch(path, { headers, signal }).catch((error: unknown) => {
    throw signal.aborted ? error : networkProblem();
  });
  if (response.ok) return response;
  if (response.status === 401 && useSession.getState().token === token) signOut('ended');
  throw await problemFrom(response);
}

/** Hands what is in memory to the person as a file. */
export function saveBlob(name: string, content: Blob): void {
  const href = URL.createObjectURL(content);
  Object.assign(document.createElement('a'), { href, download: name }).click();
  // Once the browser has begun to read it.
  setTimeout(() => URL.revokeObjectURL(href), REVOKE_MS);
}

export const saveJson = (name: string, text: string): void => saveBlob(name, new Blob([text], { type: JSON_TYPE }));

export async function saveFile<C extends Call>(definition: C, saving: Saving<C>): Promise<void> {
  const { query, fileName, signal, onProgress } = saving;
  const response = await ask(definition.path + queryText(query), signal);
  let bytes = 0;
  const counted = response.body?.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        bytes += chunk.length;
        onProgress(bytes);
        controller.enqueue(chunk);
      },
    }),
  );
  const file = await new Response(counted ?? null).blob().catch((error: unknown) => {
    // Half a file is none: the server breaks off where it cannot go on.
    throw signal.aborted ? error : networkProblem();
  });
  saveBlob(fileName, file);
}
