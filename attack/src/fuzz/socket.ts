/** Every operation of the private socket, with what no header and no path of HTTP could carry. */
import fc from 'fast-check';
import { openStream, type Push, type Stream } from '../stream.ts';
import type { Operation } from './document.ts';
import { objectFor, scalar } from './values.ts';

export interface Frame {
  readonly op: string;
  readonly args: unknown;
  readonly key?: unknown;
  readonly language?: unknown;
}

export interface Heard {
  readonly frame: Frame;
  /** Undefined where no answer came. */
  readonly status: number | undefined;
  readonly text: string;
}

/** Within what one client may have unanswered, and may send in a second. */
const AT_ONCE = 24;
const LARGEST = 15_000;
const REST_MS = 250;

/** Halves of characters: different here, and the same once they are written as UTF-8. */
const keys: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(undefined, 'again', '', 'a\u0000b', '\ud800', '\udbff', 'x\udfff', 'k'.repeat(129), 7, null),
  fc.string({ maxLength: 130, unit: 'binary' }),
  fc.uuid(),
);

export function framesFor(operation: Operation & { readonly op: string }): fc.Arbitrary<Frame> {
  const { op, body = {}, params } = operation;
  const args = objectFor({ ...body, properties: { ...params, ...body.properties } });
  const language = fc.oneof({ weight: 4, arbitrary: fc.constantFrom<unknown>(undefined, 'de', 'ja;q=x') }, scalar);
  return fc
    .record({ op: fc.constant(op), args: fc.oneof({ weight: 9, arbitrary: args }, scalar), key: keys, language })
    .filter((frame) => JSON.stringify(frame).length < LARGEST);
}

/** Others are answered without their id. */
function isRequest({ args, key, language }: Frame): boolean {
  const areTexts = [key, language].every((text) => text === undefined || typeof text === 'string');
  return areTexts && typeof args === 'object' && args !== null && !Array.isArray(args);
}

async function signedIn(url: string, token: string | undefined): Promise<Stream> {
  const stream = await openStream(url);
  if (token !== undefined) stream.send({ op: 'login', args: [{ token }] });
  await stream.until(({ event }) => event === 'login' || event === 'error', token === undefined ? 0 : undefined);
  return stream;
}

/** Sends frames as one client, within its limits; a socket that was closed meanwhile is opened again. */
export async function sendFrames(url: string, token: string | undefined, frames: readonly Frame[]): Promise<Heard[]> {
  const heard: Heard[] = [];
  for (let first = 0; first < frames.length; first += AT_ONCE) {
    const stream = await signedIn(url, token);
    const group = frames
      .slice(first, first + AT_ONCE)
      .map((frame, position) => ({ ...frame, id: `${first + position}` }));
    for (const frame of group) stream.send(frame);
    await Promise.all(
      group.filter(isRequest).map(async (frame) => {
        const isIts = (push: Push) => (push as { id?: string }).id === frame.id;
        const answer = (await stream.until(isIts)) as (Push & { status?: number }) | undefined;
        heard.push({ frame, status: answer?.status, text: JSON.stringify(answer ?? '') });
      }),
    );
    stream.close();
    await new Promise((resolve) => setTimeout(resolve, REST_MS));
  }
  return heard;
}
