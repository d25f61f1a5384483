/** `squadc push`: brings squads to the platform, each once, and moves phone numbers to them. */
import { resolve } from 'node:path';
import { Option } from 'commander';
import { reasonOf } from '../../batch/system-error.js';
import { redact } from '../../compiler/ir/secrets.js';
import type { Journal, Thing } from '../../platform/journal.js';
import type { Push, Pushed, PushTarget, Step } from '../../platform/push.js';
import type { Line } from '../../platform/rollback.js';
import type { CommandData } from '../command.js';
import { type ExitCode, exitCodes, Refusal, WrongUsage } from '../exit.js';
import { readInput, refuseTwoStandardInputs, standardInput } from '../input/read.js';
import {
  defaultJournal,
  lookAtJournal,
  pathFrom,
  squadsIn,
  workflowOf,
} from '../input/squad-files.js';
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
import { faultText, journalRefusal, refusal, requestFault } from '../output/platform-faults.js';
import { count, printable } from '../output/terminal.js';

interface PushFlags extends KeyFlags {
  readonly baseUrl: string;
  readonly journal: string;
  readonly saved?: true;
  readonly numbers?: true;
  readonly yes?: true;
  readonly retryUnknown?: true;
}

export const pushCommand: CommandData<[files: string[]], PushFlags> = {
  name: 'push',
  summary: 'create squads on the platform, or change those that it created',
  description:
    'Creates squads (POST {base-url}/squad) from documents of target vapi; a squad that was pushed ' +
    'from the same file before is changed (PATCH) where the file says otherwise now, unless ' +
    'somebody edited it on the platform. Without --yes it only shows what it would send. A ' +
    'journal keeps what is there, so that nothing is created twice; squadc rollback takes ' +
    'back what it names.',
  arguments: [['[files...]', 'squads as squadc compile --target vapi writes them']],
  options: [
    new Option('--yes', 'send the requests'),
    new Option('--saved', 'create the assistants first, and the squad of their ids'),
    new Option(
      '--numbers',
      'move the phone numbers and the scheduled campaigns that name a migrated workflow to its ' +
        'squad: those of these files, and those of the journal',
    ),
    new Option('--journal <file>', 'journal of what was created').default(defaultJournal),
    new Option('--retry-unknown', 'create again what an earlier request may have created'),
    baseUrlOption,
    ...keyOptions,
  ],
  exitCodes: platformExitCodes('all done (or, without --yes, shown)'),
  examples: [
    'squadc push out/*/squad.json --saved',
    'squadc push out/*/squad.json --saved --numbers --yes',
  ],
  async action([files], flags, { io }) {
    refuseTwoStandardInputs(files);
    if (files.length === 0 && !flags.numbers) throw new WrongUsage('name a file, or --numbers');
    return pushSquads(files, flags, io);
  },
};

async function pushSquads(files: string[], flags: PushFlags, plainIo: Io): Promise<ExitCode> {
  refuseKeyArgument(flags);
  const baseUrl = await baseUrlOf(flags.baseUrl);
  const hasKey = flags.keyEnv !== undefined || flags.keyFile !== undefined;
  const needsKey = flags.yes || flags.numbers || hasKey;
  const session = needsKey ? await sessionFor(baseUrl, flags, plainIo) : null;
  const pushes = await readPushes(files, session?.io ?? plainIo);
  const { saved = false, retryUnknown = false } = flags;
  const target = { baseUrl, saved, retryUnknown };
  if (session !== null && flags.yes) return makePushes(pushes, target, flags, session);
  return showPushes(pushes, target, flags, session, session?.io ?? plainIo);
}

/** The squads in the order of their files, or a refusal that names every file that holds none. */
async function readPushes(files: readonly string[], io: Io): Promise<readonly Push[]> {
  const { readSquad } = await import('../../platform/push.js');
  const { digestOf } = await import('../../platform/fields.js');
  const pushes: Push[] = [];
  const refused: string[] = [];
  for (const file of files) {
    try {
      const squad = readSquad(await readInput(file, io));
      const isStdin = file === standardInput;
      const name = isStdin ? 'standard input' : pathFrom(io.cwd, file);
      if ('fault' in squad) refused.push(faultText(name, `push/${squad.fault}`).trimEnd());
      // What came this way is known again by its content alone.
      else if (isStdin)
        pushes.push({ file: `${name} ${digestOf(squad.document).slice(0, 8)}`, squad });
      else pushes.push({ file: name, squad });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      refused.push(error.message);
    }
  }
  if (refused.length === 0) return pushes;
  throw new Refusal([...refused, 'nothing was sent'].join('\n'), exitCodes.invalid);
}

async function showPushes(
  pushes: readonly Push[],
  target: PushTarget,
  flags: PushFlags,
  session: Session | null,
  io: Io,
): Promise<ExitCode> {
  const { planPush } = await import('../../platform/push.js');
  const things = (await lookAtJournal(flags.journal, io)) ?? [];
  let undone = 0;
  for (const step of pushes.flatMap((each) => planPush(each, things, target))) {
    if (step.act === 'none') io.stdout.write(alreadyText(step));
    else if (step.act === 'doubt') {
      undone += 1;
      io.stderr.write(doubtText(step));
    } else io.stdout.write(requestText(step, target.baseUrl));
  }
  if (flags.numbers && session !== null) {
    const squads = await targetsOf(things, target.baseUrl, io);
    for (const { file } of pushes) {
      const workflow = await workflowOf(file, io);
      if (workflow !== null && !squads.has(workflow)) squads.set(workflow, { id: null, file });
    }
    const found = await findLines(new Set(squads.keys()), session);
    for (const line of found.lines) io.stdout.write(lineText(line, squads, target.baseUrl));
    undone += found.faults;
  }
  io.stderr.write('nothing was sent (--yes sends it)\n');
  return undone > 0 ? exitCodes.invalid : exitCodes.complete;
}

/** What would be sent: no content, which may hold secrets. */
function requestText(step: Step, baseUrl: string): string {
  const { push, kind, act, body, thing, name, fields } = step;
  const members = kind === 'squad' ? push.squad.members : [];
  const request =
    act === 'create' ? `POST ${baseUrl}/${kind}` : `PATCH ${baseUrl}/${kind}/${thing?.id}`;
  const size = `${Buffer.byteLength(JSON.stringify(body))} bytes`;
  const lines = [
    `${push.file}: ${request}, ${size}${kind === 'squad' ? `, ${count(members.length, 'member')}` : ''}`,
    ...(name === '' ? [] : [`  ${kind}: ${name}`]),
    ...(act === 'create' ? members.map((member) => `  member: ${member}`) : []),
    ...fields.map((field) => `  changes: ${field}`),
  ];
  return printable(`${lines.join('\n')}\n`);
}

async function makePushes(
  pushes: readonly Push[],
  target: PushTarget,
  flags: PushFlags,
  session: Session,
): Promise<ExitCode> {
  const { io, service } = session;
  const { openJournal } = await import('../../platform/journal.js');
  const { push, isThere, UnrecordedResult } = await import('../../platform/push.js');
  const journal = await openJournal(resolve(io.cwd, flags.journal));
  if ('fault' in journal) throw journalRefusal(flags.journal, journal);
  let there = 0;
  let undone = 0;
  try {
    for await (const pushed of push(pushes, target, journal, service)) {
      report(pushed, session);
      if (!isThere(pushed)) undone += 1;
      else if (pushed.step.kind === 'squad') there += 1;
    }
    if (pushes.length > 0) {
      const all = `${there} of ${count(pushes.length, 'squad')}`;
      io.stderr.write(`${all} ${there === 1 ? 'is' : 'are'} there; journal: ${flags.journal}\n`);
    }
    if (flags.numbers) undone += await moveLines(target.baseUrl, journal, flags, session);
  } catch (error) {
    if (error instanceof UnrecordedResult) {
      const made = error.what === null ? 'a request was sent' : `${error.what} is there`;
      const why = `the journal ${flags.journal} could not be written: ${reasonOf(error.cause)}`;
      throw refusal('push/unrecorded', exitCodes.invalid, { what: `${made}, and ${why}` });
    }
    if (!(error instanceof Error && 'syscall' in error)) throw error;
    throw new Refusal(`cannot write ${flags.journal}: ${reasonOf(error)}`, exitCodes.invalid);
  } finally {
    await journal.close();
  }
  return undone === 0 ? exitCodes.complete : exitCodes.invalid;
}

/** Says what became of a part of a squad. */
function report({ step, kind, id, fields = [], fault }: Pushed, { io, key }: Session): void {
  const { push } = step;
  const subject = step.kind === 'squad' ? push.file : `${push.file}: assistant ${step.name}`;
  const made = `${step.kind} ${id}${step.kind === 'squad' ? '' : ` (${step.name})`}`;
  if (kind === 'already') io.stdout.write(alreadyText(step));
  else if (kind === 'created') io.stdout.write(printable(`${push.file}: created ${made}\n`));
  else if (kind === 'updated') {
    const changes = step.fields.map((field) => `  changed: ${field}\n`).join('');
    io.stdout.write(printable(`${push.file}: changed ${made}\n${changes}`));
  } else if (kind === 'doubtful') io.stderr.write(doubtText(step));
  else if (kind === 'not-tried') io.stderr.write(faultText(subject, 'platform/not-tried'));
  else if (kind === 'edited') {
    const what = `somebody edited ${made} since it was pushed: ${fields.join(', ')}`;
    io.stderr.write(faultText(subject, 'push/edited', { what }));
  } else {
    if (fault !== undefined)
      io.stderr.write(requestFault(subject, covered(fault, push), key.source));
    const mayBeThere = fault === undefined || fault.outcome === 'unknown';
    if (mayBeThere && step.act === 'create') {
      const what = `the server accepted the ${step.kind}, but its answer names no id`;
      const sent = `the request was sent, so that the ${step.kind} may exist`;
      const more = { what: fault === undefined ? what : sent, help: whereToLook(step) };
      io.stderr.write(faultText(subject, 'push/unknown', more));
    }
  }
}

/** A server may repeat what it was sent; the secrets of a squad are hidden there. */
function covered<Fault extends { readonly serviceMessage?: string }>(
  fault: Fault,
  push: Push,
): Fault {
  const { serviceMessage } = redact({
    squad: push.squad.document,
    serviceMessage: fault.serviceMessage,
  });
  return Object.assign(Object.create(fault), { serviceMessage });
}

function alreadyText({ push, kind, thing, name }: Step): string {
  const made = `${kind} ${thing?.id}${kind === 'squad' ? '' : ` (${name})`}`;
  return printable(`${push.file}: created before as ${made}; nothing to send\n`);
}

/** That an earlier request left it open. */
function doubtText(step: Step): string {
  const what = `a request of ${step.thing?.at} may have created it, and its result is not known`;
  const subject = step.kind === 'squad' ? step.push.file : `${step.push.file}: ${step.name}`;
  return faultText(subject, 'push/unknown', { what, help: whereToLook(step) });
}

function whereToLook({ kind, name }: Step): string {
  const what = `Look on the platform for the ${kind} ${JSON.stringify(name)}.`;
  return `${what} Where there is none, push again with --retry-unknown.`;
}

/** The squads by the workflows that they replace; without an id where they are still to be made. */
type Targets = Map<string, { readonly id: string | null; readonly file: string }>;

async function targetsOf(things: readonly Thing[], baseUrl: string, io: Io): Promise<Targets> {
  const here = things.filter((each) => each.baseUrl === baseUrl);
  const squads = await squadsIn(here, io);
  return new Map(
    squads.flatMap(({ id, file, workflow }) =>
      workflow === null ? [] : [[workflow, { id, file }]],
    ),
  );
}

const plurals = { number: 'phone numbers', campaign: 'campaigns' } as const;

/** What names one of the workflows; what could not be listed is said, and counted as a fault. */
async function findLines(workflows: ReadonlySet<string>, { service, io, key }: Session) {
  const { linesOf } = await import('../../platform/rollback.js');
  const lines: Line[] = [];
  let faults = 0;
  for (const kind of ['number', 'campaign'] as const) {
    const listed = await linesOf(kind, workflows, service);
    if (listed === null) {
      io.stderr.write(
        faultText(plurals[kind], 'platform/not-json', { what: 'the answer is no list' }),
      );
    } else if ('code' in listed) {
      // Not every account has campaigns.
      if (kind === 'campaign' && listed.code === 'api/not-found') continue;
      io.stderr.write(requestFault(plurals[kind], listed, key.source));
    } else {
      const what = `the platform lists no more of the ${plurals[kind]}, so there may be others`;
      if (listed.more) io.stderr.write(faultText(plurals[kind], 'platform/more', { what }));
      lines.push(...listed.lines);
      continue;
    }
    faults += 1;
  }
  return { lines, faults };
}

function lineText({ kind, id, name, workflowId }: Line, squads: Targets, baseUrl: string): string {
  const squad = squads.get(workflowId);
  const to = squad?.id === null ? `the squad of ${squad.file}` : `squad ${squad?.id}`;
  const path = kind === 'number' ? 'phone-number' : kind;
  return printable(
    `${kind} ${name} (${id}): PATCH ${baseUrl}/${path}/${id}: workflow ${workflowId} → ${to}\n`,
  );
}

/** Moves what names a migrated workflow to its squad; how much could not be moved. */
async function moveLines(
  baseUrl: string,
  journal: Journal,
  flags: PushFlags,
  session: Session,
): Promise<number> {
  const { moveLine } = await import('../../platform/rollback.js');
  const { io, service, key } = session;
  const squads = await targetsOf(journal.things(), baseUrl, io);
  const { lines, faults } = await findLines(new Set(squads.keys()), session);
  let moved = 0;
  for (const line of lines) {
    const { id, file } = squads.get(line.workflowId)!;
    const to = { squadId: id!, file, baseUrl };
    const { kind, fault } = await moveLine(line, to, journal, service);
    const subject = `${line.kind} ${line.name} (${line.id})`;
    if (kind === 'updated') {
      moved += 1;
      io.stdout.write(
        printable(`${subject}: squad ${id} in the place of workflow ${line.workflowId}\n`),
      );
    } else if (fault !== undefined) io.stderr.write(requestFault(subject, fault, key.source));
  }
  io.stderr.write(
    `${moved} of ${lines.length} phone numbers and campaigns moved; journal: ${flags.journal}\n`,
  );
  return lines.length - moved + faults;
}
