/** `squadc callers`: finds the programs that start runs with workflowId, and rewrites what it can. */
import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { InvalidArgumentError, Option } from 'commander';
import { isBelow } from '../../batch/sources.js';
import { reasonOf } from '../../batch/values.js';
import { shorten } from '../../diagnostics/quote.js';
import type { ByHand, Found, SquadIds } from '../../platform/callers.js';
import type { CommandData } from '../command.js';
import { type ExitCode, exitCodes, Refusal, WrongUsage } from '../exit.js';
import type { Io } from '../io.js';
import { count, printable } from '../output/terminal.js';
import { jsonText, writeOutput } from '../output/write.js';
import { journalRefusal } from '../platform/faults.js';
import { lookAtJournal, pathFrom, squadsIn } from '../platform/journal.js';

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
    'Finds workflowId and ids of workflows in files and folders. Prints the changes as a diff on ' +
    'standard output; --write makes them. A workflowId with a literal id becomes squadId, in ' +
    'any language. Every other workflowId, and every other mention of a migrated workflow’s id, ' +
    'is listed on standard error with advice. ' +
    'Skips node_modules and .git.',
  arguments: [['<paths...>', 'files and folders']],
  options: [
    new Option(
      '--map <workflowId=squadId...>',
      'the squad that replaces a workflow; several pairs, or the option several times',
    ).argParser(parsePair),
    new Option(
      '--journal <file>',
      'journal of squadc push, which says which squad replaces which workflow',
    ),
    new Option('--write', 'change the files (each atomically) instead of showing the changes'),
    new Option('--json', 'print the result as one JSON object'),
  ],
  exitCodes: [
    [0, 'nothing left to do by hand'],
    [1, 'places left to do by hand, or a file cannot be read or written'],
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
    return rewriteCallers(paths, flags, io);
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

/** One place to change, with its file; `file` comes first, as it is read. */
type Place = Found & { readonly file: string };

async function rewriteCallers(
  paths: readonly string[],
  flags: CallersFlags,
  io: Io,
): Promise<ExitCode> {
  const { findCallers } = await import('../../platform/callers.js');
  const { patchOf, withEdits } = await import('../../platform/patch.js');
  const squadIds = await pairsOf(flags, io);
  const isWritten = flags.write === true;
  const places: Place[] = [];
  const skipped: { file: string; reason: string }[] = [];
  const patches: string[] = [];
  let isUnread = false;
  for (const path of filesBelow(paths.map((each) => resolve(io.cwd, each)))) {
    const file = pathFrom(io.cwd, path.at);
    try {
      if ('error' in path) throw path.error;
      const reason =
        path.reason ?? (statSync(path.at).size > maxBytes ? 'it is larger than 2 MB' : null);
      const text = reason === null ? textOf(readFileSync(path.at)) : null;
      if (text === null) skipped.push({ file, reason: reason ?? 'it is not UTF-8 text' });
      else {
        const found = findCallers(text, squadIds);
        places.push(...found.map((each) => ({ ...each, file })));
        const edits = found.flatMap(({ edit }) => edit ?? []);
        if (edits.length === 0) continue;
        const changed = withEdits(text, edits);
        patches.push(patchOf(file, text, changed));
        if (isWritten) await writeOutput(file, changed, io);
      }
    } catch (error) {
      if (error instanceof Refusal) throw error;
      const reason = reasonOf(error);
      if (paths.includes(file))
        throw new Refusal(`cannot read ${file}: ${reason}`, exitCodes.invalid);
      isUnread = true;
      skipped.push({ file, reason: `it cannot be read: ${reason}` });
    }
  }
  const byHand = places.filter(({ why }) => why !== null);
  const rewrites = places.filter(({ why }) => why === null);
  if (flags.json) {
    io.stdout.write(
      jsonText({
        written: isWritten,
        rewrites: rewrites.map(({ file, line, column, workflowId, squadId }) => {
          return { file, line, column, workflowId, squadId };
        }),
        byHand: byHand.map((place) => {
          const { file, line, column, why, workflowId = null } = place;
          const [message, help] = wordsFor(place);
          return { file, line, column, code: `callers/${why}`, workflowId, message, help };
        }),
        skipped,
        diff: patches.join(''),
      }),
    );
  } else {
    // A patch is put out as it is, but for a terminal, which its texts could steer.
    const patch = isWritten ? '' : patches.join('');
    io.stdout.write(io.stdout.isTTY ? printable(patch) : patch);
    const done = `${count(rewrites.length, 'place')} ${isWritten ? 'rewritten' : 'to rewrite'}`;
    const hint = !isWritten && rewrites.length > 0 ? ' (--write does it)' : '';
    const lines = [
      ...byHand.map(lineFor),
      ...skipped.map(({ file, reason }) => `skipped ${file}: ${reason}`),
      `${done} in ${count(patches.length, 'file')}${hint}, ` +
        `${count(byHand.length, 'place')} left to do by hand, ` +
        `${count(skipped.length, 'file')} skipped`,
    ];
    io.stderr.write(printable(lines.map((line) => `${line}\n`).join('')));
  }
  return byHand.length > 0 || isUnread ? exitCodes.invalid : exitCodes.complete;
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
      const what = `${file}: there is no result.json with a workflow id next to this squad`;
      const todo = `Say with --map <workflowId>=${id} what it replaces.`;
      io.stderr.write(printable(`${what}\n  help: ${todo}\n`));
    }
  }
  return new Map([...ids, ...map]);
}

/** Longer files are made by programs; those are changed at their source. */
const maxBytes = 2 * 1024 * 1024;

const leftOut: ReadonlySet<string> = new Set(['node_modules', '.git']);

type Below = { readonly at: string } & (
  | { readonly reason?: string }
  /** Why it cannot be looked into. */
  | { readonly error: unknown }
);

/**
 * The files below these paths, each once, by their names. No link in a folder is followed: what it
 * leads to inside is met by itself, and what is outside was not asked for.
 */
function* filesBelow(
  roots: readonly string[],
  met = new Set<string>(),
  top?: string,
): Generator<Below> {
  for (const at of roots) {
    try {
      const real = realpathSync(at);
      if (met.has(real)) continue;
      met.add(real);
      if (!statSync(at).isDirectory()) {
        yield { at };
        continue;
      }
      const entries = readdirSync(at, { withFileTypes: true });
      entries.sort((a, b) => (a.name < b.name ? -1 : 1));
      for (const entry of entries.filter(({ name }) => !leftOut.has(name))) {
        const path = join(at, entry.name);
        if (entry.isDirectory() || entry.isFile()) yield* filesBelow([path], met, top ?? real);
        else if (entry.isSymbolicLink() && leadsOut(path, top ?? real)) {
          yield { at: path, reason: 'it is a symbolic link that points outside the folder' };
        }
      }
    } catch (error) {
      yield { at, error };
    }
  }
}

function leadsOut(link: string, folder: string): boolean {
  try {
    return !isBelow(realpathSync(link), folder);
  } catch {
    return false;
  }
}

/** The text of the bytes with its byte order mark; null where they are none (a NUL, or no UTF-8). */
function textOf(bytes: Uint8Array): string | null {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    return text.includes('\0') ? null : text;
  } catch {
    return null;
  }
}

/** What is wrong with a place, and what to do. */
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

function wordsFor({ why, squadId }: Place): readonly [what: string, help: string] {
  const [what, help] = sentences[why ?? 'name'];
  if (why !== 'id' || squadId === undefined) return [what, help];
  return [what, help.replace("the squad's id", `the squad's id, ${squadId},`)];
}

function lineFor(place: Place): string {
  const { file, line, column, why, workflowId } = place;
  const [what, help] = wordsFor(place);
  const named = workflowId === undefined ? '' : ` (workflow ${shorten(workflowId, 80)})`;
  return `${file}:${line}:${column}: callers/${why}: ${what}${named}\n  help: ${help}`;
}
