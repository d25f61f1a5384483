/** `squadc push`: creates or updates squads on the platform, and moves phone numbers to them. */
import { reasonOf } from '../../batch/values.js';
import { redact } from '../../compiler/ir/secrets.js';
import type { Journal, Thing } from '../../platform/journal.js';
import type { Push, Pushed, PushTarget, Step } from '../../platform/push.js';
import type { Line } from '../../platform/rollback.js';
import type { CommandData } from '../command.js';
import { exitCodes, Refusal, WrongUsage } from '../exit.js';
import { readInput, refuseTwoStandardInputs, standardInput } from '../input/read.js';
import type { Io } from '../io.js';
import { count, printable } from '../output/terminal.js';
import { faultText, refusal } from '../platform/faults.js';
import {
  defaultJournal,
  lookAtJournal,
  pathFrom,
  squadsIn,
  withJournal,
  workflowOf,
} from '../platform/journal.js';
import {
  baseUrlOf,
  type KeyFlags,
  platformExitCodes,
  platformOptions,
  type Session,
  sessionFor,
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
    'nothing is created twice and squadc rollback can ' +
    'undo it.',
  arguments: { '[files...]': 'squads as squadc compile --target vapi writes them' },
  options: {
    '--yes': 'send the requests',
    '--saved': 'create the assistants first, then a squad that refers to them',
    '--numbers':
      'also move phone numbers and scheduled campaigns that name a migrated workflow to its ' +
      'squad',
    '--journal <file>': ['journal of what was created', (it) => it.default(defaultJournal)],
    '--retry-unknown': 'retry requests with an unknown outcome, which may create duplicates',
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
    const baseUrl = await baseUrlOf(flags.baseUrl);
    const hasKey = flags.keyEnv !== undefined || flags.keyFile !== undefined;
    const needsKey = flags.yes || flags.numbers || hasKey;
    const session = needsKey ? await sessionFor(baseUrl, flags, plainIo) : null;
    const io = session?.io ?? plainIo;
    const pushes = await readPushes(files, io);
    const { saved = false, retryUnknown = false } = flags;
    const target = { baseUrl, saved, retryUnknown };
    const undone =
      session !== null && flags.yes
        ? await makePushes(pushes, target, flags, session)
        : await showPushes(pushes, target, flags, session, io);
    return undone === 0 ? exitCodes.complete : exitCodes.invalid;
  },
};

/** The squads in the order of their files. The refusal names every file without a valid squad. */
async function readPushes(files: readonly string[], io: Io): Promise<readonly Push[]> {
  const { readSquad } = await import('../../platform/push.js');
  const { digestOf } = await import('../../platform/fields.js');
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
  throw new Refusal([...refused, 'nothing was sent'].join('\n'), exitCodes.invalid);
}

/** Shows the requests, but no content: it may be secret. Returns how many are in doubt. */
async function showPushes(
  pushes: readonly Push[],
  target: PushTarget,
  { journal, numbers }: PushFlags,
  session: Session | null,
  io: Io,
): Promise<number> {
  const { planPush } = await import('../../platform/push.js');
  const things = (await lookAtJournal(journal, io)) ?? [];
  const { baseUrl } = target;
  let undone = 0;
  for (const step of pushes.flatMap((each) => planPush(each, things, target))) {
    const { push, kind, act, body, thing, name, fields } = step;
    if (act === 'none') io.stdout.write(alreadyText(step));
    else if (act === 'doubt') {
      undone += 1;
      io.stderr.write(doubtText(step));
    } else {
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
      io.stdout.write(printable(`${lines.join('\n')}\n`));
    }
  }
  if (numbers && session !== null) {
    const squads = await targetsOf(things, baseUrl, io);
    for (const { file } of pushes) {
      const workflow = await workflowOf(file, io);
      if (workflow !== null && !squads.has(workflow)) squads.set(workflow, { id: null, file });
    }
    const found = await findLines(new Set(squads.keys()), session);
    for (const { kind, id, name, workflowId } of found.lines) {
      const squad = squads.get(workflowId);
      const to = squad?.id === null ? `the squad of ${squad.file}` : `squad ${squad?.id}`;
      const url = `${baseUrl}/${kind === 'number' ? 'phone-number' : kind}/${id}`;
      const what = `${kind} ${name} (${id}): PATCH ${url}: workflow ${workflowId} → ${to}\n`;
      io.stdout.write(printable(what));
    }
    undone += found.faults;
  }
  io.stderr.write('nothing was sent (--yes sends it)\n');
  return undone;
}

/** Sends the requests. Returns how many failed. */
function makePushes(
  pushes: readonly Push[],
  target: PushTarget,
  flags: PushFlags,
  session: Session,
): Promise<number> {
  const { io, service } = session;
  return withJournal(flags.journal, io, async (journal) => {
    const { push, isThere, UnrecordedResult } = await import('../../platform/push.js');
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
      return undone;
    } catch (error) {
      if (!(error instanceof UnrecordedResult)) throw error;
      const made = error.what === null ? 'a request was sent' : `${error.what} is there`;
      const why = `the journal ${flags.journal} could not be written: ${reasonOf(error.cause)}`;
      throw refusal('push/unrecorded', exitCodes.invalid, { what: `${made}, and ${why}` });
    }
  });
}

/** Reports the outcome for a squad or an assistant. */
function report({ step, kind, id, fields = [], fault }: Pushed, { io, tell }: Session): void {
  const { push, act } = step;
  const isSquad = step.kind === 'squad';
  const subject = isSquad ? push.file : `${push.file}: assistant ${step.name}`;
  const made = `${step.kind} ${id}${isSquad ? '' : ` (${step.name})`}`;
  if (kind === 'already') io.stdout.write(alreadyText(step));
  else if (kind === 'created') io.stdout.write(printable(`${push.file}: created ${made}\n`));
  else if (kind === 'updated') {
    const changes = step.fields.map((field) => `  changed: ${field}\n`).join('');
    io.stdout.write(printable(`${push.file}: changed ${made}\n${changes}`));
  } else if (kind === 'doubtful') io.stderr.write(doubtText(step));
  else if (kind === 'not-tried') tell(subject, 'platform/not-tried');
  else if (kind === 'edited') {
    const what = `${made} was edited on the platform since it was pushed: ${fields.join(', ')}`;
    tell(subject, 'push/edited', { what });
  } else {
    if (fault !== undefined) {
      // The server may echo the request, so this hides the secrets of the squad.
      const { serviceMessage } = redact({
        squad: push.squad.document,
        serviceMessage: fault.serviceMessage,
      });
      tell(subject, Object.assign(Object.create(fault), { serviceMessage }));
    }
    if (act !== 'create' || (fault !== undefined && fault.outcome !== 'unknown')) return;
    const accepted = `the server accepted the ${step.kind}, but its response has no id`;
    const sent = `the request was sent, so the ${step.kind} may exist`;
    const what = fault === undefined ? accepted : sent;
    tell(subject, 'push/unknown', { what, help: whereToLook(step) });
  }
}

function alreadyText({ push, kind, thing, name }: Step): string {
  const made = `${kind} ${thing?.id}${kind === 'squad' ? '' : ` (${name})`}`;
  return printable(`${push.file}: already pushed as ${made}; no changes\n`);
}

/** Says that the outcome of an earlier request is unknown. */
function doubtText(step: Step): string {
  const { kind, push, name, thing } = step;
  const what = `a request of ${thing?.at} may have created it, and its result is not known`;
  const subject = kind === 'squad' ? push.file : `${push.file}: ${name}`;
  return faultText(subject, 'push/unknown', { what, help: whereToLook(step) });
}

function whereToLook({ kind, name }: Step): string {
  const what = `Look on the platform for the ${kind} ${JSON.stringify(name)}.`;
  return `${what} If it does not exist, push again with --retry-unknown.`;
}

/** The squads by the id of the workflow that they replace. `id` is null before the squad exists. */
type Targets = Map<string, { readonly id: string | null; readonly file: string }>;

async function targetsOf(things: readonly Thing[], baseUrl: string, io: Io): Promise<Targets> {
  const here = things.filter((each) => each.baseUrl === baseUrl);
  const targets: Targets = new Map();
  for (const { id, file, workflow } of await squadsIn(here, io)) {
    if (workflow !== null) targets.set(workflow, { id, file });
  }
  return targets;
}

const plurals = { number: 'phone numbers', campaign: 'campaigns' } as const;

/** Finds what names one of the workflows. Reports and counts failures to list them. */
async function findLines(workflows: ReadonlySet<string>, { service, tell }: Session) {
  const { linesOf } = await import('../../platform/rollback.js');
  const lines: Line[] = [];
  let faults = 0;
  for (const kind of ['number', 'campaign'] as const) {
    const listed = await linesOf(kind, workflows, service);
    if (listed !== null && !('code' in listed)) {
      const what = `the platform may have more ${plurals[kind]} than it listed`;
      if (listed.more) tell(plurals[kind], 'platform/more', { what });
      lines.push(...listed.lines);
      continue;
    }
    // Some accounts have no campaigns.
    if (kind === 'campaign' && listed?.code === 'api/not-found') continue;
    faults += 1;
    if (listed !== null) tell(plurals[kind], listed);
    else tell(plurals[kind], 'platform/not-json', { what: 'the response is not a list' });
  }
  return { lines, faults };
}

/** Moves what names a migrated workflow to its squad. Returns how many moves failed. */
async function moveLines(
  baseUrl: string,
  journal: Journal,
  flags: PushFlags,
  session: Session,
): Promise<number> {
  const { moveLine } = await import('../../platform/rollback.js');
  const { io, service, tell } = session;
  const squads = await targetsOf(journal.things(), baseUrl, io);
  const { lines, faults } = await findLines(new Set(squads.keys()), session);
  let moved = 0;
  for (const line of lines) {
    const { id, file } = squads.get(line.workflowId)!;
    const { kind, fault } = await moveLine(line, { squadId: id!, file, baseUrl }, journal, service);
    const subject = `${line.kind} ${line.name} (${line.id})`;
    if (fault !== undefined) tell(subject, fault);
    if (kind !== 'updated') continue;
    moved += 1;
    const what = `squad ${id} in the place of workflow ${line.workflowId}`;
    io.stdout.write(printable(`${subject}: ${what}\n`));
  }
  const all = `${moved} of ${lines.length} phone numbers and campaigns moved`;
  io.stderr.write(`${all}; journal: ${flags.journal}\n`);
  return lines.length - moved + faults;
}
