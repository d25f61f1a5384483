/** What the rules look at in one source file, read from its syntax tree. */
import ts from 'typescript';

export interface SourceFile {
  /** Path below src/, with slashes. */
  readonly path: string;
  readonly text: string;
  readonly tree: ts.SourceFile;
  readonly imports: readonly Import[];
}

export interface Import {
  readonly specifier: string;
  /** Whether nothing of it is left at run time (`import type`, `export type … from`). */
  readonly typeOnly: boolean;
  /** `import()`: evaluated later, so that it cannot close a cycle of initialisation. */
  readonly dynamic: boolean;
  readonly line: number;
}

export function parseSource(path: string, text: string): SourceFile {
  const tree = ts.createSourceFile(path, text, ts.ScriptTarget.ES2022, true);
  return { path, text, tree, imports: importsOf(tree) };
}

function importsOf(tree: ts.SourceFile): Import[] {
  const imports: Import[] = [];
  visit(tree, (node) => {
    const found = specifierOf(node);
    if (found === null || !ts.isStringLiteralLike(found)) return;
    imports.push({
      specifier: found.text,
      typeOnly: isTypeOnly(node),
      dynamic: ts.isCallExpression(node),
      line: lineOf(tree, node),
    });
  });
  return imports;
}

function specifierOf(node: ts.Node): ts.Node | null {
  if (ts.isImportDeclaration(node)) return node.moduleSpecifier;
  if (ts.isExportDeclaration(node)) return node.moduleSpecifier ?? null;
  if (ts.isExternalModuleReference(node)) return node.expression;
  if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument))
    return node.argument.literal;
  if (!ts.isCallExpression(node)) return null;
  const called = node.expression;
  const loads =
    called.kind === ts.SyntaxKind.ImportKeyword ||
    (ts.isIdentifier(called) && called.text === 'require');
  return loads ? (node.arguments[0] ?? null) : null;
}

function isTypeOnly(node: ts.Node): boolean {
  if (ts.isImportTypeNode(node)) return true;
  if (ts.isExportDeclaration(node)) return node.isTypeOnly;
  return ts.isImportDeclaration(node) && node.importClause?.isTypeOnly === true;
}

/** Calls `see` for every node below `root`, in source order. */
export function visit(root: ts.Node, see: (node: ts.Node) => void): void {
  ts.forEachChild(root, (node) => {
    see(node);
    visit(node, see);
  });
}

/** Line number of a node's first token, from 1. */
export function lineOf(tree: ts.SourceFile, node: ts.Node): number {
  return tree.getLineAndCharacterOfPosition(node.getStart(tree)).line + 1;
}

/** The path below src/ that a relative import leads to; null for a package. */
export function resolveImport(from: string, specifier: string): string | null {
  if (!specifier.startsWith('.')) return null;
  const segments = from.split('/').slice(0, -1);
  for (const segment of specifier.split('/')) {
    if (segment === '..') segments.pop();
    else if (segment !== '.') segments.push(segment);
  }
  return segments.join('/').replace(/\.js$/, '.ts');
}

/** The package of an import: `ajv` of `ajv/dist/2020.js`; null for a relative import. */
export function packageOf(specifier: string): string | null {
  if (specifier.startsWith('.')) return null;
  const [first = '', second = ''] = specifier.split('/');
  return first.startsWith('@') ? `${first}/${second}` : first;
}
