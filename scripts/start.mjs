// npm start: from a fresh clone to a running exchange. Run again, it starts in seconds.
import { node, prepare, serve, serverArguments } from './workspace.mjs';

await prepare(true);
serve(node, [...serverArguments, 'server/src/main.ts']).on('exit', (code) => process.exit(code ?? 0));
