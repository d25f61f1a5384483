/**
 * What the compiler, the checker and the catalogue do without: the machine, the clock, randomness,
 * the network and the locale. The same source and answers must give the same bytes anywhere.
 */
import { builtinModules } from 'node:module';
import ts from 'typescript';
import { lineOf, packageOf, type SourceFile, visit } from './source-file.js';

const pureFolders = /^(?:compiler|verify|diagnostics|scenarios|adapters\/tools\/table)\//;

const forbiddenGlobals: ReadonlySet<string> = new Set([
  'Date',
  'Intl',
  'Buffer',
  'console',
  'crypto',
  'fetch',
  'performance',
  'process',
  'queueMicrotask',
  'setImmediate',
  'setInterval',
  'setTimeout',
]);

const forbiddenMembers = /^(?:localeCompare|toLocale.*)$/;

export function isPure(path: string): boolean {
  return pureFolders.test(path);
}

/** Every impure thing that the file names, with its line. */
export function impurities(file: SourceFile): { line: number; message: string }[] {
  const found: { line: number; message: string }[] = [];
  for (const { specifier, line } of file.imports) {
    if (isBuiltin(specifier)) found.push({ line, message: `imports ${specifier}` });
  }
  visit(file.tree, (node) => {
    const name = impureName(node);
    if (name !== null) found.push({ line: lineOf(file.tree, node), message: `uses ${name}` });
  });
  return found;
}

function isBuiltin(specifier: string): boolean {
  return specifier.startsWith('node:') || builtinModules.includes(packageOf(specifier) ?? '');
}

function impureName(node: ts.Node): string | null {
  if (ts.isPropertyAccessExpression(node)) return impureMember(node.expression, node.name.text);
  if (ts.isElementAccessExpression(node) && ts.isStringLiteralLike(node.argumentExpression)) {
    return impureMember(node.expression, node.argumentExpression.text);
  }
  if (!ts.isIdentifier(node)) return null;
  if (node.text === 'Math' && !isAccessed(node)) return 'Math as a value';
  if (!forbiddenGlobals.has(node.text)) return null;
  return namesItsOwn(node) ? null : node.text;
}

function impureMember(object: ts.Expression, member: string): string | null {
  if (forbiddenMembers.test(member)) return member;
  if (!ts.isIdentifier(object)) return null;
  if (object.text === 'Math' && member === 'random') return 'Math.random';
  return object.text === 'globalThis' && forbiddenGlobals.has(member) ? member : null;
}

function isAccessed({ parent }: ts.Identifier): boolean {
  return ts.isPropertyAccessExpression(parent) || ts.isElementAccessExpression(parent);
}

/** Whether the identifier is a key or a member (`job.process`), not a variable that is read. */
function namesItsOwn(identifier: ts.Identifier): boolean {
  const { parent } = identifier;
  if (ts.isPropertyAccessExpression(parent)) return parent.name === identifier;
  if (ts.isPropertyAssignment(parent)) return parent.name === identifier;
  return ts.isPropertySignature(parent) || ts.isMethodSignature(parent);
}
