// npm run build: all that npm start does before it serves, for a start that comes later and is short.
import { buildWeb, install, prepareServer } from './workspace.mjs';

install('serving');
const prepared = prepareServer();
buildWeb();
await prepared;
