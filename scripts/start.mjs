// npm start: from a fresh clone to a running exchange. Run again, it starts in seconds.
import { buildWeb, install, node, prepareServer, serve, serverArguments } from './workspace.mjs';

install('serving');
const prepared = prepareServer();
buildWeb();
await prepared;
serve(node, [...serverArguments, 'server/src/main.ts']).on('exit', (code) => process.exit(code ?? 0));
