/** The rules of the house, each a check over all files below src/; a finding is one line of text. */
import ts from 'typescript';
import { faultOfImport, layerOf } from './layers.js';
import { impurities, isPure } from './purity.js';
import { lineOf, packageOf, resolveImport, type SourceFile, visit } from './source-file.js';

export type Rule = (files: readonly SourceFile[]) => string[];

/** Entries of the package; every other index.ts would be a barrel. */
const entryFiles = /^(?:index|testing\/index|adapters\/(?:bills|documents|tools)\/index)\.ts$/;

/** Packages that one file wraps for all others. */
const wrappedPackages = [
  'ajv',
  'liquidjs',
  'graphology',
  'jsonc-parser',
  '@dagrejs/dagre',
  '@clack/prompts',
];

/** The compiler is not open to the search for callers, which reads JSON with comments. */
const secondWrapper = 'platform/json-tokens.ts';

const maxLines = 300;

/** A note of its own (at the start of a line, or with a colon); prose may speak of such a note. */
const openNote = /^\W*(?:TODO|FIXME|XXX|HACK)\b|\b(?:TODO|FIXME|XXX|HACK)[:(]/m;

/** Rules by what they demand, in the words of a failing test. */
export const rules: Readonly<Record<string, Rule>> = {
  'every file has a place in the plan': (files) =>
    files.filter(({ path }) => layerOf(path) === null).map(({ path }) => path),

  'imports follow the layers': (files) =>
    files.flatMap((file) =>
      file.imports.flatMap((each) => {
        const fault = faultOfImport(file, each);
        return fault === null ? [] : [`${file.path}:${each.line} ${fault}`];
      }),
    ),

  'compiler, verify and diagnostics are pure': (files) =>
    files
      .filter(({ path }) => isPure(path))
      .flatMap((file) =>
        impurities(file).map(({ line, message }) => `${file.path}:${line} ${message}`),
      ),

  'a wrapped package is imported in one file': (files) =>
    wrappedPackages.flatMap((name) => {
      const importers = files.filter(
        ({ path, imports }) =>
          !(name === 'jsonc-parser' && path === secondWrapper) &&
          imports.some(({ specifier }) => packageOf(specifier) === name),
      );
      return importers.length > 1
        ? [`${name} is imported in ${importers.map(({ path }) => path).join(', ')}`]
        : [];
    }),

  'graphology-types is imported as types only': (files) =>
    findImports(files, ({ specifier, typeOnly }) => specifier === 'graphology-types' && !typeOnly),

  'index.ts files are entries of the package': (files) =>
    files
      .filter(({ path }) => /(?:^|\/)index\.ts$/.test(path) && !entryFiles.test(path))
      .map(({ path }) => path),

  'nothing is exported by star or by default': (files) =>
    files.flatMap((file) => findNodes(file, isStarOrDefaultExport)),

  'run-time imports have no cycle': cycles,

  'nothing is left to do': (files) =>
    files.flatMap((file) =>
      commentsOf(file)
        .filter(({ text }) => openNote.test(text))
        .map(({ line }) => `${file.path}:${line}`),
    ),

  'a long file says why': (files) =>
    files
      .filter(({ text }) => text.split('\n').length - 1 > maxLines)
      .filter((file) => !opening(file).includes('Long because'))
      .map(({ path }) => path),

  'no object literal has an accessor, where there may be many of them': (files) =>
    files
      .filter(({ path }) => !/^(?:cli|report)\//.test(path))
      .flatMap((file) => findNodes(file, isAccessorOfLiteral)),

  'every file opens with a comment': (files) =>
    files.filter((file) => opening(file) === '').map(({ path }) => path),
};

function findImports(
  files: readonly SourceFile[],
  wanted: (each: SourceFile['imports'][number]) => boolean,
): string[] {
  return files.flatMap(({ path, imports }) =>
    imports.filter(wanted).map(({ line }) => `${path}:${line}`),
  );
}

function findNodes(file: SourceFile, wanted: (node: ts.Node) => boolean): string[] {
  const found: string[] = [];
  visit(file.tree, (node) => {
    if (wanted(node)) found.push(`${file.path}:${lineOf(file.tree, node)}`);
  });
  return found;
}

function isStarOrDefaultExport(node: ts.Node): boolean {
  if (ts.isExportDeclaration(node)) {
    return node.exportClause === undefined || ts.isNamespaceExport(node.exportClause);
  }
  if (ts.isExportSpecifier(node)) return node.name.text === 'default';
  return ts.isExportAssignment(node) || node.kind === ts.SyntaxKind.DefaultKeyword;
}

/** What it knows would live on with it; see compiler/ir/lazy.ts. */
function isAccessorOfLiteral(node: ts.Node): boolean {
  return ts.isAccessor(node) && ts.isObjectLiteralExpression(node.parent);
}

/** Each cycle once, from the file at which the search met it again. */
function cycles(files: readonly SourceFile[]): string[] {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const finished = new Set<string>();
  const found: string[] = [];
  const walk = (path: string, trail: readonly string[]): void => {
    if (trail.includes(path)) {
      found.push([...trail.slice(trail.indexOf(path)), path].join(' → '));
      return;
    }
    const file = byPath.get(path);
    if (file === undefined || finished.has(path)) return;
    for (const { specifier, typeOnly, dynamic } of file.imports) {
      const target = resolveImport(path, specifier);
      if (target !== null && !typeOnly && !dynamic) walk(target, [...trail, path]);
    }
    finished.add(path);
  };
  for (const { path } of files) walk(path, []);
  return found;
}

/** Comments stand between tokens, so texts that look like one are not among them. */
function commentsOf({ tree, text }: SourceFile): { text: string; line: number }[] {
  const found = new Map<number, { text: string; line: number }>();
  const see = (node: ts.Node): void => {
    const ranges = [
      ...(ts.getLeadingCommentRanges(text, node.getFullStart()) ?? []),
      ...(ts.getTrailingCommentRanges(text, node.getEnd()) ?? []),
    ];
    for (const { pos, end } of ranges) {
      const line = tree.getLineAndCharacterOfPosition(pos).line + 1;
      found.set(pos, { text: text.slice(pos, end), line });
    }
    for (const part of node.getChildren(tree)) see(part);
  };
  see(tree);
  return [...found.values()];
}

/** The comment on top of the file, or else the one before its first statement after the imports. */
function opening({ tree, text }: SourceFile): string {
  const afterHashbang = ts.getShebang(text)?.length ?? 0;
  const top = ts.getLeadingCommentRanges(text, afterHashbang) ?? [];
  const first = tree.statements.find((statement) => !ts.isImportDeclaration(statement));
  const before = first ? (ts.getLeadingCommentRanges(text, first.getFullStart()) ?? []) : [];
  return [...top, ...before].map(({ pos, end }) => text.slice(pos, end)).join('\n');
}
