// npm run build: what npm start does before it serves, for a start that comes later and is short.
import { prepare } from './workspace.mjs';

await prepare(false);
