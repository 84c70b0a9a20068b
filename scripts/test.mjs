// npm test [file …]: what a change needs, from a fresh clone. npm run test:all: everything. See run-tests.mjs.
import { install, node, run } from './workspace.mjs';

install('everything');
run(node, ['scripts/run-tests.mjs', ...process.argv.slice(2)]);
