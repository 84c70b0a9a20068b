// npm start: from a fresh clone to a running exchange. Run again, it starts in seconds.
import { buildWeb, compileServer, install, node, serve, serverArguments } from './workspace.mjs';

install('serving');
const compiled = compileServer();
buildWeb();
await compiled;
serve(node, [...serverArguments, 'server/src/main.ts']).on('exit', (code) => process.exit(code ?? 0));
