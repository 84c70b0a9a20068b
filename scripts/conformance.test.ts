/** Which requirements are claimed, and that no claim is false on its face. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  argumentsIn,
  type Conformance,
  citedIn,
  completeIn,
  countAreas,
  faultsOf,
  readConformance,
} from './requirements.ts';

const root = join(import.meta.dirname, '..');

describe('what tests cite', () => {
  it('are the ids in titles, runs of ids and tables of cases included', () => {
    const source = `
      describe('wallet (T-one-01)', () => {
        it('[T-one-02] [T-one-04..06] moves', async () => {});
        it.each([['T-one-07', 1]])('%s', () => {});
        it.each(cases)(\`\${name} (A-two-08)\`, () => {});
        test.skipIf(windows)('is here (T-one-09)', () => {});
      });
      const cases = { '/': '[T-one-10] [T-one-11]' };`;
    const ids = ['T-one-01', 'T-one-02', 'T-one-04', 'T-one-05', 'T-one-06', 'T-one-07'];
    expect([...new Set(citedIn(source))].toSorted()).toEqual(
      [...ids, 'A-two-08', 'T-one-09', 'T-one-10', 'T-one-11'].toSorted(),
    );
  });

  it('are not the ids of comments, bodies and other calls', () => {
    const source = `
      // [T-one-01] would be nice.
      it('moves', () => { const text = 'as T-one-02 says'; expect(text, 'T-one-03 holds').toBe(''); });
      cite('T-one-04 at last');`;
    expect(citedIn(source)).toEqual([]);
  });
});

const DOCUMENT = `# Conformance

- T-one-09: not in the section.

## Arguments

### Somewhere

- T-one-01, T-one-03..04: built differently: the other way
  is safer.
- T-one-05: asks for nothing.

## Complete areas

\`\`\`
T one
A two
\`\`\`
`;

describe('what the document argues', () => {
  it('is each bullet of its section, with the reason', () => {
    expect(argumentsIn(DOCUMENT)).toEqual([
      { ids: ['T-one-01', 'T-one-03', 'T-one-04'], reason: 'built differently: the other way is safer.' },
      { ids: ['T-one-05'], reason: 'asks for nothing.' },
    ]);
    expect(completeIn(DOCUMENT)).toEqual(['T one', 'A two']);
  });
});

describe('a false claim', () => {
  const honest: Conformance = {
    requirements: ['T-one-01', 'T-one-02', 'T-one-03'].map((id) => ({ id, area: 'T one', text: '' })),
    cited: new Set(['T-one-01']),
    argued: [{ ids: ['T-one-02'], reason: 'built differently: it is safer.' }],
    complete: [],
  };

  it('is none where a line is cited, argued or open', () => {
    expect(faultsOf(honest)).toEqual([]);
    const [count] = countAreas(honest);
    expect([count?.cited, count?.argued, count?.open].map((lines) => lines?.map(({ id }) => id))).toEqual([
      ['T-one-01'],
      ['T-one-02'],
      ['T-one-03'],
    ]);
  });

  it.each<[string, Partial<Conformance>]>([
    ['T-one-09 is cited, but is no requirement', { cited: new Set(['T-one-09']) }],
    ['T-one-09 is argued, but is no requirement', { argued: [{ ids: ['T-one-09'], reason: 'safer.' }] }],
    ['T-one-01 is argued and cited; it is one or the other', { argued: [{ ids: ['T-one-01'], reason: 'safer.' }] }],
    ['T-one-02 is argued twice', { argued: [{ ids: ['T-one-02', 'T-one-02'], reason: 'safer.' }] }],
    [
      'T-one-02: "comes with the wallet." is open, not argued',
      { argued: [{ ids: ['T-one-02'], reason: 'comes with the wallet.' }] },
    ],
    ['T one is marked complete, but T-one-03 is open', { complete: ['T one'] }],
    ['T two is marked complete, but is no area', { complete: ['T two'] }],
  ])('is %s', (fault, change) => {
    expect(faultsOf({ ...honest, ...change })).toEqual([fault]);
  });
});

it('no claim of the tests and of docs/conformance.md is false', () => {
  expect(faultsOf(readConformance(root))).toEqual([]);
});
