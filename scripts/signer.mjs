// npm run signer: the process that holds the keys of wallets.
import { install, node, serve } from './workspace.mjs';

install('serving');
serve(node, ['server/src/signer.ts', ...process.argv.slice(2)]).on('exit', (code) => process.exit(code ?? 1));
