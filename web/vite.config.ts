import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { chartLibraryApart } from './vite/chart-library-apart.ts';
import { finish } from './vite/finish.ts';
import { leanComponents } from './vite/lean-components.ts';
import { ownPreload, pieces } from './vite/pieces.ts';
import { PURE } from './vite/pure.ts';
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
      // A slow machine's first start would be told which of our plugins took how long.
      checks: { bundlerTimings: false },
      // The second is what the first fetches; as an input, what it needs counts as needed at the start.
      input: ['index.html', 'src/app/start.tsx'].map((file) => join(import.meta.dirname, file)),
      // What the page without schemas no longer uses of them.
      treeshake: {
        manualPureFunctions: [...PURE],
      },
      output: {
        codeSplitting: {
          groups: [
            ...pieces,
            // Of those of one priority, a whole number, the first takes a module with all that this draws on. So what several screens
            // share is named before the groups of single rooms.
            // What shows figures, on the first page and on most others.
            {
              name: 'figures',
              priority: 1,
              test: /\/web\/src\/(lib\/(market\/(?!favorites)|stream|decimal|format)|lib\/use-title|ui\/(figures|coin-icon|sparkline|sample|pager))/,
            },
            // What almost every screen draws with, fields and buttons among it: none of them waits for what floats.
            {
              name: 'parts',
              priority: 1,
              test: /@mantine\/(core\/styles\/(Switch|Radio)\.|core\/esm\/(core(?!\/utils\/(create-scoped|find-element))|components\/(CloseButton|VisuallyHidden|Input|InputBase|NativeSelect|TextInput|Button|ActionIcon|Loader|Transition|Combobox\/(ComboboxChevron|get-parsed-combobox-data))\/)|hooks\/esm\/(utils|use-(id|hotkeys|uncontrolled|merged-ref|window-event|media-query|reduced-motion|did-update)))|\/web\/src\/(ui\/(themed|theme|panel|page|row-window|hidden-text|link-tabs|first-error|focus-return|notice-place)|lib\/(market\/favorites|futures\/countdown))\./,
            },
            // The small ones that do not float, and what they take from those that do.
            {
              name: 'controls',
              priority: 1,
              test: /@mantine\/core\/esm\/(core\/utils\/(create-scoped|find-element)|components\/(ScrollArea\/utils\/to-int\.|(Anchor|Badge|Checkbox|Divider|FloatingIndicator|Group|PasswordInput|Radio|SegmentedControl|Stack|Switch|Tabs|Text|Textarea)\/))|\/web\/src\/ui\/secret-input\./,
            },
            // Menus, dialogs and what floats: fetched when the first one opens, where a screen begins without any.
            {
              name: 'floating',
              priority: 1,
              test: /node_modules\/(@floating-ui|react-remove-scroll|tabbable|@mantine\/core\/esm\/(components\/(Combobox|Select|Popover|Portal|Menu|Modal|ModalBase|Drawer|ScrollArea|FocusTrap|Tooltip|Overlay)\/|utils\/Floating))|@mantine\/hooks\/esm\/use-(focus-trap|focus-return|click-outside)|\/web\/src\/ui\/(dialog|sheet|confirm-dialog|focus-return|left-by-click|use-floating)\.|\/web\/src\/lib\/back-button\./,
            },
            // What the terminal shares with other screens: else each of these would fetch the whole of it, and the chart.
            {
              name: 'shared',
              priority: 1,
              test: /\/web\/src\/(ui\/(card-list|number-field|row-focus)|lib\/(typed-number|save-file|polling|date-span|use-now|use-saving|send-once|trading-unlock|polling-intervals|order-book\/[a-z-]+|queries\/(account|account-keys|own-orders))\.|features\/trade\/(notices|alerts\/alerts-query))|\/contract\/src\/(accounts|alerts|histories|trading)\.|query-core\/build\/modern\/infiniteQueryObserver|react-query\/build\/modern\/use(InfiniteQuery|MutationState)|@mantine\/hooks\/esm\/use-resize-observer/,
            },
            // What everybody who has signed in fetches on every screen, and what the screens of money share with it.
            {
              name: 'watch',
              priority: 1,
              test: /\/web\/src\/(app\/(account-watch|session-ended|use-(account|notifications))|features\/(trade\/(alerts\/alert-watch|orders\/fill-)|wallet\/(transfer\/(transfer-watch|transfer-queries|witnesses)|wallets)|support\/(chat-watch|support-queries))|lib\/(queries\/(account-stream|notifications)|fill-|conversion|ends-of)|ui\/copy-field)|\/contract\/src\/(transfers|deposits|withdrawals|support|notifications)\./,
            },
            // What the ways in share, for who has no session yet.
            {
              name: 'entry',
              priority: 1,
              test: /\/web\/src\/(features\/(account\/|security\/passwords\/password-(form|rules))|ui\/phone-field|lib\/(phone|provider|wallet-extensions)\.)|\/contract\/src\/(sign-in|oauth|passkeys)\./,
              minShareCount: 2,
            },
            // What the screens of one's account share.
            {
              name: 'account',
              priority: 1,
              test: /\/web\/src\/features\/security\/|\/contract\/src\/(security|profile|privacy)\./,
              minShareCount: 2,
            },
            // What is known of positions where none is traded: the wallet, a statement, the console.
            {
              name: 'positions',
              priority: 1,
              test: /\/web\/src\/lib\/futures\/|\/contract\/src\/(futures|perpetuals)\.|\/core\/src\/(ledger\/fee\.|margin\/)|query\/build\/modern\/useQueries/,
              minShareCount: 2,
            },
            // By itself, or it would travel with the first of the many that draw on it.
            { name: 'chart-library', priority: 2, test: /\/klinecharts\/dist\/index\.esm\.js$/ },
            {
              name: 'chart-more',
              priority: 2,
              test: /\/klinecharts\/dist\/index\.esm\.js\?more$|\/chart\/chart-more\./,
            },
            // Six files travel at a time, so what parts of the terminal share comes in one.
            // Dialogs of positions are not among them: they would bring what floats with the page.
            {
              name: 'terminal',
              test: /\/web\/src\/features\/trade\/(?!futures\/)/,
              minShareCount: 2,
            },
            // What the screens of deposits, withdrawals and histories show alike.
            {
              name: 'movements',
              test: /\/(web\/src\/features\/wallet\/(timeline|address-groups|movement-dialog|coin-choice|network-choice|history\/(movement|paged)|deposit\/deposit-(list|dialog|states|queries)|withdraw\/withdrawal-|withdraw\/withdraw-queries))/,
              minShareCount: 2,
            },
          ],
        },
      },
    },
  },
});
