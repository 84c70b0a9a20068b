/**
 * Reads `COPY … TO STDOUT (FORMAT binary)` when every column is an int8: a header of 11 + 8 bytes and its extension,
 * then for each row a 16-bit field count and, for each field, a 32-bit length (always 8) and the number, big endian;
 * −1 as a count ends it. Source: PostgreSQL manual, COPY, "Binary Format".
 */
const SIGNATURE_BYTES = 11;
const HEADER_BYTES = 19;
const FIELD_BYTES = 12;

function headerLength(bytes: Buffer): number {
  if (bytes.toString('latin1', 0, 6) !== 'PGCOPY') throw new Error('This is not a binary COPY');
  return HEADER_BYTES + bytes.readUInt32BE(SIGNATURE_BYTES + 4);
}

/** One row of a copy; good until the next one is read. */
export class CopyRow {
  bytes: Buffer = Buffer.alloc(0);
  at = 0;

  /** A column as a number: counters and keys, which are far inside the safe range. */
  number(column: number): number {
    const at = this.at + column * FIELD_BYTES;
    return this.bytes.readInt32BE(at) * 4_294_967_296 + this.bytes.readUInt32BE(at + 4);
  }

  /** A column as it is: money. */
  amount(column: number): bigint {
    return this.bytes.readBigInt64BE(this.at + column * FIELD_BYTES);
  }

  /** The same into an array of them, seen as words: no object is made. @param index of the amount */
  words(column: number, to: Int32Array, index: number): void {
    const at = this.at + column * FIELD_BYTES;
    to[index * 2] = this.bytes.readInt32BE(at + 4);
    to[index * 2 + 1] = this.bytes.readInt32BE(at);
  }
}

/**
 * @param columns how many int8 columns each row has; none may be null
 * @param onRow gets the same object for every row
 */
export async function readCopy(
  chunks: AsyncIterable<Uint8Array>,
  columns: number,
  onRow: (row: CopyRow) => void,
): Promise<void> {
  const rowBytes = 2 + columns * FIELD_BYTES;
  const row = new CopyRow();
  let rest: Buffer = Buffer.alloc(0);
  let begun = false;
  for await (const chunk of chunks) {
    const bytes =
      rest.length === 0 ? Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length) : Buffer.concat([rest, chunk]);
    let at = 0;
    if (!begun) {
      if (bytes.length < HEADER_BYTES) {
        rest = bytes;
        continue;
      }
      at = headerLength(bytes);
      begun = true;
    }
    row.bytes = bytes;
    for (; at + rowBytes <= bytes.length; at += rowBytes) {
      if (bytes.readInt16BE(at) !== columns) throw new Error(`A row does not have ${columns} columns`);
      row.at = at + 6;
      onRow(row);
    }
    rest = bytes.subarray(at);
  }
  if (rest.length !== 2 || rest.readInt16BE(0) !== -1) throw new Error('The binary COPY ended in the middle of a row');
}
