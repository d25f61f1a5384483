/** `squadc callers`: finds the programs that send workflowId, and rewrites them where it can. */
import { isUtf8 } from 'node:buffer';
import { type Dirent, readdirSync, readFileSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { shorten } from '../../diagnostics/quote.js';
import { reasonOf } from '../../io/files.js';
import { adviceFor, type Found, findCallers } from '../../platform/callers.js';
import { patchOfLines, withEdits } from '../../platform/patch.js';
import { counted } from '../../text/counted.js';
import type { CommandData } from '../command.js';
import { deliver, writeOutput } from '../files.js';
import { exitCodes, type Io } from '../io.js';
import { pairs } from '../options.js';
import { printable } from '../output/terminal.js';
import { pathFrom, readJournalFile, workflowOf } from '../platform/journal.js';

interface CallersFlags {
  readonly map?: readonly (readonly [workflowId: string, squadId: string])[];
  readonly journal?: string;
  readonly write?: true;
}

export const command: CommandData<[paths: string[]], CallersFlags> = {
  description:
    'Finds where programs start calls with workflows. Prints what can be rewritten as a diff, ' +
    'which --write applies: a workflowId with a literal id, and its workflowOverrides. Lists ' +
    'everything else on standard error with advice; without --map and --journal, that is all. ' +
    'Skips node_modules and .git.',
  arguments: { '<paths...>': 'files and folders' },
  options: {
    'Output:': {
      '--map <workflowId=squadId...>': [
        'the squad that replaces a workflow; several pairs, or the option several times',
        (it) => it.argParser(pairs('<workflowId>=<squadId> after the files', 'wf-1=squad-1')),
      ],
      '--journal <file>': 'journal of squadc push, which says which squad replaces which workflow',
      '--write': 'change the files (each atomically) instead of showing the changes',
    },
  },
  examples: [
    'squadc callers src',
    'squadc callers src --journal squadc-journal.jsonl',
    'squadc callers src --map 6f1c2e90=b83d4a17 --write',
  ],
  async action([paths], flags, { io }) {
    const { squadIds, isWhole } = await pairsOf(flags, io);
    const places: Place[] = [];
    const skipped: string[] = [];
    const patches: string[] = [];
    let isUnread = !isWhole;
    const files = new Set(paths.flatMap((path) => filesBelow(resolve(io.cwd, path))));
    const base = folderAround(io.cwd, files);
    for (const at of files) {
      const file = pathFrom(io.cwd, at);
      const text = textOf(at);
      if ('reason' in text) {
        isUnread ||= text.isUnread;
        skipped.push(`skipped ${file}: ${text.reason}`);
        continue;
      }
      const found = findCallers(text.text, squadIds);
      for (const each of found) places.push({ ...each, file });
      const edits = found.flatMap((each) => each.edits ?? []);
      if (edits.length === 0) continue;
      const changed = withEdits(text.text, edits);
      patches.push(patchOfLines(pathFrom(base, at), text.text, changed));
      if (flags.write) await writeOutput(file, changed, io);
    }
    const byHand = places.filter(({ why }) => why !== null);
    if (!flags.write) await deliver(patches.join(''), undefined, io);
    const rewrites = places.length - byHand.length;
    const done = `${counted(rewrites, 'place')} ${flags.write ? 'rewritten' : 'to rewrite'}`;
    const isLeft = !flags.write && rewrites > 0;
    const lines = [
      ...linesFor(byHand),
      ...skipped,
      ...(isLeft && base !== io.cwd ? [`apply the diff in ${base}`] : []),
      `${done} in ${counted(patches.length, 'file')}${isLeft ? ' (use --write)' : ''}, ` +
        `${counted(byHand.length, 'place')} left to do by hand, ` +
        `${counted(skipped.length, 'file')} skipped`,
    ];
    io.stderr.write(printable(lines.map((line) => `${line}\n`).join('')));
    return byHand.length > 0 || isLeft || isUnread ? exitCodes.invalid : exitCodes.complete;
  },
};

type Place = Found & { readonly file: string };

/** The pairs of --map and of the journal; --map wins. Not whole if some are not known. */
async function pairsOf({ map = [], journal }: CallersFlags, io: Io) {
  const things = journal === undefined ? [] : await readJournalFile(journal, io);
  const ids = new Map<string, string>();
  let isWhole = true;
  // The files of a journal are relative to its folder.
  const cwd = dirname(resolve(io.cwd, journal ?? ''));
  for (const { kind, state, id, file } of things) {
    if (kind !== 'squad' || state !== 'done' || id === null) continue;
    const workflow = workflowOf(file, cwd) ?? workflowOf(file, io.cwd);
    if (workflow !== null) ids.set(workflow, id);
    else if (!map.some(([, squadId]) => squadId === id)) {
      const what = `${file}: there is no result.json with a workflow id next to this squad`;
      const todo = `Say with --map <workflowId>=${id} what it replaces.`;
      io.stderr.write(printable(`${what}\n  help: ${todo}\n`));
      isWhole = false;
    }
  }
  return { squadIds: new Map([...ids, ...map]), isWhole };
}

/** The folder that paths of the diff start at: the current one, or the nearest that has all files. */
function folderAround(cwd: string, files: ReadonlySet<string>): string {
  const isOutside = (at: string) => {
    const path = pathFrom(base, at);
    return path.startsWith('../') || isAbsolute(path);
  };
  let base = cwd;
  while ([...files].some(isOutside) && dirname(base) !== base) base = dirname(base);
  return base;
}

/** Longer files are usually generated, and should be changed at their source. */
const maxBytes = 8 * 1024 * 1024;

const leftOut: ReadonlySet<string> = new Set(['node_modules', '.git']);

/**
 * The file itself, or all files below a folder, sorted by name. Does not follow links in a folder:
 * their targets are either found anyway or outside the folder.
 */
function filesBelow(at: string): string[] {
  let entries: Dirent[];
  try {
    entries = readdirSync(at, { withFileTypes: true });
  } catch {
    // It is a file, or reading it will report the error.
    return [at];
  }
  return entries
    .filter((entry) => !leftOut.has(entry.name) && (entry.isFile() || entry.isDirectory()))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap(({ name }) => filesBelow(join(at, name)));
}

/** The text of a file, including a byte order mark, or the reason why it is skipped. */
function textOf(at: string): { text: string } | { reason: string; isUnread: boolean } {
  try {
    const bytes = readFileSync(at);
    // Images and programs contain a zero; text that does begins with a byte order mark.
    const isUnread =
      !bytes.includes(0) || /^(?:\xff\xfe|\xfe\xff)/.test(bytes.toString('latin1', 0, 2));
    if (!isUnread || !isUtf8(bytes)) return { reason: 'it is not UTF-8 text', isUnread };
    if (bytes.length > maxBytes) return { reason: 'it is larger than 8 MB', isUnread };
    return { text: bytes.toString('utf8') };
  } catch (error) {
    return { reason: `it cannot be read: ${reasonOf(error)}`, isUnread: true };
  }
}

/** A line for each place, and what to do once for each kind. */
function linesFor(places: readonly Place[]): string[] {
  const helps = new Set<string>();
  return places.map((place) => {
    const [what, help] = adviceFor(place);
    const { file, line, column, why, workflowId } = place;
    const named = workflowId === undefined ? '' : ` (workflow ${shorten(workflowId, 80)})`;
    const advice = helps.has(help) ? '' : `\n  help: ${help}`;
    helps.add(help);
    return `${file}:${line}:${column}: callers/${why}: ${what}${named}${advice}`;
  });
}
