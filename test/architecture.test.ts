/** Every file below src/ follows the plan of the architecture, and each rule notices when it is broken. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { rooms } from './architecture/plan.js';
import { rules, sizes, sourceFile } from './architecture/rules.js';

describe('the source', () => {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => path.endsWith('.ts') && !path.includes('.generated.'))
    .sort()
    .map((path) => sourceFile(path, readFileSync(join('src', path), 'utf8')));

  it('exists', () => expect(files.length).toBeGreaterThan(100));
  it('is as large as this', () => console.log(sizes(files).join('\n')));
  it.each(Object.entries(rules))('%s', (_, rule) => expect(rule(files)).toEqual([]));
});

/** Files that break a rule, and what it reports. */
const cases: Readonly<
  Record<string, readonly [Readonly<Record<string, string>>, readonly string[]]>
> = {
  'no room grows beyond its plan and what it was': [
    { 'graph/a.ts': '\n'.repeat(400) },
    [
      `graph/ has 400 lines of ${Math.max(...rooms['graph/']!.map(([lines]) => lines))}, 1 files of 4`,
    ],
  ],
  'every file has a room and a layer': [
    { 'utils/strings.ts': '', 'helpers.ts': '', 'compiler/7.x/a.ts': '', 'graph/a.ts': '' },
    ['utils/strings.ts', 'helpers.ts', 'compiler/7.x/a.ts'],
  ],
  'no file is too long': [
    { 'cli/a.ts': '\n'.repeat(401), 'cli/b.ts': '\n'.repeat(400) },
    ['cli/a.ts'],
  ],
  'no folder contains too many files': [
    Object.fromEntries(Array.from({ length: 21 }, (_, index) => [`graph/a${index}.ts`, ''])),
    ['graph has 21 files of 20'],
  ],
  'imports follow the layers': [
    {
      // A phase imports another, even for a type, an export or on demand.
      'compiler/4-group/a.ts': "import type { F } from '../3-analyze/f.js';",
      'compiler/5-lower/a.ts': "export { f } from '../4-group/f.js';\nimport('../6-emit/e.js');",
      // The verifier uses a decision of the compiler.
      'verify/a.ts': "import { q } from '../compiler/5-lower/plans.js';",
      'verify/b.ts': "import { a } from '../compiler/2-ask/answers.js';",
      'verify/conserve.ts': "import type { W } from '../compiler/ir/workflow.js';",
      // The compiler and a client depend on each other.
      'compiler/1-read/a.ts': "import { t } from '../../clients/bills/operations.js';",
      'clients/http/b.ts': "import { r } from '../../compiler/1-read/r.js';",
      // A lower layer imports a higher one, or a layer bypasses the public surface.
      'compiler/ir/a.ts': "import { d } from '../../diagnostics/d.js';",
      'diagnostics/b.ts': "import { r } from '../compiler/1-read/r.js';",
      'graph/c.ts': "import type { W } from '../compiler/ir/workflow.js';",
      'cli/d.ts': "const m = await import('../compiler/compile.js');",
    },
    [
      'compiler/4-group/a.ts must not import compiler/3-analyze/f.ts',
      'compiler/5-lower/a.ts must not import compiler/4-group/f.ts',
      'compiler/5-lower/a.ts must not import compiler/6-emit/e.ts',
      'verify/a.ts must not import compiler/5-lower/plans.ts',
      'verify/conserve.ts must not import compiler/ir/workflow.ts',
      'compiler/1-read/a.ts must not import clients/bills/operations.ts',
      'clients/http/b.ts must not import compiler/1-read/r.ts',
      'compiler/ir/a.ts must not import diagnostics/d.ts',
      'diagnostics/b.ts must not import compiler/1-read/r.ts',
      'graph/c.ts must not import compiler/ir/workflow.ts',
      'cli/d.ts must not import compiler/compile.ts',
    ],
  ],
  'no imports form a cycle, not even of types': [
    {
      'graph/a.ts': "import { b } from './b.js';\nimport { c } from './c.js';",
      'graph/b.ts': "export { c } from './c.js';",
      'graph/c.ts': "import type { A } from './a.js';",
      'cli/d.ts': `import(\`./more/\${name}.ts\`);`,
      'cli/more/e.ts': "import { d } from '../d.js';",
    },
    ['graph/a.ts → graph/b.ts → graph/c.ts → graph/a.ts', 'cli/d.ts → cli/more/e.ts → cli/d.ts'],
  ],
  'code that runs in a browser uses no Node modules, clock, randomness or locale': [
    {
      'compiler/a.ts': "import { readFileSync } from 'node:fs';\nimport os from 'os';",
      'verify/b.ts': 'export const now = () => Date.now() + Math.random();',
      'diagnostics/c.ts': 'export const s = (a: string) => a.toLocaleUpperCase();\nfetch(process);',
      'graph/d.ts': "// Date\nexport const a = 'fetch';\na.process.toString();",
      'cli/e.ts': "import 'node:fs';",
    },
    [
      'compiler/a.ts uses node:fs',
      'compiler/a.ts uses os',
      'verify/b.ts uses Date',
      'verify/b.ts uses Math.random',
      'diagnostics/c.ts uses toLocaleUpperCase',
      'diagnostics/c.ts uses fetch',
      'diagnostics/c.ts uses process',
    ],
  ],
  'every file opens with a comment': [
    {
      'cli/a.ts': "import { b } from './b.js';\n\nexport const a = b; // late\n",
      'cli/b.ts': "import { c } from './c.js';\n\n/** Why. */\nexport const b = c;\n",
      'cli/c.ts': '#!/usr/bin/env node\n// Why.\nrun();\n',
    },
    ['cli/a.ts'],
  ],
};

describe('a rule finds', () => {
  it.each(Object.entries(cases))('%s', (name, [files, finds]) => {
    const sources = Object.entries(files).map(([path, text]) => sourceFile(path, text));
    expect(rules[name]?.(sources)).toEqual(finds);
  });

  it('something in a case here', () => {
    expect(Object.keys(cases).sort()).toEqual(Object.keys(rules).sort());
  });
});
