/**
 * Leaves out of Mantine's buttons, loader, menus and tooltips what the product has no use for, since screens begin with
 * them: groups of buttons, two of three loaders, the movement with which the loader comes, menus in menus and what ticks or
 * searches in them. And of the router's links, with which every page begins, how the files of a framework's pages are
 * fetched beforehand. A component that is wanted after all is missing when it is drawn; then it is no longer named here.
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
  MenuCheckboxGroup: 'export const MenuCheckboxGroup = undefined;',
  MenuCheckboxItem: 'export const MenuCheckboxItem = undefined;',
  MenuContextMenu: 'export const MenuContextMenu = undefined;',
  MenuRadioGroup: 'export const MenuRadioGroup = undefined;',
  MenuRadioItem: 'export const MenuRadioItem = undefined;',
  MenuSearch: 'export const MenuSearch = undefined;',
  MenuSub: 'export const MenuSub = undefined;',
  TooltipFloating: 'export const TooltipFloating = undefined;',
  TooltipGroup: 'export const TooltipGroup = undefined;',
};
const LEAN = /@mantine\/core\/esm\/components\/(Button|ActionIcon|Loader|Menu|Tooltip)\/\1\.mjs$/;
const PREFIX = '\0lean:';

const PREFETCH = 'function PrefetchPageLinks({';

/** Without its caller, nothing else of it is reached. */
export const withoutPrefetch = (code: string): string =>
  code.replace(PREFETCH, `function PrefetchPageLinks() { return null; }\nfunction NotPrefetched({`);

export function leanComponents(): Plugin {
  return {
    name: 'lean-components',
    apply: 'build',
    enforce: 'pre',
    resolveId: (source, importer) => {
      const name = /\/(\w+)\.mjs$/.exec(source)?.[1] ?? '';
      // Everything else that moves, such as dialogs and menus, keeps the real one.
      const moves = name === 'Transition' && !/\/(Button|ActionIcon)\.mjs$/.test(importer ?? '');
      return name in STAND_INS && LEAN.test(importer ?? '') && !moves
        ? { id: PREFIX + name, moduleSideEffects: false }
        : undefined;
    },
    transform: (code, id) =>
      /\/react-router\/dist\//.test(id) && code.includes(PREFETCH)
        ? { code: withoutPrefetch(code), map: null }
        : undefined,
    load: (id) => (id.startsWith(PREFIX) ? STAND_INS[id.slice(PREFIX.length)] : undefined),
  };
}
