/**
 * Changes the source in one place at a time, and counts the changes that the tests notice.
 *
 *     npm run mutate [-- --rooms compiler,verify --count 300 --from 0]
 *
 * The places are spread evenly over all that can be changed, so the same source gives the same ones.
 * Each change is tried on a copy of the project, with the quickest tests of the room first. A change
 * that never ends is noticed as well. Survivors are printed with their place; exit code 1 where fewer
 * than nine in ten are noticed.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { globSync } from 'tinyglobby';
import ts from 'typescript';

/** By room, the tests that are to notice a change, the quickest first. @type {Readonly<Record<string, readonly string[]>>} */
const tests = {
  compiler: [
    'golden.test.ts',
    'read/ ask/ group/ lower/ compiler/ diagnostics/',
    'verify/ laws/ mutants/ corpus.test.ts hostile.test.ts',
  ],
  verify: ['verify/', 'golden.test.ts mutants/', 'laws/ breakages.test.ts corpus.test.ts'],
  call: ['verify/ scenarios/', 'golden.test.ts mutants/', 'laws/ breakages.test.ts corpus.test.ts'],
  'clients/http': ['clients/http/ clients/bills/', 'clients/ sandbox/ serve/'],
  'clients/bills': ['clients/bills/', 'clients/ sandbox/ serve/'],
  'clients/documents': ['clients/documents/', 'clients/ sandbox/ serve/'],
  serve: ['serve/', 'clients/ sandbox/'],
  sandbox: ['sandbox/', 'clients/ serve/'],
  batch: ['batch/'],
};

const { values } = parseArgs({
  options: {
    rooms: { type: 'string', default: Object.keys(tests).join() },
    count: { type: 'string', default: '300' },
    from: { type: 'string', default: '0' },
  },
});

/** Operators, words and calls, and what stands in their place. @type {Readonly<Record<string, string>>} */
const swapped = {
  ...{ '===': '!==', '!==': '===', '<': '<=', '<=': '<', '>': '>=', '>=': '>' },
  ...{ '&&': '||', '||': '&&', '+': '-', '-': '+', true: 'false', false: 'true' },
};
const dropped = ['filter', 'sort', 'reverse', 'toReversed'];

/** @typedef {{ room: string, file: string, start: number, end: number, text: string }} Change */

/** What can be changed at a node of the syntax tree, and into what. @param {ts.Node} node @returns {readonly [ts.Node, string] | null} */
function changeAt(node) {
  if (ts.isBinaryExpression(node)) {
    const other = swapped[node.operatorToken.getText()];
    return other === undefined ? null : [node.operatorToken, other];
  }
  if (ts.isIfStatement(node)) return [node.expression, `!(${node.expression.getText()})`];
  if (ts.isConditionalExpression(node)) return [node.condition, `!(${node.condition.getText()})`];
  if (ts.isExpressionStatement(node) && ts.isCallExpression(node.expression)) return [node, ';'];
  if (node.kind === ts.SyntaxKind.TrueKeyword || node.kind === ts.SyntaxKind.FalseKeyword) {
    return [node, swapped[node.getText()] ?? ''];
  }
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return null;
  const { name, expression } = node.expression;
  return dropped.includes(name.text) ? [node, expression.getText()] : null;
}

/** @param {string} room @param {string} file @returns {Change[]} */
function listChanges(room, file) {
  const text = readFileSync(file, 'utf8');
  /** @type {Change[]} */
  const changes = [];
  const visit = (/** @type {ts.Node} */ node) => {
    const [at, text] = changeAt(node) ?? [];
    if (at && text !== undefined)
      changes.push({ room, file, start: at.getStart(), end: at.getEnd(), text });
    // Types hold nothing that runs.
    if (!ts.isTypeNode(node) && !ts.isInterfaceDeclaration(node)) ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true));
  return changes;
}

const all = values.rooms.split(',').flatMap((room) =>
  globSync(`src/${room}/**/*.ts`)
    .filter((file) => !file.includes('generated'))
    .sort()
    .flatMap((file) => listChanges(room, file)),
);
const copy = mkdtempSync(join(tmpdir(), 'squadc-mutate-'));
const isCopied = (/** @type {string} */ path) => !/^(?:node_modules|\.git)$/.test(path);
cpSync('.', copy, { recursive: true, filter: isCopied });
symlinkSync(resolve('node_modules'), join(copy, 'node_modules'));

/** @type {import('node:child_process').ChildProcess | undefined} */
let tester;

/**
 * Whether a test fails with a file as it is now. The process that runs the tests keeps what it has
 * loaded; it has a group of its own, so that a test that never ends can be killed with it.
 *
 * @param {string} file @param {readonly string[]} stages @returns {Promise<boolean>}
 */
async function isNoticed(file, stages) {
  const program = fileURLToPath(new URL('tester.mjs', import.meta.url));
  tester ??= fork(program, {
    cwd: copy,
    detached: true,
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  tester.send({ file, stages });
  const signal = AbortSignal.timeout(300_000);
  const answer = await once(tester, 'message', { signal }).catch(() => undefined);
  if (answer !== undefined) return answer[0];
  process.kill(-Number(tester.pid), 'SIGKILL');
  tester = undefined;
  return true;
}

/** @param {Change} change */
async function tryChange({ room, file, start, end, text }) {
  const before = readFileSync(file, 'utf8');
  writeFileSync(join(copy, file), before.slice(0, start) + text + before.slice(end));
  const isFound = await isNoticed(file, tests[room] ?? []);
  writeFileSync(join(copy, file), before);
  const line = before.slice(0, start).split('\n').length;
  const what = `${before.slice(start, end)} → ${text}`.replaceAll(/\s+/g, ' ').slice(0, 90);
  console.log(`${isFound ? 'noticed ' : 'SURVIVES'} ${file}:${line} ${what}`);
  return isFound;
}

const chosen = Array.from({ length: Number(values.count) }, (_, at) => (at * 0.6180339887) % 1)
  .slice(Number(values.from))
  .flatMap((place) => all[Math.floor(place * all.length)] ?? []);
let noticed = 0;
for (const change of chosen) noticed += Number(await tryChange(change));
tester?.kill();
console.log(`${noticed} of ${chosen.length} noticed`);
if (noticed < 0.9 * chosen.length) process.exitCode = 1;
