/** `squadc pull`: fetches workflows from the platform into files. */
import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Option } from 'commander';
import { reasonOf } from '../../batch/system-error.js';
import type { Pulled, ToolName } from '../../platform/pull.js';
import type { CommandData } from '../command.js';
import { type ExitCode, exitCodes, Refusal } from '../exit.js';
import { readInput } from '../input/read.js';
import type { Io } from '../io.js';
import {
  baseUrlOf,
  baseUrlOption,
  type KeyFlags,
  keyOptions,
  platformExitCodes,
  refuseKeyArgument,
  type Session,
  sessionFor,
} from '../options/platform.js';
import { faultText, refusal, requestFault } from '../output/platform-faults.js';
import { printable } from '../output/terminal.js';
import { jsonText, writeOutput } from '../output/write.js';

interface PullFlags extends KeyFlags {
  readonly baseUrl: string;
  readonly all?: true;
  readonly toolNames?: string;
  readonly idsFile?: string;
  readonly output: string;
}

export const pullCommand: CommandData<[ids: string[]], PullFlags> = {
  name: 'pull',
  summary: 'fetch workflows from the platform',
  description:
    'Fetches workflows by their ids (GET {base-url}/workflow/{id}) and writes each to a file of ' +
    'its own, in one step. What the server cannot give for one id leaves the others alone. ' +
    'An attempt may take 30 seconds; there are up to 4.',
  arguments: [['[ids...]', 'ids of workflows']],
  options: [
    new Option('--ids-file <file>', 'file with more ids, one a line; - reads standard input'),
    new Option('--all', 'fetch every workflow that the key opens'),
    new Option(
      '--tool-names <file>',
      'file for the functions of the tools that the workflows know by id only, as compile and ' +
        'migrate take it',
    ),
    new Option(
      '-o, --output <dir>',
      'folder for the files; made where there is none',
    ).makeOptionMandatory(),
    baseUrlOption,
    ...keyOptions,
  ],
  exitCodes: platformExitCodes('all done'),
  examples: [
    'squadc pull --all -o workflows',
    'squadc pull 6f1c2e90 --key-file key.txt --tool-names tools.json -o workflows',
  ],
  action: ([ids], flags, { io }) => pullWorkflows(ids, flags, io),
};

async function pullWorkflows(given: string[], flags: PullFlags, plainIo: Io): Promise<ExitCode> {
  refuseKeyArgument(flags);
  const session = await sessionFor(await baseUrlOf(flags.baseUrl), flags, plainIo);
  const { io, key, service } = session;
  const listed = flags.all ? await listAll(session) : [];
  if (listed === null) return exitCodes.invalid;
  const ids = await idsOf([...given, ...listed], flags, io);
  const { fileNamesFor, pull, toolIdsIn } = await import('../../platform/pull.js');
  try {
    await mkdir(resolve(io.cwd, flags.output), { recursive: true });
  } catch (error) {
    const reason = reasonOf(error);
    throw new Refusal(`cannot make the folder ${flags.output}: ${reason}`, exitCodes.invalid);
  }
  const names = fileNamesFor(ids);
  const toolIds = new Set<string>();
  let written = 0;
  for await (const { id, text, fault } of pull(ids, service)) {
    if (text === undefined) {
      io.stderr.write(pullFault({ id, fault }, key.source));
      continue;
    }
    const file = join(flags.output, `${names.get(id)}.json`);
    await writeOutput(file, text, io);
    io.stdout.write(printable(`${file}\n`));
    if (text.includes(key.value)) io.stderr.write(faultText(id, 'platform/key-in-workflow'));
    for (const tool of toolIdsIn(text)) toolIds.add(tool);
    written += 1;
  }
  const { toolNames } = flags;
  const areNamed =
    toolNames === undefined || (await writeToolNames(toolNames, [...toolIds], session));
  io.stderr.write(`${written} of ${new Set(ids).size} workflows written\n`);
  return written === new Set(ids).size && areNamed ? exitCodes.complete : exitCodes.invalid;
}

/** The ids of all workflows; null where they cannot be had. */
async function listAll({ service, key, io }: Session): Promise<readonly string[] | null> {
  const { mostListed, recordOf } = await import('../../platform/service.js');
  const [listed, subject] = [await service.list('workflow'), 'all workflows'];
  if (listed === null) {
    io.stderr.write(faultText(subject, 'platform/not-json', { what: 'the answer is no list' }));
    return null;
  }
  if ('code' in listed) {
    io.stderr.write(requestFault(subject, listed, key.source));
    return null;
  }
  if (listed.length >= mostListed) {
    const what = `the platform lists ${mostListed} workflows at most, so there may be more`;
    io.stderr.write(faultText(subject, 'platform/more', { what }));
  }
  return listed.map((each) => recordOf(each)['id']).filter((id) => typeof id === 'string');
}

/** Writes what the tools of these ids are called; false where one of them cannot be had. */
async function writeToolNames(
  file: string,
  ids: readonly string[],
  { service, key, io }: Session,
): Promise<boolean> {
  const { nameTool } = await import('../../platform/pull.js');
  const names: [string, ToolName][] = [];
  for (const id of ids) {
    const named = await nameTool(id, service);
    if (named !== null && 'code' in named) io.stderr.write(requestFault(id, named, key.source));
    else if (named !== null) names.push([id, named]);
  }
  await writeOutput(file, jsonText(Object.fromEntries(names)), io);
  return names.length === ids.length;
}

async function idsOf(given: readonly string[], { idsFile, all }: PullFlags, io: Io) {
  const text = idsFile === undefined ? '' : await readInput(idsFile, io);
  const listed = text.split(/\r\n|\r|\n/).map((line) => line.trim());
  const ids = [...given, ...listed.filter((line) => line !== '' && !line.startsWith('#'))];
  if (ids.length === 0 && !all) throw refusal('platform/no-ids', exitCodes.wrongUsage);
  await refuseWrongIds(ids);
  return ids;
}

/** Refuses the command where one of these can be no id. */
export async function refuseWrongIds(ids: readonly string[]): Promise<void> {
  const { isId } = await import('../../platform/service.js');
  const wrong = ids.find((id: unknown) => !isId(id));
  if (wrong === undefined) return;
  const what = `${JSON.stringify(wrong.slice(0, 80))} is no id of a workflow`;
  throw refusal('platform/id', exitCodes.wrongUsage, { what });
}

/** Why there is no text. */
export function pullFault({ id, fault }: Pick<Pulled, 'id' | 'fault'>, keySource: string): string {
  if (typeof fault === 'object') return requestFault(id, fault, keySource);
  if (fault === 'not-tried') return faultText(id, 'platform/not-tried');
  const what = `the answer is ${fault === 'web-page' ? 'a web page' : 'no JSON object'}`;
  return faultText(id, 'platform/not-json', { what });
}
