// npm start: from a fresh clone to a running exchange. Run again, it starts in seconds.
import './build.mjs';
import { node, serve, serverArguments } from './workspace.mjs';

serve(node, [...serverArguments, 'server/src/main.ts']).on('exit', (code) => process.exit(code ?? 0));
