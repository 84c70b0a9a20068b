import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const server = `http://127.0.0.1:${process.env.PORT ?? '8080'}`;
const proxied = { target: server, changeOrigin: true };

/** In the built client alone; development insists on the contract. */
const inertZod = { find: /^zod$/, replacement: join(import.meta.dirname, 'inert-zod.ts') };

export default defineConfig(({ command }) => ({
  root: import.meta.dirname,
  resolve: { alias: command === 'build' ? [inertZod] : [] },
  plugins: [react()],
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
    target: 'es2023',
    // Small assets stay files: the server's content policy allows no data: scripts and the browser caches them for good.
    assetsInlineLimit: 0,
  },
}));
