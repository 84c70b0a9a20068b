// npm run dev: the server restarts and the page reloads as you type. The page is Vite's, on port 5173.
import { install, node, serve } from './workspace.mjs';

install('serving');
const server = serve(node, [
  '--watch-path=server/src',
  '--watch-path=core/src',
  '--watch-path=contract/src',
  'server/src/main.ts',
]);
const web = serve(node, ['node_modules/vite/bin/vite.js', 'web']);
for (const child of [server, web]) {
  child.on('exit', (code) => {
    server.kill();
    web.kill();
    process.exitCode = code ?? 0;
  });
}
