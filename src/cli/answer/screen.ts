/** What is shown of a question before it is asked: its workflow, its place with the line, its text. */
import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { isAbsolute, relative, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import type { Asking, OpenQuestion } from '../../batch/questions.js';
import { excerpt } from '../../diagnostics/excerpt.js';
import { escapeControls, shorten } from '../../diagnostics/quote.js';
import { locateAll } from '../../index.js';
import type { Style } from '../output/terminal.js';
import { hanging } from '../output/terminal.js';

/** Larger files are named, and not read for the sake of one line. */
const mostBytes = 64 * 1024 * 1024;
const mostPlaces = 3;

export interface Screen {
  readonly columns: number;
  readonly style: Style;
  /** Folder that sources are named from. */
  readonly cwd: string;
}

/** `number` and `all` count the questions. */
export async function showQuestion(
  { of, question }: OpenQuestion,
  number: number,
  all: number,
  screen: Screen,
): Promise<string> {
  const { style, columns } = screen;
  const name = of.name === null || of.name === '' ? '' : `${escapeControls(shorten(of.name, 60))} `;
  const head = `Question ${number} of ${all}: ${name}${style.dim(`(${escapeControls(of.key)})`)}`;
  return [
    '',
    style.bold(style.cyan(head)),
    ...(await placeLines(of, question.at, screen)),
    '',
    ...hanging('', question.text, columns).map(style.bold),
    '',
    '',
  ].join('\n');
}

/** The first place with its line, where the source can still be read; the others by pointer. */
async function placeLines(
  of: Asking,
  pointers: readonly string[],
  { columns, style, cwd }: Screen,
): Promise<string[]> {
  const text = await sourceText(of, cwd);
  const [first = '', ...others] = pointers;
  const found = text === null ? undefined : locateAll(text, [first]).get(first);
  const file = escapeControls(of.source);
  const more = others.slice(0, mostPlaces).map((at) => `      ${shown(at)}`);
  if (others.length > more.length) more.push(`      and ${others.length - more.length} more`);
  if (text === null || found === undefined) {
    const line = of.line === undefined ? '' : `:${of.line}`;
    return [`  ${style.dim('-->')} ${file}${line} ${shown(first)}`, ...more];
  }
  const line = of.line ?? found.line;
  const gutter = ' '.repeat(String(line).length);
  const bar = style.dim('|');
  const shownLine = excerpt({ text, ...found }, columns - gutter.length - 4);
  return [
    `  ${style.dim('-->')} ${file}:${line}:${found.column} ${shown(first)}`,
    ...more,
    ` ${style.dim(String(line))} ${bar} ${shownLine.line}`,
    ` ${gutter} ${bar} ${style.cyan(shownLine.mark)}`,
  ];
}

function shown(pointer: string): string {
  return escapeControls(shorten(pointer === '' ? 'the whole workflow' : pointer, 120));
}

/** The text of a workflow; null where it is not where the run found it. */
async function sourceText({ source, line }: Asking, cwd: string): Promise<string | null> {
  const path = resolve(cwd, source);
  const within = relative(cwd, path);
  if (within.startsWith('..') || isAbsolute(within)) return null;
  try {
    if (line !== undefined) return await lineOf(path, line);
    const { size } = await stat(path);
    return size > mostBytes ? null : await readFile(path, 'utf8');
  } catch {
    return null;
  }
}

async function lineOf(path: string, wanted: number): Promise<string | null> {
  const stream = createReadStream(path, 'utf8');
  try {
    let line = 0;
    for await (const text of createInterface({
      input: stream,
      crlfDelay: Number.POSITIVE_INFINITY,
    })) {
      line += 1;
      if (line === wanted) return text;
    }
    return null;
  } finally {
    stream.destroy();
  }
}
