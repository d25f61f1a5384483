/**
 * Changes the source in one place at a time, and counts the changes that the tests notice.
 *
 *     npm run mutate [-- --rooms compiler,verify --count 300 --from 0]
 *
 * The places are spread evenly over all that can be changed, so the same source gives the same ones.
 * Each change is tried on a copy of the project, with the goldens first and then the room's own
 * tests. Survivors are printed with their place; exit code 1 where fewer than nine in ten are noticed.
 */
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import ts from 'typescript';

/** By room, the tests that are to notice a change, the quickest first. */
const tests = {
  compiler: [
    ['test/golden.test.ts'],
    [
      'test/read/',
      'test/ask/',
      'test/group/',
      'test/lower/',
      'test/compiler/',
      'test/diagnostics/',
    ],
    ['test/verify/', 'test/laws/', 'test/mutants/', 'test/corpus.test.ts', 'test/hostile.test.ts'],
  ],
  verify: [
    ['test/verify/'],
    ['test/golden.test.ts', 'test/mutants/', 'test/broken-values.test.ts'],
    ['test/laws/', 'test/broken-compilers.test.ts', 'test/corpus.test.ts'],
  ],
  adapters: [['test/adapters/']],
  batch: [['test/batch/']],
};

const { values } = parseArgs({
  options: {
    rooms: { type: 'string', default: Object.keys(tests).join(',') },
    count: { type: 'string', default: '300' },
    from: { type: 'string', default: '0' },
  },
});

/** @typedef {{ file: string, start: number, end: number, text: string }} Change */

const swapped = new Map([
  ['===', '!=='],
  ['!==', '==='],
  ['<', '<='],
  ['<=', '<'],
  ['>', '>='],
  ['>=', '>'],
  ['&&', '||'],
  ['||', '&&'],
  ['+', '-'],
  ['-', '+'],
]);

/** What can be changed at a node of the syntax tree. @param {ts.Node} node @param {ts.SourceFile} source @returns {Omit<Change, 'file'>[]} */
function changesAt(node, source) {
  const at = (/** @type {ts.Node} */ it, /** @type {string} */ text) => {
    return { start: it.getStart(source), end: it.getEnd(), text };
  };
  if (ts.isBinaryExpression(node)) {
    const other = swapped.get(node.operatorToken.getText(source));
    return other === undefined ? [] : [at(node.operatorToken, other)];
  }
  if (ts.isIfStatement(node)) {
    return [at(node.expression, `!(${node.expression.getText(source)})`)];
  }
  if (ts.isConditionalExpression(node)) {
    return [at(node.condition, `!(${node.condition.getText(source)})`)];
  }
  if (ts.isExpressionStatement(node) && ts.isCallExpression(node.expression))
    return [at(node, ';')];
  if (node.kind === ts.SyntaxKind.TrueKeyword) return [at(node, 'false')];
  if (node.kind === ts.SyntaxKind.FalseKeyword) return [at(node, 'true')];
  if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
    const { name, expression } = node.expression;
    const isDropped = ['filter', 'sort', 'reverse', 'toReversed'].includes(name.text);
    return isDropped ? [at(node, expression.getText(source))] : [];
  }
  return [];
}

/** @param {string} file @returns {Change[]} */
function listChanges(file) {
  const source = ts.createSourceFile(
    file,
    readFileSync(file, 'utf8'),
    ts.ScriptTarget.Latest,
    true,
  );
  /** @type {Change[]} */
  const changes = [];
  const visit = (/** @type {ts.Node} */ node) => {
    for (const change of changesAt(node, source)) changes.push({ file, ...change });
    // Types hold nothing that runs.
    if (!ts.isTypeNode(node) && !ts.isInterfaceDeclaration(node)) ts.forEachChild(node, visit);
  };
  visit(source);
  return changes;
}

/** @param {string} room */
function filesOf(room) {
  const folder = join('src', room);
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return files
    .filter((it) => it.endsWith('.ts') && !it.includes('generated'))
    .sort()
    .map((it) => join(folder, it));
}

const rooms = /** @type {(keyof typeof tests)[]} */ (values.rooms.split(','));
const all = rooms.flatMap((room) =>
  filesOf(room)
    .flatMap(listChanges)
    .map((change) => ({ room, change })),
);
const count = Math.min(Number(values.count), all.length);
/** Each part of the list is as spread as the whole. */
const inOrder = (/** @type {number} */ at) => Math.floor(((at * 0.6180339887) % 1) * all.length);
const chosen = Array.from({ length: count }, (_, at) => all[inOrder(at)]);
const copy = mkdtempSync(join(tmpdir(), 'squadc-mutate-'));
for (const name of readdirSync('.')) {
  if (name === 'node_modules' || name === '.git') continue;
  cpSync(name, join(copy, name), { recursive: true });
}
symlinkSync(resolve('node_modules'), join(copy, 'node_modules'));

/** @param {keyof typeof tests} room */
function isNoticed(room) {
  return tests[room].some((files) => {
    const run = [
      'vitest',
      'run',
      '--bail',
      '1',
      '--maxWorkers',
      '1',
      '--reporter',
      'dot',
      ...files,
    ];
    // A change that never ends is noticed as well.
    return spawnSync('npx', run, { cwd: copy, timeout: 300_000 }).status !== 0;
  });
}

let noticed = 0;
for (const [at, { room, change }] of chosen.entries()) {
  if (at < Number(values.from)) continue;
  const { file, start, end, text } = change;
  const before = readFileSync(file, 'utf8');
  writeFileSync(join(copy, file), before.slice(0, start) + text + before.slice(end));
  const isFound = isNoticed(room);
  writeFileSync(join(copy, file), before);
  if (isFound) noticed += 1;
  const line = before.slice(0, start).split('\n').length;
  const what = `${before.slice(start, end)} → ${text}`.replaceAll(/\s+/g, ' ').slice(0, 90);
  console.log(`${at + 1}/${count} ${isFound ? 'noticed ' : 'SURVIVES'} ${file}:${line} ${what}`);
}
const share = noticed / (chosen.length - Number(values.from));
console.log(
  `${noticed} of ${chosen.length - Number(values.from)} noticed, ${Math.round(100 * share)} %`,
);
if (share < 0.9) process.exitCode = 1;
