/** `squadc pull`: fetches workflows from the platform into files. */
import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import { reasonOf } from '../batch/system-error.js';
import type { ApiKey } from '../platform/api-key.js';
import { type Network, realNetwork } from '../platform/network.js';
import type { Pulled, Source, ToolName } from '../platform/pull.js';
import { type ExitCode, exitCodes, Refusal } from './exit.js';
import type { Invocation } from './invocation.js';
import type { Io } from './io.js';
import { faultText, lines } from './platform-faults.js';
import {
  addBaseUrlOption,
  addKeyOptions,
  baseUrlOf,
  hidingKey,
  type KeyFlags,
  keyOf,
  platformExitCodes,
  refuseKeyArgument,
} from './platform-options.js';
import { readInput } from './read-input.js';
import { printable } from './terminal.js';
import { jsonText, writeOutput } from './write-output.js';

interface PullFlags extends KeyFlags {
  readonly baseUrl: string;
  readonly all?: true;
  readonly toolNames?: string;
  readonly idsFile?: string;
  readonly output: string;
}

const help = `${platformExitCodes('all done')}

Examples:
  squadc pull --all -o workflows
  squadc pull 6f1c2e90 --key-file key.txt --tool-names tools.json -o workflows`;

/** Adds the command to the program. */
export function addPullCommand(program: Command, invocation: Invocation): void {
  const command = program
    .command('pull')
    .summary('fetch workflows from the platform')
    .description(
      'Fetches workflows by their ids (GET {base-url}/workflow/{id}) and writes each to a file of ' +
        'its own, in one step. What the server cannot give for one id leaves the others alone. ' +
        'An attempt may take 30 seconds; there are up to 4.',
    )
    .argument('[ids...]', 'ids of workflows')
    .option('--ids-file <file>', 'file with more ids, one a line; - reads standard input')
    .option('--all', 'fetch every workflow that the key opens')
    .option(
      '--tool-names <file>',
      'file for the functions of the tools that the workflows know by id only, as compile and ' +
        'migrate take it',
    )
    .requiredOption('-o, --output <dir>', 'folder for the files; made where there is none')
    .addHelpText('after', help)
    .action(async (ids: string[], flags: PullFlags) => {
      invocation.exitCode = await pullCommand(ids, flags, invocation.io);
    });
  addBaseUrlOption(command);
  addKeyOptions(command);
}

async function pullCommand(given: string[], flags: PullFlags, plainIo: Io): Promise<ExitCode> {
  refuseKeyArgument(flags);
  const baseUrl = await baseUrlOf(flags.baseUrl);
  const key = await keyOf(flags, plainIo);
  const io = hidingKey(plainIo, key);
  const { fileNamesFor } = await import('../platform/file-names.js');
  const { pull, toolIdsIn } = await import('../platform/pull.js');
  const source = { baseUrl, key: key.value };
  const network = io.network ?? realNetwork;
  const listed = flags.all ? await listAll(source, network, key, io) : [];
  if (listed === null) return exitCodes.invalid;
  const ids = await idsOf([...given, ...listed], flags, io);
  await makeFolder(flags.output, io);
  const names = fileNamesFor(ids);
  const toolIds = new Set<string>();
  let written = 0;
  for await (const pulled of pull(ids, source, network)) {
    if (pulled.kind !== 'workflow') {
      io.stderr.write(faultOf(pulled, key));
      continue;
    }
    const file = join(flags.output, `${names.get(pulled.id)}.json`);
    await writeOutput(file, pulled.text, io);
    io.stdout.write(printable(`${file}\n`));
    if (pulled.text.includes(key.value)) io.stderr.write(holdsKey(pulled.id));
    for (const id of toolIdsIn(pulled.text)) toolIds.add(id);
    written += 1;
  }
  const { toolNames } = flags;
  const areNamed =
    toolNames === undefined || (await writeToolNames(toolNames, [...toolIds], source, key, io));
  io.stderr.write(`${written} of ${new Set(ids).size} workflows written\n`);
  return written === new Set(ids).size && areNamed ? exitCodes.complete : exitCodes.invalid;
}

/** The ids of all workflows; null where they cannot be had. */
async function listAll(
  source: Source,
  network: Network,
  key: ApiKey,
  io: Io,
): Promise<readonly string[] | null> {
  const { listWorkflows, mostListed } = await import('../platform/pull.js');
  const listed = await listWorkflows(source, network);
  if (!('ids' in listed)) {
    io.stderr.write(faultOf(listed, key));
    return null;
  }
  if (listed.ids.length >= mostListed) {
    const what = `the platform lists ${mostListed} workflows at most, so there may be more`;
    const help = 'Give the ids of the others, or --ids-file.';
    io.stderr.write(lines('all workflows', 'platform/more', what, help));
  }
  return listed.ids;
}

/** Writes what the tools of these ids are called; false where one of them cannot be had. */
async function writeToolNames(
  file: string,
  ids: readonly string[],
  source: Source,
  key: ApiKey,
  io: Io,
): Promise<boolean> {
  const { nameTool } = await import('../platform/pull.js');
  const names: Record<string, ToolName> = {};
  for (const id of ids) {
    const named = await nameTool(id, source, io.network ?? realNetwork);
    if (named !== null && 'kind' in named) io.stderr.write(faultText(id, named, key.source));
    else if (named !== null) names[id] = named;
  }
  await writeOutput(file, jsonText(names), io);
  return Object.keys(names).length === ids.length;
}

async function idsOf(given: readonly string[], { idsFile, all }: PullFlags, io: Io) {
  const text = idsFile === undefined ? '' : await readInput(idsFile, io);
  const listed = text.split(/\r\n|\r|\n/).map((line) => line.trim());
  const ids = [...given, ...listed.filter((line) => line !== '' && !line.startsWith('#'))];
  if (ids.length === 0 && !all) {
    throw new Refusal(
      'platform/no-ids: there is no id of a workflow\n  help: Give ids, --ids-file, or --all.',
      exitCodes.wrongUsage,
    );
  }
  await refuseWrongIds(ids);
  return ids;
}

/** Refuses the command where one of these can be no id. */
export async function refuseWrongIds(ids: readonly string[]): Promise<void> {
  const { isId } = await import('../platform/base-url.js');
  const wrong = ids.find((id) => !isId(id));
  if (wrong === undefined) return;
  throw new Refusal(
    `platform/id: ${JSON.stringify(wrong.slice(0, 80))} is no id of a workflow\n` +
      '  help: An id has 1 to 200 letters, digits and signs, and no blanks.',
    exitCodes.wrongUsage,
  );
}

async function makeFolder(folder: string, io: Io): Promise<void> {
  try {
    await mkdir(resolve(io.cwd, folder), { recursive: true });
  } catch (error) {
    throw new Refusal(`cannot make the folder ${folder}: ${reasonOf(error)}`, exitCodes.invalid);
  }
}

export function faultOf(pulled: Exclude<Pulled, { kind: 'workflow' }>, key: ApiKey): string {
  const { id } = pulled;
  if (pulled.kind === 'fault') return faultText(id, pulled.fault, key.source);
  if (pulled.kind === 'not-tried') {
    return lines(
      id,
      'platform/not-tried',
      'it was not asked for, since no other could be had',
      'Run the command again when the fault above is mended.',
    );
  }
  const kind = pulled.looksLikeHtml ? 'a web page' : 'no JSON object';
  return lines(
    id,
    'platform/not-json',
    `the answer is ${kind}`,
    'Check that --base-url is the address of the API, and run the command again.',
  );
}

function holdsKey(id: string): string {
  return lines(
    id,
    'platform/key-in-workflow',
    'warning: the workflow itself holds the API key, and so does its file now',
    'Replace the key, and let the workflow read it from a credential.',
  );
}
