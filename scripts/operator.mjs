// npm run operator: makes, lists, re-keys and removes operators.
import { install, node, serve } from './workspace.mjs';

install('serving');
serve(node, ['server/src/operator.ts', ...process.argv.slice(2)]).on('exit', (code) => process.exit(code ?? 1));
