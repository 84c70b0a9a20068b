/** A start that cannot go on for a reason that the operator can change: one line that names the setting, and no trace. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startServerProcess } from '../server-process.ts';

let root: string;
const listener = createServer((socket) => socket.destroy());
beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'cambist-start-'));
  writeFileSync(join(root, 'file'), 'no key');
  mkdirSync(join(root, 'data'));
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  await new Promise((resolve) => listener.close(resolve));
  rmSync(root, { recursive: true, force: true });
});

const takenPort = () => String((listener.address() as { port: number }).port);
// Of the right length and letters.
const MISTYPED = `xpub${'A'.repeat(107)}`;

it.each([
  [
    'a port that another program has',
    () => ({ PORT: takenPort() }),
    /^PORT: another program listens at 127.0.0.1:\d+\./m,
  ],
  [
    'an address of another machine',
    () => ({ HOST: '192.0.2.1', ALLOW_DEVELOPMENT_PARTS: 'public-development' }),
    /^HOST: 192\.0\.2\.1 is not/m,
  ],
  ['a data folder that is a file', () => ({ DATA_DIR: join(root, 'file') }), /^DATA_DIR: EEXIST.*another folder\.$/m],
  ['a mistyped key of deposits', () => ({ DEPOSIT_XPUB_EVM: MISTYPED }), /^DEPOSIT_XPUB_EVM: its checksum is wrong\./m],
  [
    "no key of the signer's link",
    () => signerKeys(join(root, 'nothing')),
    /^SIGNER_SERVER_KEY_FILE, SIGNER_PUBLIC_KEY_FILE: ENOENT.*nothing/m,
  ],
  [
    "another file in the place of the signer's key",
    () => signerKeys(join(root, 'file')),
    /^SIGNER_SERVER_KEY_FILE, SIGNER_PUBLIC_KEY_FILE: .*file holds no key that can be read$/m,
  ],
])('%s', async (_, settings, line) => {
  const started = startServerProcess({ DATA_DIR: join(root, 'data'), ...settings() });
  const said = await started.then(
    () => '',
    (error: Error) => error.message.replace(/^The server ended with 1: /, ''),
  );
  expect(said).toMatch(line);
  expect(said).not.toMatch(/ at .*:\d+:\d+/);
});

function signerKeys(file: string) {
  return { SIGNER_CONNECT: join(root, 'socket'), SIGNER_SERVER_KEY_FILE: file, SIGNER_PUBLIC_KEY_FILE: file };
}
