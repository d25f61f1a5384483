/** `squadc push`: creates or updates squads on the platform, and moves phone numbers to them. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { InvalidArgumentError } from 'commander';
import { redact } from '../../compiler/ir/secrets.js';
import { digestOf } from '../../platform/fields.js';
import type { Thing } from '../../platform/journal.js';
import {
  listRoutes,
  type PartStep,
  type Plan,
  type Push,
  type PushTarget,
  planPush,
  type RouteStep,
  readSquad,
  type Step,
} from '../../platform/plan.js';
import { isThere, type Pushed, push, settle } from '../../platform/push.js';
import { kinds } from '../../platform/service.js';
import type { CommandData } from '../command.js';
import { faultText } from '../faults.js';
import { readInput, refuseTwoStandardInputs, standardInput } from '../files.js';
import { exitCodes, type Io, Refusal, WrongUsage } from '../io.js';
import { count, printable } from '../output/terminal.js';
import {
  journalOption,
  pathFrom,
  readJournalFile,
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
  readonly saved?: boolean;
  readonly numbers?: true;
  readonly map?: ReadonlyMap<string, string>;
  readonly yes?: true;
  readonly retryUnknown?: boolean;
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
      'also move phone numbers and scheduled campaigns that name a workflow to its squad; lists ' +
      'those whose workflow has none',
    '--map <workflowId=file>': [
      'with --numbers, the file of the squad that replaces a workflow, if its export had no id ' +
        '(repeatable)',
      (it) => it.argParser(parsePair),
    ],
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
    if (flags.map && !flags.numbers) throw new WrongUsage('--map is for --numbers');
    const baseUrl = baseUrlOf(flags.baseUrl);
    const needsKey = flags.yes || flags.numbers || hasKey(flags);
    const session = needsKey ? await sessionFor(baseUrl, flags, plainIo) : null;
    const teller = session ?? tellerFor(plainIo);
    const pushes = await readPushes(files, teller.io);
    const { io } = teller;
    const map = new Map(Array.from(flags.map ?? [], ([id, path]) => [id, pathFrom(io.cwd, path)]));
    const { saved = false, retryUnknown = false } = flags;
    const target: PushTarget = {
      ...{ baseUrl, saved, retryUnknown },
      isFile: (file) => existsSync(resolve(io.cwd, file)),
      workflowsOf: (file) => {
        const own = workflowOf(file, io);
        const mapped = [...map].flatMap(([id, squad]) => (squad === file ? id : []));
        return own === null || map.has(own) ? mapped : [...mapped, own];
      },
    };
    const planFor = async (things: readonly Thing[], checkpoint?: () => void) => {
      const known = new Set([...pushes, ...things].map(({ file }) => file));
      const wrong = [...map.values()].find((file) => !known.has(file));
      if (wrong !== undefined) throw new WrongUsage(`--map names ${wrong}, which is not pushed`);
      const [routes, faults] = flags.numbers ? await routesOf(session!, checkpoint) : [[], 0];
      return [planPush(pushes, routes, things, target), faults] as const;
    };
    if (session === null || !flags.yes) {
      const [plan, faults] = await planFor(await readJournalFile(flags.journal, io, true));
      return exitCodeOf(faults + showPlan(plan, baseUrl, teller));
    }
    return withJournal(flags.journal, session.io, async (journal) => {
      const [plan, faults] = await planFor(journal.things(), journal.checkpoint);
      const outcomes = push(plan, target, journal, session.service);
      return exitCodeOf(faults + (await reportPushes(plan, outcomes, flags, session)));
    });
  },
};

const exitCodeOf = (left: number) => (left === 0 ? exitCodes.complete : exitCodes.invalid);

/** Parses `<workflowId>=<file>` and adds it to the earlier pairs. */
function parsePair(text: string, before: ReadonlyMap<string, string> = new Map()) {
  const [, workflow, file] = /^([^=]+)=(.+)$/s.exec(text) ?? [];
  if (workflow && file) return new Map([...before, [workflow, file]]);
  throw new InvalidArgumentError('Expected <workflowId>=<file>.');
}

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

/** What names a workflow. Reports and counts what could not be listed. */
async function routesOf({ service, tell }: Session, checkpoint?: () => void) {
  const { routes, faults } = await listRoutes(service, checkpoint);
  for (const { kind, fault } of faults) {
    if (fault === 'more') tell(nouns[kind], 'platform/more');
    else if (fault === 'no-list') tell(nouns[kind], 'platform/not-json', 'a list was expected');
    else tell(nouns[kind], fault);
  }
  return [routes, faults.filter(({ fault }) => fault !== 'more').length] as const;
}

const nouns = { number: 'phone numbers', campaign: 'campaigns' } as const;

/** Shows what would be sent. Returns how much would be left to do. */
function showPlan({ squads, routes }: Plan, baseUrl: string, teller: Teller): number {
  let left = 0;
  for (const step of [...squads.flat(), ...routes]) {
    const outcome = settle(step);
    if (outcome !== null) report(outcome, teller);
    else teller.io.stdout.write(requestText(step, baseUrl));
    if (outcome !== null && !isThere(outcome)) left += 1;
  }
  teller.io.stderr.write('nothing was sent (--yes sends it)\n');
  return left;
}

/** The request, but no content: it may be secret. */
function requestText(step: Step, baseUrl: string): string {
  if ('route' in step) return routeText(step, baseUrl);
  const { push, kind, action, body, thing, name, fields } = step;
  const { members } = push.squad;
  const isSquad = kind === 'squad';
  const request =
    action === 'create' ? `POST ${baseUrl}/${kind}` : `PATCH ${baseUrl}/${kind}/${thing?.id}`;
  const size = `${Buffer.byteLength(JSON.stringify(body))} bytes`;
  const lines = [
    `${push.file}: ${request}, ${size}${isSquad ? `, ${count(members.length, 'member')}` : ''}`,
    ...(name === '' ? [] : [`  ${kind}: ${name}`]),
    ...(action === 'create' && isSquad ? members.map((member) => `  member: ${member}`) : []),
    ...fields.map((field) => `  changes: ${field}`),
  ];
  return printable(`${lines.join('\n')}\n`);
}

function routeText(step: RouteStep, baseUrl: string): string {
  const { kind, id, workflowId } = step.route;
  const to = step.action === 'leave' ? null : step.to;
  const squad = to?.id ? `squad ${to.id}` : `the squad of ${to?.file}`;
  const url = `${baseUrl}/${kinds[kind].path}/${id}`;
  return printable(`${subjectOf(step)}: PATCH ${url}: workflow ${workflowId} → ${squad}\n`);
}

function subjectOf({ route: { kind, name, id } }: RouteStep): string {
  return `${kind} ${name} (${id})`;
}

/** Reports what becomes of a plan. Returns how much is left to do. */
async function reportPushes(
  { squads, routes }: Plan,
  outcomes: AsyncIterable<Pushed>,
  { journal, numbers }: PushFlags,
  session: Session,
): Promise<number> {
  let [there, moved, left] = [0, 0, 0];
  for await (const pushed of outcomes) {
    report(pushed, session);
    if (!isThere(pushed)) left += 1;
    else if ('route' in pushed.step) moved += 1;
    else if (pushed.step.kind === 'squad') there += 1;
  }
  const { stderr } = session.io;
  if (squads.length > 0) {
    const all = `${there} of ${count(squads.length, 'squad')}`;
    stderr.write(`${all} ${there === 1 ? 'is' : 'are'} there; journal: ${journal}\n`);
  }
  if (numbers) {
    const all = `${moved} of ${routes.length} phone numbers and campaigns moved`;
    stderr.write(`${all}; journal: ${journal}\n`);
  }
  return left;
}

function report(pushed: Pushed, teller: Teller): void {
  const { step, kind, id, fault } = pushed;
  const subject = 'route' in step ? subjectOf(step) : '';
  if (!('route' in step)) reportPart(pushed, step, teller);
  else if (fault !== undefined) teller.tell(subject, fault);
  else if (kind === 'left')
    teller.tell(subject, 'push/unmapped', `workflow ${step.route.workflowId}`);
  else if (kind === 'not-tried') teller.tell(subject, 'platform/not-tried');
  else if (isThere(pushed)) {
    const what = `squad ${id} instead of workflow ${step.route.workflowId}`;
    teller.io.stdout.write(printable(`${subject}: ${what}\n`));
  }
}

function reportPart(
  { kind, id, fields = [], fault }: Pushed,
  step: PartStep,
  { io, tell }: Teller,
): void {
  const { push, thing, name, action } = step;
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
    if (action === 'create' && fault.outcome === 'unknown') unknown('the request was sent');
  }
}
