/** `squadc pull`: downloads workflows from the platform into files. */
import { join } from 'node:path';
import { shorten } from '../../diagnostics/quote.js';
import { fileNameFor, nameTool, pull, type ToolName, toolIdsIn } from '../../platform/pull.js';
import { isId } from '../../platform/service.js';
import { asObject } from '../../text/json.js';
import type { CommandData } from '../command.js';
import { refusal } from '../faults.js';
import { jsonText, readInput, writeOutput } from '../files.js';
import { exitCodes } from '../io.js';
import { printable } from '../output/terminal.js';
import {
  isRetired,
  listAll,
  type PlatformFlags,
  platformOptions,
  type Session,
  sessionFor,
  stoppable,
  targetOf,
} from '../platform/session.js';

interface PullFlags extends PlatformFlags {
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
  hasConfig: true,
  options: {
    'Workflows:': {
      '--ids-file <file>': 'file with more ids, one per line; - reads standard input',
      '--all': 'download every workflow that the key can access',
    },
    'Output:': {
      '-o, --output <dir>': [
        'folder for the files; created if it does not exist',
        (it) => it.makeOptionMandatory(),
      ],
      '--tool-names <file>':
        'write the names of tools that workflows know by id only to this file, for toolNames of ' +
        'squadc.config.json',
    },
    'Platform:': platformOptions,
  },
  exits: [130],
  examples: [
    'squadc pull --all -o workflows',
    'squadc pull 6f1c2e90 --key-file key.txt --tool-names tools.json -o workflows',
  ],
  action: ([given], flags, context) =>
    stoppable(context.io, async (checkpoint) => {
      const session = await sessionFor(targetOf(flags, context), context.io);
      const { io, service, tell } = session;
      const listed = flags.all ? await listAll(session, 'workflow') : [];
      if (listed === null) return exitCodes.invalid;
      const text = flags.idsFile === undefined ? '' : await readInput(flags.idsFile, io);
      const lines = text.split(/\r\n|\r|\n/).map((line) => line.trim());
      const ofFile = lines.filter((line) => line !== '' && !line.startsWith('#'));
      const all = listed.map((each) => asObject(each)['id']).filter((id) => typeof id === 'string');
      const ids = new Set([...given, ...all, ...ofFile]);
      if (ids.size === 0 && !flags.all) throw refusal('api/no-ids', [], exitCodes.wrongUsage);
      const toolIds = new Set<string>();
      const missed = await pullInto(flags.output, [...ids], session, checkpoint, toolIds);
      let unnamed = 0;
      if (flags.toolNames !== undefined) {
        const named: [string, ToolName][] = [];
        for (const id of toolIds) {
          checkpoint();
          const name = await nameTool(id, service);
          if (name !== null && 'code' in name) tell(id, name);
          else if (name !== null) named.push([id, name]);
        }
        await writeOutput(flags.toolNames, jsonText(Object.fromEntries(named)), io);
        unnamed = toolIds.size - named.length;
      }
      io.stderr.write(`${ids.size - missed} of ${ids.size} workflows written\n`);
      return missed + unnamed === 0 ? exitCodes.complete : exitCodes.invalid;
    }),
};

/**
 * Downloads workflows into a folder, collects the ids of their tools, and reports failures. Returns
 * how many were missed. What cannot be an id is not sent.
 */
async function pullInto(
  folder: string,
  ids: readonly string[],
  { service, io, tell }: Session,
  checkpoint: () => void,
  toolIds: Set<string>,
): Promise<number> {
  const wrong = ids.filter((id) => !isId(id));
  const named = wrong.map((id) => JSON.stringify(shorten(id, 80)));
  if (named.length === ids.length && named[0]) throw refusal('api/id', named, exitCodes.wrongUsage);
  for (const id of named) tell(id, 'api/id');
  let missed = wrong.length;
  for await (const { id, text, fault } of pull(ids.filter(isId), service, checkpoint)) {
    if (text !== undefined) {
      const file = join(folder, `${fileNameFor(id)}.json`);
      await writeOutput(file, text, io);
      io.stdout.write(printable(`${file}\n`));
      for (const tool of toolIdsIn(text)) toolIds.add(tool);
      continue;
    }
    missed += 1;
    if (fault === 'not-tried') tell(id, 'api/not-tried');
    else if (fault === 'web-page') tell(id, 'api/not-json', 'it is a web page');
    else if (typeof fault !== 'object') tell(id, 'api/not-json');
    else if (isRetired(fault)) tell(id, 'pull/retired', `status ${fault.status}`);
    else tell(id, fault);
  }
  return missed;
}
