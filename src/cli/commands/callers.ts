/** `squadc callers`: finds the programs that start runs with workflowId, and rewrites what it can. */
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { InvalidArgumentError, Option } from 'commander';
import { reasonOf } from '../../batch/system-error.js';
import type { ByHand, Found, SquadIds } from '../../platform/callers.js';
import type { CommandData } from '../command.js';
import { type ExitCode, exitCodes, Refusal, WrongUsage } from '../exit.js';
import { searchOfAll, sourceFiles } from '../input/source-files.js';
import { lookAtJournal, pathFrom, squadsIn } from '../input/squad-files.js';
import type { Io } from '../io.js';
import { journalRefusal } from '../output/platform-faults.js';
import { count, printable } from '../output/terminal.js';
import { jsonText, writeOutput } from '../output/write.js';

interface CallersFlags {
  readonly map?: SquadIds;
  readonly journal?: string;
  readonly write?: true;
  readonly json?: true;
}

export const callersCommand: CommandData<[paths: string[]], CallersFlags> = {
  name: 'callers',
  summary: 'find the programs that send workflowId',
  description:
    'Finds workflowId, and the ids of workflows, in files and folders. Shows what would change as a unified diff on ' +
    'standard output; with --write, workflowId with a literal id beside it becomes squadId, in ' +
    'any language. Every other workflowId, and every other place where the id of a workflow ' +
    'stands that a squad replaces, is listed on standard error with what to do by hand. ' +
    'node_modules and .git are left out.',
  arguments: [['<paths...>', 'files and folders']],
  options: [
    new Option(
      '--map <workflowId=squadId...>',
      'the squad that replaces a workflow; several pairs, or the option several times',
    ).argParser(parsePair),
    new Option(
      '--journal <file>',
      'journal of squadc push: takes the pairs from there, for squads of squadc migrate',
    ),
    new Option(
      '--write',
      'rewrite the files (each in one step) instead of showing what would change',
    ),
    new Option('--json', 'print the result as one JSON object'),
  ],
  exitCodes: [
    [0, 'nothing is left to do by hand'],
    [1, 'places are left to do by hand, or a file cannot be read or written'],
    [64, 'wrong usage'],
    [70, "a bug of squadc's own"],
  ],
  examples: [
    'squadc callers src --journal squadc-journal.jsonl',
    'squadc callers src --map 6f1c2e90=b83d4a17 --write',
  ],
  async action([paths], flags, { io }) {
    if (flags.map === undefined && flags.journal === undefined) {
      throw new WrongUsage('--map or --journal says which squad replaces a workflow');
    }
    return findCallers(paths, flags, io);
  },
};

/** `<workflowId>=<squadId>`, added to the pairs before it. */
function parsePair(text: string, before: Map<string, string> = new Map()) {
  const separator = text.indexOf('=');
  const workflowId = text.slice(0, Math.max(separator, 0)).trim();
  const squadId = text.slice(separator + 1).trim();
  if (workflowId === '' || squadId === '') {
    throw new InvalidArgumentError(
      'Expected <workflowId>=<squadId>; files and folders go before --map.',
    );
  }
  const known = before.get(workflowId);
  if (known !== undefined && known !== squadId) {
    throw new InvalidArgumentError(`${workflowId} has another squad already, ${known}.`);
  }
  return before.set(workflowId, squadId);
}

async function findCallers(paths: string[], flags: CallersFlags, io: Io): Promise<ExitCode> {
  const report = await searchFiles(paths, await pairsOf(flags, io), io);
  const written = flags.write === true;
  for (const { path, changed } of written ? report.files : []) {
    if (changed !== null) await writeOutput(path, changed, io);
  }
  if (flags.json) {
    io.stdout.write(jsonText(jsonOf(report, written)));
  } else {
    // A patch is put out as it is, but for a terminal, which its texts could steer.
    const shown = (diff: string) => (io.stdout.isTTY ? printable(diff) : diff);
    if (!written) for (const { diff } of report.files) io.stdout.write(shown(diff));
    io.stderr.write(textOf(report, written));
  }
  const left = report.files.some(({ found }) => found.some(({ why }) => why !== null));
  return left || report.unread ? exitCodes.invalid : exitCodes.complete;
}

/** The pairs of the command line, which count more, and those of a journal. */
async function pairsOf({ map = new Map(), journal }: CallersFlags, io: Io): Promise<SquadIds> {
  if (journal === undefined) return map;
  const things = await lookAtJournal(journal, io);
  if (things === null) throw journalRefusal(journal, { fault: 'missing' });
  const ids = new Map<string, string>();
  for (const { id, file, workflow } of await squadsIn(things, io)) {
    if (workflow !== null) ids.set(workflow, id);
    else if (![...map.values()].includes(id)) {
      const what = `${file}: no result.json with the id of a workflow lies beside this squad`;
      const todo = `Say with --map <workflowId>=${id} what it replaces.`;
      io.stderr.write(printable(`${what}\n  help: ${todo}\n`));
    }
  }
  return new Map([...ids, ...map]);
}

interface FileReport {
  readonly path: string;
  readonly found: readonly Found[];
  readonly diff: string;
  /** The rewritten text; null where nothing is rewritten. */
  readonly changed: string | null;
}

interface Report {
  readonly files: readonly FileReport[];
  readonly skipped: readonly { readonly path: string; readonly reason: string }[];
  /** Whether a file could not be read. */
  readonly unread: boolean;
}

/** Longer files are made by programs; those are changed at their source. */
const maxBytes = 2 * 1024 * 1024;

async function searchFiles(paths: readonly string[], squadIds: SquadIds, io: Io): Promise<Report> {
  const files: FileReport[] = [];
  const skipped: { path: string; reason: string }[] = [];
  let unread = false;
  const roots = paths.map((path) => resolve(io.cwd, path));
  const search = searchOfAll();
  for (const each of roots.flatMap((root) => [...sourceFiles(root, search)])) {
    const path = pathFrom(io.cwd, each.path);
    const skip = (reason: string) => skipped.push({ path, reason });
    const fault = (error: unknown) => {
      unread = true;
      skip(`it cannot be read: ${reasonOf(error)}`);
    };
    if (each.kind === 'fault' && roots.includes(each.path)) {
      throw new Refusal(`cannot read ${path}: ${reasonOf(each.error)}`, exitCodes.invalid);
    }
    if (each.kind === 'fault') fault(each.error);
    else if (each.kind === 'link-out') {
      skip('it is a symbolic link that leads out of the folder');
    } else if (each.kind === 'file' && each.size > maxBytes) skip('it has more than 2 MB');
    else if (each.kind === 'file') {
      try {
        const text = sourceText(await readFile(each.path));
        if (text === null) skip('it is not text in UTF-8');
        else files.push(await searchText(path, text, squadIds));
      } catch (error) {
        fault(error);
      }
    }
  }
  return { files: files.filter(({ found }) => found.length > 0), skipped, unread };
}

/** The text of the bytes with its byte order mark; null where they are none (a NUL, or no UTF-8). */
function sourceText(bytes: Uint8Array): string | null {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    return text.includes('\0') ? null : text;
  } catch {
    return null;
  }
}

async function searchText(path: string, text: string, squadIds: SquadIds): Promise<FileReport> {
  const { findCallers } = await import('../../platform/callers.js');
  const { patchOf, withEdits } = await import('../../platform/patch.js');
  const found = findCallers(text, squadIds);
  const edits = found.flatMap(({ edit }) => edit ?? []);
  const changed = edits.length === 0 ? null : withEdits(text, edits);
  return { path, found, changed, diff: changed === null ? '' : patchOf(path, text, changed) };
}

const sentences: Readonly<Record<ByHand, readonly [what: string, help: string]>> = {
  name: [
    'workflowId stands here without a literal id',
    "Call it squadId, and see to it that its value is the squad's id.",
  ],
  id: [
    'the id of a workflow stands here that a squad replaces',
    "Put the squad's id in its place, and see to it that it is sent as squadId.",
  ],
  'not-in-map': [
    'no --map names a squad for this workflow',
    'Add <workflowId>=<squadId> to --map and run again, or change the place by hand.',
  ],
  clash: ['a squadId stands beside it already', 'Keep one squadId and remove every workflowId.'],
};

function helpFor({ why, squadId }: Found): string {
  const [, text = ''] = sentences[why ?? 'name'];
  return why === 'id' && squadId !== undefined
    ? text.replace("the squad's id", `the squad's id, ${squadId},`)
    : text;
}

/** Every place that is left to do by hand, every file that was not looked at, and how much it is. */
function textOf({ files, skipped }: Report, written: boolean): string {
  const all = files.flatMap(({ path, found }) => found.map((each) => ({ path, ...each })));
  const byHand = all.filter(({ why }) => why !== null);
  const rewrites = all.length - byHand.length;
  const places = byHand.map((each) => {
    const { path, line, column, why, workflowId: id } = each;
    const shown = id !== undefined && id.length > 80 ? `${id.slice(0, 79)}…` : id;
    const named = shown === undefined ? '' : ` (workflow ${shown})`;
    const [what] = sentences[why!];
    return `${path}:${line}:${column}: callers/${why}: ${what}${named}\n  help: ${helpFor(each)}\n`;
  });
  const left = skipped.map(({ path, reason }) => `skipped ${path}: ${reason}\n`);
  const hint = !written && rewrites > 0 ? ' (--write does it)' : '';
  const changed = files.filter((each) => each.changed !== null).length;
  return printable(
    `${places.join('')}${left.join('')}${count(rewrites, 'place')} ` +
      `${written ? 'rewritten' : 'to rewrite'} in ${count(changed, 'file')}${hint}, ` +
      `${count(byHand.length, 'place')} left to do by hand, ${count(skipped.length, 'file')} skipped\n`,
  );
}

function jsonOf({ files, skipped }: Report, written: boolean): object {
  const all = files.flatMap(({ path, found }) => found.map((each) => ({ file: path, each })));
  return {
    written,
    rewrites: all.flatMap(({ file, each: { why, line, column, workflowId, squadId } }) =>
      why === null ? [{ file, line, column, workflowId, squadId }] : [],
    ),
    byHand: all.flatMap(({ file, each }) => {
      const { why, line, column, workflowId = null } = each;
      if (why === null) return [];
      const message = sentences[why][0];
      return [
        { file, line, column, code: `callers/${why}`, workflowId, message, help: helpFor(each) },
      ];
    }),
    skipped: skipped.map(({ path, reason }) => ({ file: path, reason })),
    diff: files.map(({ diff }) => diff).join(''),
  };
}
