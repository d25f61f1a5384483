/** `squadc pull`: downloads workflows from the platform into files. */
import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { reasonOf } from '../../batch/values.js';
import { shorten } from '../../diagnostics/quote.js';
import type { Pulled, ToolName } from '../../platform/pull.js';
import type { CommandData } from '../command.js';
import { type ExitCode, exitCodes, Refusal } from '../exit.js';
import { refusal } from '../faults.js';
import { jsonText, readInput, writeOutput } from '../files.js';
import type { Io } from '../io.js';
import { printable } from '../output/terminal.js';
import {
  baseUrlOf,
  type KeyFlags,
  platformExitCodes,
  platformOptions,
  type Session,
  sessionFor,
} from '../platform/session.js';

interface PullFlags extends KeyFlags {
  readonly baseUrl: string;
  readonly all?: true;
  readonly toolNames?: string;
  readonly idsFile?: string;
  readonly output: string;
}

export const command: CommandData<[ids: string[]], PullFlags> = {
  description:
    'Downloads workflows by id (GET {base-url}/workflow/{id}) and writes each to its own ' +
    'file, atomically. An id that fails does not affect the others. ' +
    'A request may take 30 seconds, and is tried up to 4 times.',
  arguments: { '[ids...]': 'ids of workflows' },
  options: {
    '--ids-file <file>': 'file with more ids, one a line; - reads standard input',
    '--all': 'download every workflow that the key can access',
    '--tool-names <file>':
      'write the names of tools that the workflows only know by id to this file, for --tool-names ' +
      'of compile and migrate',
    '-o, --output <dir>': [
      'folder for the files; created if it does not exist',
      (it) => it.makeOptionMandatory(),
    ],
    ...platformOptions,
  },
  exitCodes: platformExitCodes,
  examples: [
    'squadc pull --all -o workflows',
    'squadc pull 6f1c2e90 --key-file key.txt --tool-names tools.json -o workflows',
  ],
  action: ([ids], flags, { io }) => pullWorkflows(ids, flags, io),
};

async function pullWorkflows(given: string[], flags: PullFlags, plainIo: Io): Promise<ExitCode> {
  const session = await sessionFor(await baseUrlOf(flags.baseUrl), flags, plainIo);
  const { io, service } = session;
  const { fileNameFor, nameTool, pull, toolIdsIn } = await import('../../platform/pull.js');
  const listed = flags.all ? await listAll(session) : [];
  if (listed === null) return exitCodes.invalid;
  const text = flags.idsFile === undefined ? '' : await readInput(flags.idsFile, io);
  const lines = text.split(/\r\n|\r|\n/).map((line) => line.trim());
  const ofFile = lines.filter((line) => line !== '' && !line.startsWith('#'));
  const ids = new Set([...given, ...listed, ...ofFile]);
  if (ids.size === 0 && !flags.all) throw refusal('platform/no-ids', [], exitCodes.wrongUsage);
  await refuseWrongIds([...ids]);
  try {
    await mkdir(resolve(io.cwd, flags.output), { recursive: true });
  } catch (error) {
    const reason = reasonOf(error);
    throw new Refusal(`cannot make the folder ${flags.output}: ${reason}`);
  }
  const toolIds = new Set<string>();
  let missed = 0;
  for await (const { id, text: workflow, fault } of pull([...ids], service)) {
    if (workflow === undefined) {
      tellPullFault({ id, fault }, session);
      missed += 1;
      continue;
    }
    const file = join(flags.output, `${fileNameFor(id)}.json`);
    await writeOutput(file, workflow, io);
    io.stdout.write(printable(`${file}\n`));
    for (const tool of toolIdsIn(workflow)) toolIds.add(tool);
  }
  let unnamed = 0;
  if (flags.toolNames !== undefined) {
    const named: [string, ToolName][] = [];
    for (const id of toolIds) {
      const name = await nameTool(id, service);
      if (name !== null && 'code' in name) session.tell(id, name);
      else if (name !== null) named.push([id, name]);
    }
    await writeOutput(flags.toolNames, jsonText(Object.fromEntries(named)), io);
    unnamed = toolIds.size - named.length;
  }
  io.stderr.write(`${ids.size - missed} of ${ids.size} workflows written\n`);
  return missed + unnamed === 0 ? exitCodes.complete : exitCodes.invalid;
}

/** The ids of all workflows; null, after a message, if the platform does not list them. */
async function listAll({ service, tell }: Session): Promise<readonly string[] | null> {
  const { mostListed, recordOf } = await import('../../platform/service.js');
  const [listed, subject] = [await service.list('workflow'), 'all workflows'];
  if (listed === null) {
    tell(subject, 'platform/not-json', 'a list was expected');
    return null;
  }
  if ('code' in listed) {
    tell(subject, listed);
    return null;
  }
  if (listed.length >= mostListed) {
    tell(subject, 'platform/more', `it lists at most ${mostListed}`);
  }
  return listed.map((each) => recordOf(each)['id']).filter((id) => typeof id === 'string');
}

/** Throws a refusal if one of these cannot be an id. */
export async function refuseWrongIds(ids: readonly string[]): Promise<void> {
  const { isId } = await import('../../platform/service.js');
  const wrong = ids.find((id: unknown) => !isId(id));
  if (wrong === undefined) return;
  throw refusal('platform/id', [JSON.stringify(shorten(wrong, 80))], exitCodes.wrongUsage);
}

/** Reports why a workflow could not be downloaded. */
export function tellPullFault({ id, fault }: Pick<Pulled, 'id' | 'fault'>, { tell }: Session) {
  if (typeof fault === 'object') tell(id, fault);
  else if (fault === 'not-tried') tell(id, 'platform/not-tried');
  else tell(id, 'platform/not-json', ...(fault === 'web-page' ? ['it is a web page'] : []));
}
