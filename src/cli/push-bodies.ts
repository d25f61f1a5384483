/** Reads the squads that `squadc push` is to send; with one bad file among them, nothing is sent. */
import type { Push } from '../platform/push.js';
import type { BodyFault } from '../platform/squad-body.js';
import { exitCodes, Refusal } from './exit.js';
import type { Io } from './io.js';
import { inputName, readInput } from './read-input.js';

const bodyFaults: Readonly<Record<BodyFault, readonly [string, string]>> = {
  'not-json': ['it is not JSON', 'Give a file that squadc compile --target vapi wrote.'],
  'not-object': ['it is no object', 'Give a file that squadc compile --target vapi wrote.'],
  'target-squad': [
    'it is a squad of target squad ({ squad: … }), which the platform does not accept',
    'Compile the workflow with --target vapi and push that.',
  ],
  workflow: [
    'it is a workflow',
    'Compile it with squadc compile --target vapi and push the result.',
  ],
  'no-members': ['it has no members', 'Give a file that squadc compile --target vapi wrote.'],
  member: ['a member has neither an assistant nor an assistantId', 'Give each member one of both.'],
  'member-overrides': [
    'it has memberOverrides, which the platform does not know',
    'Compile the workflow with --target vapi; there the key is membersOverrides.',
  ],
};

/** The squads in the order of their files, or a refusal that names every file that holds none. */
export async function readPushes(files: readonly string[], io: Io): Promise<readonly Push[]> {
  const pushes: Push[] = [];
  const refused: string[] = [];
  for (const file of files) {
    const read = await readPush(file, io);
    if (typeof read === 'string') refused.push(read);
    else pushes.push(read);
  }
  if (refused.length === 0) return pushes;
  throw new Refusal([...refused, 'nothing was sent'].join('\n'), exitCodes.invalid);
}

/** The squad of a file, or what is wrong with it. */
async function readPush(file: string, io: Io): Promise<Push | string> {
  const { readSquadBody } = await import('../platform/squad-body.js');
  try {
    const body = readSquadBody(await readInput(file, io));
    if (!('fault' in body)) return { file: inputName(file), body };
    const [what, todo] = bodyFaults[body.fault];
    return `${inputName(file)}: push/${body.fault}: ${what}\n  help: ${todo}`;
  } catch (error) {
    if (error instanceof Refusal) return error.message;
    throw error;
  }
}
