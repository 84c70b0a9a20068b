// npm run conformance: how many requirements of each area a test title cites, docs/conformance.md argues, and are open.
// `npm run conformance -- calls udf-feed` lists the open lines of those areas.
import { install, node, run } from './workspace.mjs';

install('serving');
run(node, ['scripts/print-conformance.mjs', ...process.argv.slice(2)]);
