/**
 * Leaves out of Mantine's buttons and loader what the product has no use for, since every page begins with them: groups
 * of buttons, two of three loaders, and the movement with which the loader comes.
 */
import type { Plugin } from 'vite';

const STAND_INS: Readonly<Record<string, string>> = {
  /** The loader is there, or it is not. */
  Transition:
    'export const Transition = ({ mounted, transition, children }) => (mounted ? children(transition.in) : null);',
  ButtonGroup: 'export const ButtonGroup = undefined;',
  ButtonGroupSection: 'export const ButtonGroupSection = undefined;',
  ActionIconGroup: 'export const ActionIconGroup = undefined;',
  ActionIconGroupSection: 'export const ActionIconGroupSection = undefined;',
  Bars: 'export const Bars = undefined;',
  Dots: 'export const Dots = undefined;',
};
const LEAN = /@mantine\/core\/esm\/components\/(Button|ActionIcon|Loader)\/\1\.mjs$/;
const PREFIX = '\0lean:';

export function leanComponents(): Plugin {
  return {
    name: 'lean-components',
    apply: 'build',
    enforce: 'pre',
    resolveId: (source, importer) => {
      const name = /\/(\w+)\.mjs$/.exec(source)?.[1] ?? '';
      // Everything else that moves, such as dialogs and menus, keeps the real one.
      return name in STAND_INS && LEAN.test(importer ?? '')
        ? { id: PREFIX + name, moduleSideEffects: false }
        : undefined;
    },
    load: (id) => (id.startsWith(PREFIX) ? STAND_INS[id.slice(PREFIX.length)] : undefined),
  };
}
