import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { finish } from './vite/finish.ts';
import { withoutSchemas } from './vite/without-schemas.ts';

const server = `http://127.0.0.1:${process.env.PORT ?? '8080'}`;
const proxied = { target: server, changeOrigin: true };

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), withoutSchemas(), finish()],
  server: {
    port: 5173,
    proxy: {
      '/api': proxied,
      '/icons': proxied,
      '/docs': proxied,
      '/ws': { ...proxied, ws: true },
    },
  },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    manifest: true,
    target: 'es2023',
    // Small assets stay files: the server's content policy allows no data: scripts and the browser caches them for good.
    assetsInlineLimit: 0,
    // Every browser that reads this target preloads modules by itself.
    modulePreload: { polyfill: false },
    rolldownOptions: {
      // What the page without schemas no longer uses of them.
      treeshake: {
        manualPureFunctions: ['z', 'defineCall', 'sectionsWith', 'anyOf', 'localized', 'text', 'queryOptions', 'lazy'],
      },
      output: {
        // What every screen needs comes in one file: sixty small ones would queue behind each other on a slow line.
        codeSplitting: {
          groups: [
            { name: 'start', tags: ['$initial'], priority: 1 },
            {
              name: 'figures',
              test: /\/web\/src\/(lib\/(market\/|stream|decimal|format)|ui\/(figures|coin-icon|sparkline|sample|pager))/,
            },
          ],
        },
      },
    },
  },
});
