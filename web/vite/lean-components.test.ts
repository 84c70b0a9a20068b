import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { leanComponents, withoutPrefetch } from './lean-components.ts';

const COMPONENTS = '/node_modules/@mantine/core/esm/components';
const { resolveId, load } = leanComponents() as unknown as {
  resolveId(source: string, importer: string): { id: string } | undefined;
  load(id: string): string | undefined;
};

/** Path and text of every component of the client. */
const sources = readdirSync(join(import.meta.dirname, '../src'), { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.tsx'))
  .map((path) => [path, readFileSync(join(import.meta.dirname, '../src', path), 'utf8')] as const);

describe('what is left out of the components that every page begins with', () => {
  it('is the movement of a loader in buttons, and of nothing else', () => {
    const movement = '../Transition/Transition.mjs';
    for (const button of ['Button', 'ActionIcon']) {
      const found = resolveId(movement, `${COMPONENTS}/${button}/${button}.mjs`);
      expect(load(found?.id ?? '')).toContain('mounted ? children(transition.in) : null');
    }
    expect(resolveId(movement, `${COMPONENTS}/Tooltip/Tooltip.mjs`)).toBeUndefined();
    expect(resolveId(movement, `${COMPONENTS}/Modal/ModalBase.mjs`)).toBeUndefined();
    expect(resolveId('../Loader/Loader.mjs', `${COMPONENTS}/Button/Button.mjs`)).toBeUndefined();
  });

  it("is of the router the fetching of a framework's pages, for which no link asks", () => {
    const library = join(import.meta.dirname, '../../node_modules/react-router/dist/production');
    const [chunk, ...others] = readdirSync(library)
      .filter((name) => name.endsWith('.mjs'))
      .map((name) => readFileSync(join(library, name), 'utf8'))
      .filter((code) => code.includes('function PrefetchPageLinks('));
    expect(others).toEqual([]);
    expect(withoutPrefetch(chunk ?? '')).toContain('function PrefetchPageLinks() { return null; }');
    expect(sources.filter(([, code]) => /\sprefetch=/.test(code)).map(([path]) => path)).toEqual([]);
  });

  it('is nothing that a screen names', () => {
    const left =
      /\b(Menu\.(Sub|Search|CheckboxItem|CheckboxGroup|RadioItem|RadioGroup|ContextMenu)|Tooltip\.(Floating|Group))\b/;
    expect(sources.filter(([, code]) => left.test(code)).map(([path]) => path)).toEqual([]);
  });

  it('is exported under its own name, so that the component that imports it still links', () => {
    for (const [source, importer] of [
      ['./ButtonGroup/ButtonGroup.mjs', 'Button/Button.mjs'],
      ['./ActionIconGroupSection/ActionIconGroupSection.mjs', 'ActionIcon/ActionIcon.mjs'],
      ['./loaders/Bars.mjs', 'Loader/Loader.mjs'],
      ['./MenuSub/MenuSub.mjs', 'Menu/Menu.mjs'],
      ['./TooltipFloating/TooltipFloating.mjs', 'Tooltip/Tooltip.mjs'],
    ] as const) {
      const found = resolveId(source, `${COMPONENTS}/${importer}`);
      const name = /(\w+)\.mjs$/.exec(source)?.[1] ?? '';
      expect(load(found?.id ?? '')).toBe(`export const ${name} = undefined;`);
    }
  });
});
