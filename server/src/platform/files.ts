/** Files of any length for clients: line by line, at a pace that leaves the exchange its time. */
import type { Call } from '@cambist/contract/call.ts';
import { type CallRequest, type CallServer, Download, Refusal } from './calls.ts';
import { csvLine } from './csv.ts';
import { say } from './texts.ts';

export interface FileColumn<Row> {
  readonly name: string;
  readonly value: (row: Row) => string | number;
}

/** Some rows at a time; ends with the last one. */
export type Pages<Row> = AsyncGenerator<readonly Row[], void, void>;

/** Files at a time, of all clients together. */
const MAXIMUM_FILES = 8;
const RETRY_SECONDS = 10;
/** A file takes a third of the time at most; the rest is the exchange's. */
const REST_FACTOR = 2;

const rest = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

async function* csvText<Row>(
  columns: readonly FileColumn<Row>[],
  pages: Pages<Row>,
  separator: string | undefined,
): AsyncGenerator<string, void, void> {
  const line = (cells: readonly (string | number)[]) => csvLine(cells, separator);
  yield line(columns.map(({ name }) => name));
  let begun = performance.now();
  for await (const page of pages) {
    const text = page.map((row) => line(columns.map(({ value }) => value(row)))).join('');
    const worked = performance.now() - begun;
    if (text !== '') yield text;
    await rest(worked * REST_FACTOR);
    begun = performance.now();
  }
}

/**
 * A text of a client, for as long as its reader is admitted: a session that ends takes its file with it, broken off.
 * @param ended called before the last byte is sent, so that a client who asks for the next file at once is not refused
 */
export async function* guardedText(
  text: AsyncIterable<string>,
  isAdmitted: () => Promise<boolean>,
  ended: () => void,
): AsyncGenerator<string, void, void> {
  try {
    for await (const part of text) {
      if (!(await isAdmitted())) throw new Error('The reader of a file is no longer admitted');
      yield part;
    }
  } finally {
    ended();
  }
}

/** How many files are being written: one for each client, or network, and a few for all together. */
export class FileSlots {
  readonly #maximum: number;
  readonly #taken = new Set<number | string>();

  constructor(maximum: number) {
    this.#maximum = maximum;
  }

  /** @returns how to give the slot back, or undefined where there is none for this reader */
  take(reader: number | string): (() => void) | undefined {
    if (this.#taken.has(reader) || this.#taken.size >= this.#maximum) return undefined;
    this.#taken.add(reader);
    let isTaken = true;
    return () => {
      // A second end must not take the slot of the reader's next file.
      if (isTaken) this.#taken.delete(reader);
      isTaken = false;
    };
  }
}

function noSlot(): Refusal {
  const text = say('An export is running already. Try again once it has ended.');
  return new Refusal(429, 'EXPORT_RUNNING', text, { 'retry-after': String(RETRY_SECONDS) });
}

export type FileSender = ReturnType<typeof createFileSender>;

/** One for the process: whatever a client exports, it is one file at a time. */
export function createFileSender() {
  const slots = new FileSlots(MAXIMUM_FILES);
  /** The slot is taken first: what comes at the same moment finds it gone. */
  return async <Row>(
    calls: CallServer,
    call: Call,
    { identity, http }: Pick<CallRequest<Call & { access: 'client'; op?: undefined }>, 'identity' | 'http'>,
    file: {
      readonly name: string;
      readonly columns: readonly FileColumn<Row>[];
      /** A comma unless it is given. */
      readonly separator?: string;
      readonly open: () => Promise<Pages<Row> | Refusal>;
    },
  ): Promise<Download | Refusal> => {
    const release = slots.take(identity.clientId);
    if (release === undefined) return noSlot();
    const token = http.headers.authorization?.slice('Bearer '.length) ?? '';
    const isAdmitted = async () => !((await calls.admit(call, token)) instanceof Refusal);
    try {
      const pages = await file.open();
      if (pages instanceof Refusal) {
        release();
        return pages;
      }
      return new Download(
        file.name,
        guardedText(csvText(file.columns, pages, file.separator), isAdmitted, release),
        release,
      );
    } catch (error) {
      release();
      throw error;
    }
  };
}
