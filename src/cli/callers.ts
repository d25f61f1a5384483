/** `squadc callers`: finds the programs that start runs with workflowId, and rewrites what it can. */
import { type Command, InvalidArgumentError } from 'commander';
import type { SquadIds } from '../platform/callers.js';
import { type ExitCode, exitCodes } from './exit.js';
import type { Invocation } from './invocation.js';
import type { Io } from './io.js';
import { printable } from './terminal.js';
import { jsonText, writeOutput } from './write-output.js';

interface CallersFlags {
  readonly map?: SquadIds;
  readonly journal?: string;
  readonly write?: true;
  readonly json?: true;
}

const help = `
Exit codes:
  0   nothing is left to do by hand
  1   places are left to do by hand, or a file cannot be read or written
  64  wrong usage
  70  a bug of squadc's own

Examples:
  squadc callers src --journal squadc-journal.jsonl
  squadc callers src --map 6f1c2e90=b83d4a17 --write`;

/** Adds the command to the program. */
export function addCallersCommand(program: Command, invocation: Invocation): void {
  program
    .command('callers')
    .summary('find the programs that send workflowId')
    .description(
      'Finds workflowId, and the ids of workflows, in files and folders. Shows what would change as a unified diff on ' +
        'standard output; with --write, workflowId with a literal id beside it becomes squadId, in ' +
        'any language. Every other workflowId, and every other place where the id of a workflow ' +
        'stands that a squad replaces, is listed on standard error with what to do by hand. ' +
        'node_modules and .git are left out.',
    )
    .argument('<paths...>', 'files and folders')
    .option(
      '--map <workflowId=squadId...>',
      'the squad that replaces a workflow; several pairs, or the option several times',
      parsePair,
    )
    .option(
      '--journal <file>',
      'journal of squadc push: takes the pairs from there, for squads of squadc migrate',
    )
    .option('--write', 'rewrite the files (each in one step) instead of showing what would change')
    .option('--json', 'print the result as one JSON object')
    .addHelpText('after', help)
    .action(async (paths: string[], flags: CallersFlags, command: Command) => {
      if (flags.map === undefined && flags.journal === undefined) {
        command.error('error: --map or --journal says which squad replaces a workflow');
      }
      invocation.exitCode = await callersCommand(paths, flags, invocation.io);
    });
}

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

async function callersCommand(paths: string[], flags: CallersFlags, io: Io): Promise<ExitCode> {
  const { searchFiles } = await import('./callers-search.js');
  const report = await searchFiles(paths, await pairsOf(flags, io), io);
  if (flags.write) {
    for (const { path, changed } of report.files) {
      if (changed !== null) await writeOutput(path, changed, io);
    }
  }
  const { callersJson, callersText, summaryOf } = await import('./callers-report.js');
  const written = flags.write === true;
  if (flags.json) {
    io.stdout.write(jsonText(callersJson(report, written)));
  } else {
    if (!written) for (const { diff } of report.files) io.stdout.write(shown(diff, io));
    io.stderr.write(callersText(report));
    io.stderr.write(summaryOf(report, written));
  }
  const left = report.files.some(({ byHand }) => byHand.length > 0);
  const unread = report.skipped.some(({ why }) => why === 'fault');
  return left || unread ? exitCodes.invalid : exitCodes.complete;
}

async function pairsOf({ map = new Map(), journal }: CallersFlags, io: Io): Promise<SquadIds> {
  if (journal === undefined) return map;
  const { squadIds } = await import('./callers-map.js');
  return squadIds(map, journal, io);
}

/** A patch is put out as it is, but for a terminal, which its texts could steer. */
function shown(diff: string, io: Io): string {
  return io.stdout.isTTY ? printable(diff) : diff;
}
