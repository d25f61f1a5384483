/** The rules of the architecture, each a check of the files below src/; a finding is one line of text. */
import { builtinModules } from 'node:module';
import { posix } from 'node:path';
import ts from 'typescript';
import * as plan from './plan.js';

/** A file, its path below src/, and the files and packages that it imports, types included. */
export interface SourceFile {
  readonly path: string;
  readonly text: string;
  readonly imports: readonly string[];
}

export function sourceFile(path: string, text: string): SourceFile {
  const { importedFiles } = ts.preProcessFile(text);
  // One that is put together of its name may be any file there.
  const anyOf = text.matchAll(/\bimport\(`([^`]*)`\)/g);
  const names = [
    ...importedFiles.map(({ fileName }) => fileName),
    ...Array.from(anyOf, ([, form = '']) => form.replace(/\$\{[^}]*\}/g, '*')),
  ];
  const imports = names.map((fileName) =>
    fileName.startsWith('.')
      ? posix.join(posix.dirname(path), fileName).replace(/\.js$/, '.ts')
      : fileName,
  );
  return { path, text, imports };
}

type Rule = (files: readonly SourceFile[]) => string[];

const linesOf = ({ text }: SourceFile) => text.split('\n').length - 1;
const layerOf = (path: string) => plan.layers.find(([, files]) => files.test(path));

const where =
  (broken: (file: SourceFile) => boolean): Rule =>
  (files) =>
    files.filter(broken).map(({ path }) => path);

/** By what they require, which is the name of the test. */
export const rules: Readonly<Record<string, Rule>> = {
  'no room grows beyond its plan and what it was': (files) =>
    Object.keys(plan.rooms).flatMap((room) => {
      const { lines, count, most } = sizeOf(room, files);
      return lines <= most[0] && count <= most[1]
        ? []
        : [`${room || 'src/'} has ${lines} lines of ${most[0]}, ${count} files of ${most[1]}`];
    }),

  'every file has a room and a layer': where(({ path }) => {
    const inRoom = Object.keys(plan.rooms).some((room) => room !== '' && path.startsWith(room));
    return layerOf(path) === undefined || (path.includes('/') && !inRoom);
  }),

  'no file is too long': where((file) => linesOf(file) > plan.mostLinesOfFile),

  'no folder contains too many files': (files) => {
    const held = new Map<string, number>();
    for (const folder of files.map(({ path }) => posix.dirname(path))) {
      held.set(folder, (held.get(folder) ?? 0) + 1);
    }
    return [...held].flatMap(([folder, inside]) => {
      const most = plan.mostFilesOfFolder;
      return inside > most ? [`${folder} has ${inside} files of ${most}`] : [];
    });
  },

  'imports follow the layers': (files) =>
    files.flatMap(({ path, imports }) => {
      const wrong = imports.filter((to) => to.endsWith('.ts') && !mayImport(path, to));
      return wrong.map((to) => `${path} must not import ${to}`);
    }),

  'no imports form a cycle, not even of types': (files) => cycles(files),

  'code that runs in a browser uses no Node modules, clock, randomness or locale': (files) =>
    files
      .filter(({ path }) => plan.pure.test(path))
      .flatMap((file) => impurities(file).map((what) => `${file.path} uses ${what}`)),

  'every file opens with a comment': where(
    ({ text }) => !/^(?:#!.*\n)?(?:import\b[^;]*;\s*)*\/[/*]/.test(text),
  ),
};

/** The size of a room, and the most that it may be. */
function sizeOf(room: string, files: readonly SourceFile[]) {
  const inside = files.filter(({ path }) =>
    room === '' ? !path.includes('/') : path.startsWith(room),
  );
  const [planned, now] = plan.rooms[room]!;
  const most = [Math.max(planned[0], now[0]), Math.max(planned[1], now[1])] as const;
  return {
    lines: inside.reduce((sum, file) => sum + linesOf(file), 0),
    count: inside.length,
    planned,
    most,
  };
}

/** The plan with the size of today beside it, a line for each room. */
export function sizes(files: readonly SourceFile[]): string[] {
  const row = (room: string, lines: number, most: number, count: number, mostFiles: number) =>
    `${room.padEnd(14)}${String(lines).padStart(7)} of ${String(most).padStart(6)} lines${String(count).padStart(5)} of ${String(mostFiles).padStart(3)} files`;
  const all = Object.keys(plan.rooms).map((room) => ({ room, ...sizeOf(room, files) }));
  const sum = (each: (it: (typeof all)[number]) => number) =>
    all.reduce((n, it) => n + each(it), 0);
  return [
    ...all.map(({ room, lines, count, planned }) =>
      row(room || 'src/', lines, planned[0], count, planned[1]),
    ),
    row(
      'sum',
      sum((it) => it.lines),
      sum((it) => it.planned[0]),
      sum((it) => it.count),
      sum((it) => it.planned[1]),
    ),
  ];
}

function mayImport(from: string, to: string): boolean {
  const [source = '', , imports = ''] = layerOf(from) ?? [];
  const [target = ''] = layerOf(to) ?? [];
  if (target === 'phase') {
    const phaseOf = (path: string) => path.split('/')[1];
    if (source === 'phase') return phaseOf(from) === phaseOf(to);
    if (!plan.sharedOfPhases[source]?.test(to)) return false;
  }
  return source === target || imports.replace('own', plan.own).split(' ').includes(target);
}

/** Each cycle once, from the file at which the search closed it. */
function cycles(files: readonly SourceFile[]): string[] {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const finished = new Set<string>();
  const found: string[] = [];
  const walk = (path: string, trail: readonly string[]): void => {
    if (trail.includes(path)) {
      found.push([...trail.slice(trail.indexOf(path)), path].join(' → '));
    } else if (!finished.has(path)) {
      const imports = (byPath.get(path)?.imports ?? []).flatMap((to) => {
        const [start, end] = to.split('*');
        const isAny = (each: string) => each.startsWith(start!) && each.endsWith(end!);
        return end === undefined ? [to] : [...byPath.keys()].filter(isAny);
      });
      for (const to of imports) walk(to, [...trail, path]);
      finished.add(path);
    }
  };
  for (const { path } of files) walk(path, []);
  return found;
}

const globals = new Set(
  'Date Intl Buffer console crypto fetch performance process queueMicrotask setImmediate setInterval setTimeout'.split(
    ' ',
  ),
);

function impurities({ path, text, imports }: SourceFile): string[] {
  const found = imports.filter((name) => name.startsWith('node:') || builtinModules.includes(name));
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node)) {
      const { parent } = node;
      const isMember = ts.isPropertyAccessExpression(parent) && parent.name === node;
      if (isMember && parent.getText() === 'Math.random') found.push('Math.random');
      if (isMember && /^(?:localeCompare|toLocale)/.test(node.text)) found.push(node.text);
      if (!isMember && globals.has(node.text)) found.push(node.text);
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, text, ts.ScriptTarget.ES2022, true));
  return found;
}
