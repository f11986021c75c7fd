import { describe, expect, it } from 'vitest';
import { importsOf } from './imports.ts';
import { parseRanks } from './ranks.ts';

const ranks = parseRanks(`
\`\`\`ranks
3  main
2  alarms  (reports) → devices → access
1  http → runtime
0  contract
\`\`\`
`);

describe('reading imports', () => {
  it('finds every form of import, with its line', () => {
    const source = [
      "import a from './a.ts';",
      "import { b, type c } from './b.ts';",
      "import type { d } from './d.ts';",
      "import './e.ts';",
      "export { f } from './f.ts';",
      "export * from './g.ts';",
      "export type { h } from './h.ts';",
      "const i = await import('./i.ts');",
      "type J = import('./j.ts').J;",
      "import k, * as l from './k.ts';",
      'import {',
      '  m,',
      "} from './m.ts';",
      `const n = \`\${await import('./n.ts')}\`;`,
    ].join('\n');
    expect(importsOf(source).map(({ specifier, line }) => `${line} ${specifier}`)).toEqual(
      [...'abdefghijk']
        .map((name, index) => `${index + 1} ./${name}.ts`)
        .concat(['13 ./m.ts', '14 ./n.ts']),
    );
  });

  it('is not fooled by comments, strings, templates, regular expressions and properties', () => {
    const source = [
      "// import './a.ts'",
      "/* import './b.ts' */",
      `const c = "import './c.ts'";`,
      `const d = \`import './d.ts' \${'\`'} from './d.ts'\`;`,
      'const e = /["\'`]/.test(text) ? left / right / 2 : 0;',
      'const here = import.meta.url;',
      "export const from = 'f'; export { here };",
      "loader.import('./g.ts');",
      'export interface H { from: string }',
    ].join('\n');
    expect(importsOf(source)).toEqual([]);
  });
});

describe('reading the table of ranks', () => {
  it('knows ranks, arrows along a chain, and what is only planned', () => {
    expect(ranks.rankOf('devices')).toBe(2);
    expect(ranks.rankOf('unheard')).toBeUndefined();
    expect(ranks.hasArrow('reports', 'access')).toBe(true);
    expect(ranks.hasArrow('access', 'devices')).toBe(false);
    expect(ranks.hasArrow('alarms', 'devices')).toBe(false);
    expect(ranks.planned).toEqual(['reports']);
  });

  it('refuses a document without the table', () => {
    expect(() => parseRanks('# Nothing here')).toThrow(/no block/);
  });
});
