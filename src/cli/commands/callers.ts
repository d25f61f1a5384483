/** `squadc callers`: finds the programs that send workflowId, and rewrites them where it can. */
import { isUtf8 } from 'node:buffer';
import { type Dirent, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { InvalidArgumentError } from 'commander';
import { reasonOf } from '../../batch/values.js';
import { shorten } from '../../diagnostics/quote.js';
import { type ByHand, type Found, findCallers, type SquadIds } from '../../platform/callers.js';
import { patchOf, withEdits } from '../../platform/patch.js';
import type { CommandData } from '../command.js';
import { writeOutput } from '../files.js';
import { type ExitCode, exitCodes, type Io, WrongUsage } from '../io.js';
import { count, printable } from '../output/terminal.js';
import { pathFrom, readJournalFile, squadsIn } from '../platform/journal.js';

interface CallersFlags {
  readonly map?: SquadIds;
  readonly journal?: string;
  readonly write?: true;
}

export const command: CommandData<[paths: string[]], CallersFlags> = {
  description:
    'Finds workflowId and ids of workflows in files and folders. Prints the changes as a diff on ' +
    'standard output; --write makes them. A workflowId with a literal id becomes squadId, in ' +
    'any language. Every other workflowId, and every other mention of a migrated workflow’s id, ' +
    'is listed on standard error with advice. ' +
    'Skips node_modules and .git.',
  arguments: { '<paths...>': 'files and folders' },
  options: {
    '--map <workflowId=squadId...>': [
      'the squad that replaces a workflow; several pairs, or the option several times',
      (it) => it.argParser(parsePair),
    ],
    '--journal <file>': 'journal of squadc push, which says which squad replaces which workflow',
    '--write': 'change the files (each atomically) instead of showing the changes',
  },
  exitCodes: {
    0: 'nothing left to do by hand',
    1: 'places left to do by hand, or a file cannot be read or written',
  },
  examples: [
    'squadc callers src --journal squadc-journal.jsonl',
    'squadc callers src --map 6f1c2e90=b83d4a17 --write',
  ],
  async action([paths], flags, { io }) {
    if (flags.map === undefined && flags.journal === undefined) {
      throw new WrongUsage('pass --map or --journal to say which squad replaces a workflow');
    }
    return rewriteCallers(paths, flags, io);
  },
};

/** Parses `<workflowId>=<squadId>` and adds it to the earlier pairs. */
function parsePair(text: string, before: SquadIds = new Map()): SquadIds {
  const [, workflowId = '', squadId = ''] = /^\s*([^=]*?)\s*=\s*(.*?)\s*$/s.exec(text) ?? [];
  if (workflowId !== '' && squadId !== '') return new Map([...before, [workflowId, squadId]]);
  throw new InvalidArgumentError(
    'Expected <workflowId>=<squadId>; files and folders go before --map.',
  );
}

type Place = Found & { readonly file: string };

async function rewriteCallers(
  paths: readonly string[],
  flags: CallersFlags,
  io: Io,
): Promise<ExitCode> {
  const squadIds = await pairsOf(flags, io);
  const places: Place[] = [];
  const skipped: string[] = [];
  const patches: string[] = [];
  let isUnread = false;
  const files = paths.flatMap((path) => filesBelow(resolve(io.cwd, path)));
  for (const at of new Set(files)) {
    const file = pathFrom(io.cwd, at);
    const text = textOf(at);
    if ('reason' in text) {
      isUnread ||= text.isUnread;
      skipped.push(`skipped ${file}: ${text.reason}`);
      continue;
    }
    const found = findCallers(text.text, squadIds);
    places.push(...found.map((each) => ({ ...each, file })));
    const edits = found.flatMap(({ edit }) => edit ?? []);
    if (edits.length === 0) continue;
    const changed = withEdits(text.text, edits);
    patches.push(patchOf(file, text.text, changed));
    if (flags.write) await writeOutput(file, changed, io);
  }
  const byHand = places.filter(({ why }) => why !== null);
  // A pipe gets the patch unchanged. On a terminal, control characters in it could do harm.
  const patch = flags.write ? '' : patches.join('');
  io.stdout.write(io.stdout.isTTY ? printable(patch) : patch);
  const rewrites = places.length - byHand.length;
  const done = `${count(rewrites, 'place')} ${flags.write ? 'rewritten' : 'to rewrite'}`;
  const hint = !flags.write && rewrites > 0 ? ' (use --write)' : '';
  const lines = [
    ...byHand.map(lineFor),
    ...skipped,
    `${done} in ${count(patches.length, 'file')}${hint}, ` +
      `${count(byHand.length, 'place')} left to do by hand, ` +
      `${count(skipped.length, 'file')} skipped`,
  ];
  io.stderr.write(printable(lines.map((line) => `${line}\n`).join('')));
  return byHand.length > 0 || isUnread ? exitCodes.invalid : exitCodes.complete;
}

/** The pairs of --map and of the journal; --map wins. */
async function pairsOf({ map = new Map(), journal }: CallersFlags, io: Io): Promise<SquadIds> {
  const things = journal === undefined ? [] : await readJournalFile(journal, io);
  const ids = new Map<string, string>();
  for (const { id, file, workflow } of squadsIn(things, io)) {
    if (workflow !== null) ids.set(workflow, id);
    else if (![...map.values()].includes(id)) {
      const what = `${file}: there is no result.json with a workflow id next to this squad`;
      const todo = `Say with --map <workflowId>=${id} what it replaces.`;
      io.stderr.write(printable(`${what}\n  help: ${todo}\n`));
    }
  }
  return new Map([...ids, ...map]);
}

/** Longer files are usually generated, and should be changed at their source. */
const maxBytes = 2 * 1024 * 1024;

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
    const { size } = statSync(at);
    if (size > maxBytes) return { reason: 'it is larger than 2 MB', isUnread: false };
    const bytes = readFileSync(at);
    const text = isUtf8(bytes) ? bytes.toString('utf8') : '\0';
    return text.includes('\0') ? { reason: 'it is not UTF-8 text', isUnread: false } : { text };
  } catch (error) {
    return { reason: `it cannot be read: ${reasonOf(error)}`, isUnread: true };
  }
}

/** For each kind of place: what is wrong, and what to do. */
const sentences: Readonly<Record<ByHand, readonly [what: string, help: string]>> = {
  name: [
    'workflowId without a literal id',
    "Rename it to squadId, and make sure its value is the squad's id.",
  ],
  id: [
    'the id of a workflow that a squad replaces',
    "Replace it with the squad's id, and make sure it is sent as squadId.",
  ],
  'not-in-map': [
    'no --map names a squad for this workflow',
    'Add <workflowId>=<squadId> to --map and run again, or change the place by hand.',
  ],
  clash: ['there already is a squadId next to it', 'Keep one squadId and remove every workflowId.'],
};

function lineFor({ file, line, column, why, workflowId, squadId }: Place): string {
  const [what, advice] = sentences[why ?? 'name'];
  const id =
    why === 'id' && squadId !== undefined ? `the squad's id, ${squadId},` : "the squad's id";
  const help = advice.replace("the squad's id", () => id);
  const named = workflowId === undefined ? '' : ` (workflow ${shorten(workflowId, 80)})`;
  return `${file}:${line}:${column}: callers/${why}: ${what}${named}\n  help: ${help}`;
}
