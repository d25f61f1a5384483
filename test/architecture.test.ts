/** The plan of the house holds for every file below src/, and each rule can be broken. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { rules } from './architecture/rules.js';
import { parseSource, type SourceFile } from './architecture/source-file.js';

type RuleName = keyof typeof rules;

function sourceFiles(): SourceFile[] {
  return readdirSync('src', { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => path.endsWith('.ts') && !path.includes('.generated.'))
    .sort()
    .map((path) => parseSource(path, readFileSync(join('src', path), 'utf8')));
}

/** Files by path; each opens with a comment, so that a case breaks only what it means to break. */
function virtual(files: Readonly<Record<string, string>>): SourceFile[] {
  return Object.entries(files).map(([path, text]) =>
    parseSource(path, `/** Sample. */\n${text}\n`),
  );
}

function findings(rule: RuleName, files: readonly SourceFile[]): string[] {
  return rules[rule]?.(files) ?? ['no such rule'];
}

describe('the source', () => {
  const files = sourceFiles();
  it('is there', () => expect(files.length).toBeGreaterThan(10));
  for (const [name, rule] of Object.entries(rules)) {
    it(name, () => expect(rule(files)).toEqual([]));
  }
});

interface Case {
  readonly rule: RuleName;
  readonly why: string;
  readonly files: Readonly<Record<string, string>>;
  readonly finds: readonly string[];
}

const layers = 'imports follow the layers';
const pure = 'compiler, verify and diagnostics are pure';
const wrapped = 'a wrapped package is imported in one file';
const exported = 'nothing is exported by star or by default';
const acyclic = 'run-time imports have no cycle';
const done = 'nothing is left to do';
const long = 'a long file says why';

const broken: readonly Case[] = [
  {
    rule: 'no object literal has an accessor, where there may be many of them',
    why: 'a getter in a literal; one of a class is shared',
    files: {
      'verify/a.ts': 'export const a = (n: number) => ({\n  get b() {\n    return n;\n  },\n});',
      'verify/c.ts': 'export class C {\n  get d() {\n    return 1;\n  }\n}',
      'report/e.ts': 'export const e = { get f() { return 1; } };',
    },
    finds: ['verify/a.ts:3'],
  },
  {
    rule: 'every file has a place in the plan',
    why: 'an unplanned folder',
    files: { 'utils/strings.ts': '', 'compiler/6-extra.d/a.ts': '' },
    finds: ['utils/strings.ts', 'compiler/6-extra.d/a.ts'],
  },
  {
    rule: layers,
    why: 'a phase imports another phase, even for a type',
    files: { 'compiler/4-group/a.ts': "import type { F } from '../3-analyze/f.js';" },
    finds: [
      'compiler/4-group/a.ts:2 a phase must not import another phase (compiler/3-analyze/f.ts)',
    ],
  },
  {
    rule: layers,
    why: 'a file other than compile.ts imports a phase',
    files: { 'index.ts': "export { p } from './compiler/1-read/p.js';" },
    finds: ['index.ts:2 index must not import a phase (compiler/1-read/p.ts)'],
  },
  {
    rule: layers,
    why: 'verify imports more of the compiler than the reader',
    files: {
      'verify/items/2.ts': "import { s } from '../../compiler/4-group/s.js';",
      'verify/graph.ts': "import { t } from '../compiler/graph/t.js';",
    },
    finds: [
      'verify/items/2.ts:2 verify must not import a phase (compiler/4-group/s.ts)',
      'verify/graph.ts:2 verify must not import algorithm (compiler/graph/t.ts)',
    ],
  },
  {
    rule: layers,
    why: 'an adapter imports the compiler, and the compiler more of an adapter than its table',
    files: {
      'adapters/bills/client.ts': "import type { J } from '../../compiler/ir/json.js';",
      'compiler/1-read/o.ts': "import { get } from '../../adapters/bills/client.js';",
    },
    finds: [
      'adapters/bills/client.ts:2 bills must not import ir (compiler/ir/json.ts)',
      'compiler/1-read/o.ts:2 phase must not import bills (adapters/bills/client.ts)',
    ],
  },
  {
    rule: layers,
    why: 'adapters know each other, or the request core one of them',
    files: {
      'adapters/bills/a.ts': "import type { P } from '../documents/poll.js';",
      'adapters/http/b.ts': "import { table } from '../bills/client.js';",
      'adapters/sandbox/c.ts': "import { send } from '../http/send.js';",
    },
    finds: [
      'adapters/bills/a.ts:2 bills must not import documents (adapters/documents/poll.ts)',
      'adapters/http/b.ts:2 http must not import bills (adapters/bills/client.ts)',
      'adapters/sandbox/c.ts:2 sandbox must not import http (adapters/http/send.ts)',
    ],
  },
  {
    rule: layers,
    why: 'the table of tools knows a client, and who reads it the handler',
    files: {
      'adapters/tools/table/a.ts': "import type { C } from '../../bills/client.js';",
      'adapters/tools/handler/b.ts': "import { s } from '../../../compiler/5-lower/s.js';",
      'compiler/5-lower/c.ts': "import { h } from '../../adapters/tools/handler/h.js';",
      'verify/d.ts': "import { h } from '../tools.js';",
    },
    finds: [
      'adapters/tools/table/a.ts:2 operation-table must not import bills (adapters/bills/client.ts)',
      'adapters/tools/handler/b.ts:2 tools must not import a phase (compiler/5-lower/s.ts)',
      'compiler/5-lower/c.ts:2 phase must not import tools (adapters/tools/handler/h.ts)',
      'verify/d.ts:2 verify must not import tools-entry (tools.ts)',
    ],
  },
  {
    rule: layers,
    why: 'the calls to the platform import the terminal, or more of the compiler than its surface',
    files: {
      'platform/a.ts': "import { x } from '../cli/exit.js';",
      'platform/b.ts': "import { y } from '../compiler/1-read/json-scan.js';",
      'compiler/compile.ts': "import { z } from '../platform/retry.js';",
    },
    finds: [
      'platform/a.ts:2 platform must not import cli (cli/exit.ts)',
      'platform/b.ts:2 platform must not import a phase (compiler/1-read/json-scan.ts)',
      'compiler/compile.ts:2 compile must not import platform (platform/retry.ts)',
    ],
  },
  {
    rule: layers,
    why: 'the plans of test calls import the terminal or a phase, and the compiler imports them',
    files: {
      'scenarios/a.ts': "import { x } from '../cli/exit.js';",
      'scenarios/b.ts': "import { y } from '../compiler/5-lower/lower.js';",
      'compiler/compile.ts': "import { z } from '../scenarios/walks.js';",
    },
    finds: [
      'scenarios/a.ts:2 scenarios must not import cli (cli/exit.ts)',
      'scenarios/b.ts:2 scenarios must not import a phase (compiler/5-lower/lower.ts)',
      'compiler/compile.ts:2 compile must not import scenarios (scenarios/walks.ts)',
    ],
  },
  {
    rule: layers,
    why: 'a lower layer imports a higher one',
    files: {
      'compiler/ir/a.ts': "import type { D } from '../../diagnostics/d.js';",
      'compiler/compile.ts': "import { i } from '../index.js';",
      'report/r.ts': "import { c } from '../cli/c.js';",
    },
    finds: [
      'compiler/ir/a.ts:2 ir must not import diagnostics (diagnostics/d.ts)',
      'compiler/compile.ts:2 compile must not import index (index.ts)',
      'report/r.ts:2 report must not import cli (cli/c.ts)',
    ],
  },
  {
    rule: layers,
    why: 'the binary goes past the public surface',
    files: { 'cli/c.ts': "const m = await import('../compiler/compile.js');" },
    finds: ['cli/c.ts:2 cli must not import compile (compiler/compile.ts)'],
  },
  {
    rule: pure,
    why: 'the machine, the clock, randomness, the locale',
    files: {
      'compiler/a.ts': "import { readFileSync } from 'node:fs';\nimport os from 'os';",
      'verify/b.ts': 'export const now = () => Date.now();\nexport const r = Math.random();',
      'diagnostics/c.ts':
        "export const s = (a: string) => a.toLocaleUpperCase() + a['localeCompare']('b');\n" +
        'export const f = new Intl.NumberFormat();',
      'compiler/d.ts':
        'setTimeout(() => fetch(process.env.X), performance.now());\n' +
        "globalThis['fetch']('x');\nconst { random } = Math;\nexport const o = { Date };",
    },
    finds: [
      'compiler/a.ts:2 imports node:fs',
      'compiler/a.ts:3 imports os',
      'verify/b.ts:2 uses Date',
      'verify/b.ts:3 uses Math.random',
      'diagnostics/c.ts:2 uses toLocaleUpperCase',
      'diagnostics/c.ts:2 uses localeCompare',
      'diagnostics/c.ts:3 uses Intl',
      'compiler/d.ts:2 uses setTimeout',
      'compiler/d.ts:2 uses fetch',
      'compiler/d.ts:2 uses process',
      'compiler/d.ts:2 uses performance',
      'compiler/d.ts:3 uses fetch',
      'compiler/d.ts:4 uses Math as a value',
      'compiler/d.ts:5 uses Date',
    ],
  },
  {
    rule: wrapped,
    why: 'a second importer, by a sub-path or for a type',
    files: {
      'compiler/1-read/a.ts': "import { Liquid } from 'liquidjs';",
      'compiler/1-read/b.ts': "import type { Template } from 'liquidjs';",
      'cli/c.ts': "import { Ajv } from 'ajv';",
      'cli/d.ts': "const m = await import('ajv/dist/2020.js');",
    },
    finds: [
      'ajv is imported in cli/c.ts, cli/d.ts',
      'liquidjs is imported in compiler/1-read/a.ts, compiler/1-read/b.ts',
    ],
  },
  {
    rule: 'graphology-types is imported as types only',
    why: 'a run-time import',
    files: { 'compiler/a.ts': "import { x } from 'graphology-types';" },
    finds: ['compiler/a.ts:2'],
  },
  {
    rule: 'index.ts files are entries of the package',
    why: 'a barrel',
    files: { 'verify/index.ts': '', 'testing/laws/index.ts': '' },
    finds: ['verify/index.ts', 'testing/laws/index.ts'],
  },
  {
    rule: exported,
    why: 'every form of it',
    files: {
      'cli/a.ts': "export * from './b.js';\nexport * as c from './c.js';",
      'cli/b.ts': 'export default function b() {}',
      'cli/c.ts': 'const c = 1;\nexport default c;',
      'cli/d.ts': 'const d = 1;\nexport { d as default };',
      'cli/e.ts': 'export default class {}',
    },
    finds: ['cli/a.ts:2', 'cli/a.ts:3', 'cli/b.ts:2', 'cli/c.ts:3', 'cli/d.ts:3', 'cli/e.ts:2'],
  },
  {
    rule: acyclic,
    why: 'a cycle of three, closed by a re-export',
    files: {
      'cli/a.ts': "import { b } from './b.js';",
      'cli/b.ts': "import { type C } from './c.js';",
      'cli/c.ts': "export { a } from './a.js';",
    },
    finds: ['cli/a.ts → cli/b.ts → cli/c.ts → cli/a.ts'],
  },
  {
    rule: done,
    why: 'notes in comments of every kind',
    files: {
      'cli/a.ts':
        '// TODO later\nf(/* FIXME */ 1); // see b, XXX: ask\n/**\n * What.\n * HACK */\nexport const a = 1;',
    },
    finds: ['cli/a.ts:2', 'cli/a.ts:3', 'cli/a.ts:3', 'cli/a.ts:4'],
  },
  {
    rule: long,
    why: '301 lines',
    files: { 'cli/a.ts': '\n'.repeat(299) },
    finds: ['cli/a.ts'],
  },
];

const allowed: readonly Omit<Case, 'finds'>[] = [
  {
    rule: layers,
    why: 'what the plan draws',
    files: {
      'cli/a.ts': "import { compile } from '../index.js';\nimport { h } from '../report/html.js';",
      'compiler/compile.ts':
        "import { parse } from './1-read/parse.js';\nimport { verify } from '../verify/verify.js';",
      'compiler/4-group/a.ts':
        "import { b } from './b.js';\nimport { report } from '../../diagnostics/report.js';\n" +
        "import { c } from '../graph/components.js';\nimport type { W } from '../ir/workflow.js';",
      'compiler/1-read/o.ts': "import { table } from '../../adapters/bills/operations.js';",
      'adapters/bills/operations.ts': "import type { Operation } from '../http/operation.js';",
      'bills.ts': "export { c } from './adapters/bills/client.js';",
      'tools.ts': "export { h } from './adapters/tools/handler/h.js';",
      'adapters/tools/table/t.ts': "import { table } from '../../bills/operations.js';",
      'compiler/5-lower/t.ts': "import { t } from '../../adapters/tools/table/t.js';",
      'verify/t.ts': "import { t } from '../adapters/tools/table/t.js';",
      'verify/v.ts': "import { readWorkflow } from '../compiler/1-read/workflow.js';",
      'scenarios/s.ts':
        "import { run } from '../compiler/compile.js';\nimport { t } from '../compiler/1-read/t.js';",
      'testing/index.ts': "import fc from 'fast-check';",
    },
  },
  {
    rule: pure,
    why: 'the words in comments, texts, keys and members',
    files: {
      'compiler/a.ts':
        "// Date and process\nexport const a = { Date: 'fetch', process: 1 };\na.process.toString();\n" +
        'export interface B { Date: string; fetch(): void }\nexport const m = Math.max(1, 2);',
      'cli/b.ts': "import { argv } from 'node:process';\nexport const now = Date.now();",
    },
  },
  {
    rule: acyclic,
    why: 'cycles that only types or late imports close, and two ways to one file',
    files: {
      'cli/a.ts': "import { b } from './b.js';\nimport { c } from './c.js';",
      'cli/b.ts': "import type { A } from './a.js';\nimport { c } from './c.js';",
      'cli/c.ts': "const a = () => import('./a.js');",
    },
  },
  {
    rule: exported,
    why: 'a default clause and named exports',
    files: {
      'cli/a.ts':
        "switch (x) { default: y(); }\nexport { default as c } from 'c';\nexport const b = 1;",
    },
  },
  {
    rule: done,
    why: 'the words in texts and in prose',
    files: {
      'cli/a.ts': "export const a = 'TODO // TODO';\nexport const b = `// TODO $" + '{a} // TODO`;',
    },
  },
  {
    rule: long,
    why: 'a reason in the header',
    files: { 'cli/a.ts': `// Long because it is a table.\n${'\n'.repeat(400)}` },
  },
];

describe('a rule finds', () => {
  for (const { rule, why, files, finds } of broken) {
    it(`${rule}: ${why}`, () => expect(findings(rule, virtual(files))).toEqual(finds));
  }
  it('every file opens with a comment: none on top and none on the first statement', () => {
    const files = [
      parseSource('cli/a.ts', "import { b } from './b.js';\n\nexport const a = b; // late\n"),
      parseSource('cli/c.ts', '#!/usr/bin/env node\nrun();\n'),
    ];
    expect(findings('every file opens with a comment', files)).toEqual(['cli/a.ts', 'cli/c.ts']);
  });
  it('something in its own case: every rule has one', () => {
    const covered = new Set([...broken.map(({ rule }) => rule), 'every file opens with a comment']);
    expect([...covered].sort()).toEqual(Object.keys(rules).sort());
  });
});

describe('a rule allows', () => {
  for (const { rule, why, files } of allowed) {
    it(`${rule}: ${why}`, () => expect(findings(rule, virtual(files))).toEqual([]));
  }
  it('every file opens with a comment: on top, after a hashbang, or on the first statement', () => {
    const files = [
      parseSource('cli/a.ts', "// Why.\nimport { b } from './b.js';\nexport const a = b;\n"),
      parseSource('cli/b.ts', '#!/usr/bin/env node\n/** Why. */\nrun();\n'),
      parseSource('cli/c.ts', "import { b } from './b.js';\n\n/** Why. */\nexport const c = b;\n"),
    ];
    expect(findings('every file opens with a comment', files)).toEqual([]);
  });
});
