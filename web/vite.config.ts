import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { chartLibraryApart } from './vite/chart-library-apart.ts';
import { finish } from './vite/finish.ts';
import { leanComponents } from './vite/lean-components.ts';
import { ownPreload, pieces } from './vite/pieces.ts';
import { reactRouterApart } from './vite/react-router-apart.ts';
import { themeVariables } from './vite/theme-variables.ts';
import { withoutSchemas } from './vite/without-schemas.ts';

const server = `http://127.0.0.1:${process.env.PORT ?? '8080'}`;
const proxied = { target: server, changeOrigin: true };

export default defineConfig({
  root: import.meta.dirname,
  plugins: [
    react(),
    reactRouterApart(),
    chartLibraryApart(),
    ownPreload(),
    leanComponents(),
    withoutSchemas(),
    themeVariables(),
    finish(),
  ],
  server: {
    port: 5173,
    proxy: {
      '/api': proxied,
      '/icons': proxied,
      '/docs': proxied,
      '/ws': { ...proxied, ws: true },
    },
  },
  resolve: {
    // Its package only names the build that warns developers.
    alias: [
      {
        find: /^react-router$/,
        replacement: join(import.meta.dirname, '../node_modules/react-router/dist/production/index.mjs'),
      },
    ],
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
      // The second is what the first fetches; as an input, what it needs counts as needed at the start.
      input: ['index.html', 'src/app/start.tsx'].map((file) => join(import.meta.dirname, file)),
      // What the page without schemas no longer uses of them.
      treeshake: {
        manualPureFunctions: [
          'z',
          'defineCall',
          'sectionsWith',
          'anyOf',
          'localized',
          'text',
          'queryOptions',
          'lazy',
          'lazyPart',
          'themedPart',
        ],
      },
      output: {
        codeSplitting: {
          groups: [
            ...pieces,
            // What shows figures, on the first page and on most others.
            {
              name: 'figures',
              priority: 1,
              test: /\/web\/src\/(lib\/(market\/(?!favorites)|stream|decimal|format)|lib\/use-title|ui\/(figures|coin-icon|sparkline|sample|pager))/,
            },
            // What fields share with it, and the little that most screens do: none of them waits for what floats.
            {
              name: 'parts',
              priority: 1.5,
              test: /@mantine\/core\/styles\/(Switch|Radio)\.|\/web\/src\/(ui\/(themed|theme|panel|row-window)|lib\/market\/favorites)\.|@mantine\/(hooks\/esm\/(utils|use-(id|hotkeys|uncontrolled|merged-ref|window-event|media-query))|core\/esm\/(core(?!\/utils\/(create-scoped|find-element))|components\/(CloseButton|VisuallyHidden)))\//,
            },
            // Fields and buttons, with the little of what floats that they draw on.
            {
              name: 'fields',
              priority: 1.4,
              test: /@mantine\/(core\/esm\/components\/(Input|InputBase|NativeSelect|TextInput|Button|Loader|Transition|Combobox\/(ComboboxChevron|get-parsed-combobox-data))\/|hooks\/esm\/use-(reduced-motion|did-update))/,
            },
            // Menus, dialogs and what floats: fetched when the first one opens, where a screen begins without any.
            {
              name: 'floating',
              priority: 1,
              test: /node_modules\/(@floating-ui|react-remove-scroll|tabbable|@mantine\/core\/esm\/(components\/(Combobox|Popover|Portal|Menu|Modal|ModalBase|Drawer|ScrollArea|FocusTrap|Tooltip|Overlay)\/|utils\/Floating|core\/utils\/(create-scoped|find-element)))|@mantine\/hooks\/esm\/use-(focus-trap|focus-return|click-outside)|\/web\/src\/ui\/(dialog|sheet|focus-return|left-by-click)\./,
            },
            // By itself, or it would travel with the first of the many that draw on it.
            { name: 'chart-library', priority: 2, test: /\/klinecharts\/dist\/index\.esm\.js$/ },
            {
              name: 'chart-more',
              priority: 2,
              test: /\/klinecharts\/dist\/index\.esm\.js\?more$|\/chart\/chart-more\./,
            },
            // Six files travel at a time: what many screens share comes in one file, and what parts of the terminal do.
            { name: 'widgets', test: /node_modules|\/web\/src\/(ui|lib)\//, minShareCount: 16 },
            // Dialogs of positions are not among them: they would bring what floats with the page.
            {
              name: 'terminal',
              test: /\/web\/src\/features\/trade\/(?!futures\/)/,
              minShareCount: 2,
            },
            // What the screens of deposits, withdrawals and histories show alike.
            {
              name: 'movements',
              test: /\/(web\/src\/features\/wallet\/(timeline|address-groups|movement-dialog|coin-choice|network-choice|history\/(movement|paged)|deposit\/deposit-(list|dialog|states|queries)|withdraw\/withdrawal-|withdraw\/withdraw-queries)|contract\/src\/withdrawals\.)/,
              minShareCount: 2,
            },
          ],
        },
      },
    },
  },
});
