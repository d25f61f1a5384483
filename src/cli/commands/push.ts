/** `squadc push`: creates or updates squads on the platform, and moves phone numbers to them. */
import { redact } from '../../compiler/ir/secrets.js';
import { digestOf } from '../../platform/fields.js';
import type { Journal, Thing } from '../../platform/journal.js';
import {
  isThere,
  type Push,
  type Pushed,
  type PushTarget,
  planPush,
  push,
  readSquad,
  type Step,
} from '../../platform/push.js';
import { type Line, linesOf, moveLine } from '../../platform/rollback.js';
import type { CommandData } from '../command.js';
import { faultText } from '../faults.js';
import { readInput, refuseTwoStandardInputs, standardInput } from '../files.js';
import { exitCodes, type Io, Refusal, WrongUsage } from '../io.js';
import { count, printable } from '../output/terminal.js';
import {
  journalOption,
  pathFrom,
  readJournalFile,
  squadsIn,
  withJournal,
  workflowOf,
} from '../platform/journal.js';
import {
  baseUrlOf,
  hasKey,
  type KeyFlags,
  platformExitCodes,
  platformOptions,
  type Session,
  sessionFor,
  type Teller,
  tellerFor,
} from '../platform/session.js';

interface PushFlags extends KeyFlags {
  readonly baseUrl: string;
  readonly journal: string;
  readonly saved?: true;
  readonly numbers?: true;
  readonly yes?: true;
  readonly retryUnknown?: true;
}

export const command: CommandData<[files: string[]], PushFlags> = {
  description:
    'Creates squads (POST {base-url}/squad) from files for the target vapi. A squad that was ' +
    'pushed from the same file before is updated (PATCH), unless somebody has edited it on ' +
    'the platform. Without --yes, nothing is sent. A journal records what exists, so that ' +
    'nothing is created twice and squadc rollback can undo it.',
  arguments: { '[files...]': 'squads as squadc compile --target vapi writes them' },
  options: {
    '--yes': 'send the requests',
    '--saved': 'create the assistants first, then a squad that refers to them',
    '--numbers':
      'also move phone numbers and scheduled campaigns that name a migrated workflow to its ' +
      'squad',
    '--retry-unknown': 'retry requests with an unknown outcome, which may create duplicates',
    ...journalOption,
    ...platformOptions,
  },
  exitCodes: platformExitCodes,
  examples: [
    'squadc push out/*/squad.json --saved',
    'squadc push out/*/squad.json --saved --numbers --yes',
  ],
  async action([files], flags, { io: plainIo }) {
    refuseTwoStandardInputs(files);
    if (files.length === 0 && !flags.numbers) throw new WrongUsage('name a file, or --numbers');
    const baseUrl = baseUrlOf(flags.baseUrl);
    const needsKey = flags.yes || flags.numbers || hasKey(flags);
    const session = needsKey ? await sessionFor(baseUrl, flags, plainIo) : null;
    const teller = session ?? tellerFor(plainIo);
    const pushes = await readPushes(files, teller.io);
    const { saved = false, retryUnknown = false } = flags;
    const target = { baseUrl, saved, retryUnknown };
    const undone =
      session !== null && flags.yes
        ? await withJournal(flags.journal, session.io, (journal) =>
            makePushes(pushes, target, flags, journal, session),
          )
        : await showPushes(pushes, target, flags, session, teller);
    return undone === 0 ? exitCodes.complete : exitCodes.invalid;
  },
};

/** The squads in the order of their files. The refusal names every file without a valid squad. */
async function readPushes(files: readonly string[], io: Io): Promise<readonly Push[]> {
  const pushes: Push[] = [];
  const refused: string[] = [];
  for (const path of files) {
    try {
      const squad = readSquad(await readInput(path, io));
      const isStdin = path === standardInput;
      const name = isStdin ? 'standard input' : pathFrom(io.cwd, path);
      if ('fault' in squad) refused.push(faultText(name, `push/${squad.fault}`).trimEnd());
      else {
        // Standard input has no path, so a squad from there is recognized by its content.
        const digest = isStdin ? ` ${digestOf(squad.document).slice(0, 8)}` : '';
        pushes.push({ file: `${name}${digest}`, squad });
      }
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      refused.push(error.message);
    }
  }
  if (refused.length === 0) return pushes;
  throw new Refusal([...refused, 'nothing was sent'].join('\n'));
}

/** Shows what would be sent. Returns how much is in doubt or could not be found out. */
async function showPushes(
  pushes: readonly Push[],
  target: PushTarget,
  { journal, numbers }: PushFlags,
  session: Session | null,
  teller: Teller,
): Promise<number> {
  const { io } = teller;
  const { baseUrl } = target;
  const things = await readJournalFile(journal, io, true);
  let undone = 0;
  for (const step of pushes.flatMap((each) => planPush(each, things, target))) {
    if (step.act === 'none') report({ step, kind: 'already' }, teller);
    else if (step.act === 'doubt') {
      report({ step, kind: 'doubtful' }, teller);
      undone += 1;
    } else io.stdout.write(requestText(step, baseUrl));
  }
  if (numbers && session !== null) {
    const squads = squadsByWorkflow(things, baseUrl, io);
    for (const { file } of pushes) {
      const workflow = workflowOf(file, io);
      if (workflow !== null && !squads.has(workflow)) squads.set(workflow, { id: null, file });
    }
    const { lines, faults } = await findLines(squads, session);
    for (const { kind, id, name, workflowId } of lines) {
      const { id: squad, file } = squads.get(workflowId)!;
      const to = squad === null ? `the squad of ${file}` : `squad ${squad}`;
      const url = `${baseUrl}/${kind === 'number' ? 'phone-number' : kind}/${id}`;
      const what = `${kind} ${name} (${id}): PATCH ${url}: workflow ${workflowId} → ${to}\n`;
      io.stdout.write(printable(what));
    }
    undone += faults;
  }
  io.stderr.write('nothing was sent (--yes sends it)\n');
  return undone;
}

/** The request, but no content: it may be secret. */
function requestText(step: Step, baseUrl: string): string {
  const { push, kind, act, body, thing, name, fields } = step;
  const { members } = push.squad;
  const isSquad = kind === 'squad';
  const request =
    act === 'create' ? `POST ${baseUrl}/${kind}` : `PATCH ${baseUrl}/${kind}/${thing?.id}`;
  const size = `${Buffer.byteLength(JSON.stringify(body))} bytes`;
  const lines = [
    `${push.file}: ${request}, ${size}${isSquad ? `, ${count(members.length, 'member')}` : ''}`,
    ...(name === '' ? [] : [`  ${kind}: ${name}`]),
    ...(act === 'create' && isSquad ? members.map((member) => `  member: ${member}`) : []),
    ...fields.map((field) => `  changes: ${field}`),
  ];
  return printable(`${lines.join('\n')}\n`);
}

/** Sends the requests. Returns how many failed. */
async function makePushes(
  pushes: readonly Push[],
  target: PushTarget,
  { journal: journalFile, numbers }: PushFlags,
  journal: Journal,
  session: Session,
): Promise<number> {
  const { io, service, tell } = session;
  let there = 0;
  let undone = 0;
  for await (const pushed of push(pushes, target, journal, service)) {
    report(pushed, session);
    if (!isThere(pushed)) undone += 1;
    else if (pushed.step.kind === 'squad') there += 1;
  }
  if (pushes.length > 0) {
    const all = `${there} of ${count(pushes.length, 'squad')}`;
    io.stderr.write(`${all} ${there === 1 ? 'is' : 'are'} there; journal: ${journalFile}\n`);
  }
  if (!numbers) return undone;
  const { baseUrl } = target;
  const squads = squadsByWorkflow(journal.things(), baseUrl, io);
  const { lines, faults } = await findLines(squads, session);
  let moved = 0;
  for (const line of lines) {
    const { id, file } = squads.get(line.workflowId)!;
    const { kind, fault } = await moveLine(line, { squadId: id!, file, baseUrl }, journal, service);
    const subject = `${line.kind} ${line.name} (${line.id})`;
    if (fault !== undefined) tell(subject, fault);
    if (kind !== 'updated') continue;
    moved += 1;
    const what = `squad ${id} instead of workflow ${line.workflowId}`;
    io.stdout.write(printable(`${subject}: ${what}\n`));
  }
  const all = `${moved} of ${lines.length} phone numbers and campaigns moved`;
  io.stderr.write(`${all}; journal: ${journalFile}\n`);
  return undone + lines.length - moved + faults;
}

function report({ step, kind, id, fields = [], fault }: Pushed, { io, tell }: Teller): void {
  const { push, thing, name, act } = step;
  const isSquad = step.kind === 'squad';
  const subject = isSquad ? push.file : `${push.file}: assistant ${name}`;
  const made = `${step.kind} ${id ?? thing?.id}${isSquad ? '' : ` (${name})`}`;
  const done = (what: string) => io.stdout.write(printable(`${push.file}: ${what}\n`));
  const unknown = (why: string) =>
    tell(subject, 'push/unknown', `${step.kind} ${JSON.stringify(name)}`, why);
  if (kind === 'already') done(`already pushed as ${made}; no changes`);
  else if (kind === 'created') done(`created ${made}`);
  else if (kind === 'updated') {
    done([`changed ${made}`, ...step.fields.map((field) => `  changed: ${field}`)].join('\n'));
  } else if (kind === 'edited') tell(subject, 'push/edited', made, ...fields);
  else if (kind === 'not-tried') tell(subject, 'platform/not-tried');
  else if (kind === 'doubtful') unknown(`requested at ${thing?.at}`);
  else if (kind === 'no-id') unknown('the server accepted it, but its response has no id');
  else if (fault !== undefined) {
    // The server may echo the request, so this hides the secrets of the squad.
    const { serviceMessage } = redact({
      squad: push.squad.document,
      serviceMessage: fault.serviceMessage,
    });
    tell(subject, Object.assign(Object.create(fault), { serviceMessage }));
    if (act === 'create' && fault.outcome === 'unknown') unknown('the request was sent');
  }
}

/** The squads by the id of the workflow that they replace. `id` is null before the squad exists. */
type Squads = Map<string, { readonly id: string | null; readonly file: string }>;

function squadsByWorkflow(things: readonly Thing[], baseUrl: string, io: Io): Squads {
  const here = things.filter((each) => each.baseUrl === baseUrl);
  return new Map(
    squadsIn(here, io).flatMap(({ workflow, ...each }) => (workflow ? [[workflow, each]] : [])),
  );
}

const plurals = { number: 'phone numbers', campaign: 'campaigns' } as const;

/** Finds what names one of the workflows. Reports and counts failures to list them. */
async function findLines(squads: Squads, { service, tell }: Session) {
  const lines: Line[] = [];
  let faults = 0;
  for (const kind of ['number', 'campaign'] as const) {
    const listed = await linesOf(kind, new Set(squads.keys()), service);
    if (listed !== null && !('code' in listed)) {
      if (listed.more) tell(plurals[kind], 'platform/more');
      lines.push(...listed.lines);
      continue;
    }
    // Some accounts have no campaigns.
    if (kind === 'campaign' && listed?.code === 'api/not-found') continue;
    faults += 1;
    if (listed !== null) tell(plurals[kind], listed);
    else tell(plurals[kind], 'platform/not-json', 'a list was expected');
  }
  return { lines, faults };
}
