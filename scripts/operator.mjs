// npm run operator: operators, and what is decided on the machine itself (keys, clocks, the signer's record).
import { install, node, serve } from './workspace.mjs';

install('serving');
serve(node, ['server/src/operator.ts', ...process.argv.slice(2)]).on('exit', (code) => process.exit(code ?? 1));
