/** `squadc push`: creates or updates squads on the platform, and moves phone numbers to them. */
import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { redact } from '../../compiler/ir/secrets.js';
import { digestOfValue, type Journal, type Made } from '../../platform/journal.js';
import {
  type Push,
  type PushTarget,
  planPush,
  type Route,
  readSquad,
  routesIn,
  subjectOf,
} from '../../platform/plan.js';
import { isThere, type Pushed, preview, push } from '../../platform/push.js';
import { describeUndo } from '../../platform/rollback.js';
import type { CommandData } from '../command.js';
import { faultText } from '../faults.js';
import { readInput, refuseTwoStandardInputs, standardInput } from '../files.js';
import { type Environment, type ExitCode, exitCodes, type Io, Refusal, WrongUsage } from '../io.js';
import { pairs } from '../options.js';
import { printable } from '../output/terminal.js';
import {
  pathFrom,
  readJournalFile,
  undoAll,
  withJournal,
  workflowOf,
} from '../platform/journal.js';
import {
  hasKey,
  journalOption,
  listAll,
  onlyOption,
  onlyThese,
  type PlatformFlags,
  platformOptions,
  sessionFor,
  type Teller,
  targetOf,
  tellerFor,
  translate,
  usualAddress,
} from '../platform/session.js';

interface PushFlags extends PlatformFlags {
  readonly saved?: boolean;
  readonly prune?: true;
  readonly numbers?: true;
  readonly map?: readonly (readonly [workflow: string, file: string])[];
  readonly only?: readonly string[];
  readonly yes?: true;
  readonly retryUnknown?: boolean;
}

export const command: CommandData<[files: string[]], PushFlags> = {
  description:
    'Creates squads from files for the target vapi. A squad that was pushed from the same file ' +
    'before is updated, unless somebody has edited it on the platform. Without --yes, nothing ' +
    'is sent. A journal keeps what squadc rollback undoes.',
  arguments: { '[files...]': 'squads as squadc compile --target vapi writes them' },
  hasConfig: true,
  options: {
    'Requests:': {
      '--yes': 'send the requests',
      '--saved': 'create each assistant on its own',
      '--prune': 'delete assistants that a squad no longer has',
      '--retry-unknown': 'retry unknown outcomes; may create duplicates',
      ...journalOption,
    },
    'Phone numbers:': {
      '--numbers':
        'move phone numbers and scheduled campaigns, too; lists those of workflows without a squad',
      ...onlyOption,
      '--map <workflowId=file>': [
        'squad of a workflow that had no id (repeatable)',
        (it) => it.argParser(pairs('<workflowId>=<file>', 'wf-1=squad.json')),
      ],
    },
    'Platform:': platformOptions,
  },
  exits: [130],
  examples: [
    'squadc push out/*/squad.json --saved',
    'squadc push out/*/squad.json --env prod --yes',
    'squadc push out/*/squad.json --saved --numbers --yes',
  ],
  async action([files], flags, context) {
    refuseTwoStandardInputs(files);
    if (files.length === 0 && !flags.numbers) throw new WrongUsage('name a file, or --numbers');
    for (const flag of ['map', 'only'] as const) {
      if (flags[flag] && !flags.numbers) throw new WrongUsage(`--${flag} is for --numbers`);
    }
    const org = targetOf(flags, context);
    const needsKey = flags.yes || flags.numbers || hasKey(org);
    const session = needsKey ? await sessionFor(org, context.io) : null;
    const teller = session ?? tellerFor(context.io);
    const baseUrl = org.baseUrl ?? usualAddress;
    const { io } = teller;
    // The files of a journal are relative to its folder.
    const base = dirname(resolve(io.cwd, org.journal));
    const nameOf = (path: string) => pathFrom(base, resolve(io.cwd, path));
    const pushes = await readPushes(files, nameOf, org.environment, io);
    const map = new Map((flags.map ?? []).map(([id, path]) => [id, nameOf(path)]));
    const { saved = false, retryUnknown = false } = flags;
    const target: PushTarget = {
      ...{ baseUrl, saved, retryUnknown, map },
      isFile: (file) => existsSync(resolve(base, file)),
      workflowOf: (file) => workflowOf(file, base),
    };
    const perform = async (journal: Journal | null): Promise<ExitCode> => {
      const things = journal?.things() ?? (await readJournalFile(org.journal, io, true));
      const known = new Set([...pushes, ...things].map(({ file }) => file));
      const wrong = [...map.values()].find((file) => !known.has(file));
      if (wrong !== undefined) throw new WrongUsage(`--map names ${wrong}, which is not pushed`);
      const routes: Route[] = [];
      let left = 0;
      for (const kind of flags.numbers ? (['number', 'campaign'] as const) : []) {
        journal?.checkpoint();
        const listed = await listAll(session!, kind);
        if (listed === null) left += 1;
        else routes.push(...routesIn(listed, kind));
      }
      const plan = planPush(pushes, onlyThese(routes, flags), things, target);
      const outcomes = journal
        ? push(plan, target, journal, session!.service)
        : preview(plan, baseUrl);
      const there = new Set<string>();
      let moved = 0;
      for await (const pushed of outcomes) {
        report(pushed, teller);
        if (!isThere(pushed)) left += pushed.kind === 'planned' ? 0 : 1;
        else if ('route' in pushed.step) moved += 1;
        else if (pushed.step.kind === 'squad') there.add(pushed.step.push.file);
      }
      // A squad that could not be changed still names them.
      const isPruned = ({ file }: Made) => flags.prune && (!journal || there.has(file));
      for (const { file, kind, id, name } of plan.orphans.filter((it) => !isPruned(it))) {
        teller.tell(`${file}: ${kind} ${id} (${name})`, 'push/orphan');
      }
      const gone = plan.orphans.filter(isPruned);
      if (journal) left += gone.length - (await undoAll(gone, journal, session!));
      else for (const each of gone) io.stdout.write(printable(`${describeUndo(each)}\n`));
      const say = (what: string) => io.stderr.write(`${what}; journal: ${org.journal}\n`);
      if (!journal) io.stderr.write('Dry run: nothing was sent. Add --yes to send.\n');
      else if (plan.squads.length > 0)
        say(`${there.size} of ${plan.squads.length} squads up to date`);
      const routesThere = `${moved} of ${plan.routes.length} phone numbers and campaigns moved`;
      if (journal && flags.numbers) say(routesThere);
      return left === 0 ? exitCodes.complete : exitCodes.invalid;
    };
    return flags.yes ? withJournal(org.journal, io, perform) : perform(null);
  },
};

/** The squads in the order of their files. The refusal names every file without a valid squad. */
async function readPushes(
  files: readonly string[],
  nameOf: (path: string) => string,
  environment: Environment,
  io: Io,
): Promise<readonly Push[]> {
  const pushes: Push[] = [];
  const refused: string[] = [];
  for (const path of files) {
    try {
      const squad = readSquad(await readInput(path, io));
      const isStdin = path === standardInput;
      const name = isStdin ? 'standard input' : nameOf(path);
      if ('fault' in squad) refused.push(faultText(name, `push/${squad.fault}`).trimEnd());
      else {
        const { document, unmapped } = translate(squad.document, environment);
        if (unmapped[0]) refused.push(faultText(name, 'push/unmapped-id', unmapped).trimEnd());
        // Standard input has no path, so a squad from there is recognized by its content.
        const digest = isStdin ? ` ${digestOfValue(squad.document).slice(0, 8)}` : '';
        pushes.push({ file: `${name}${digest}`, squad: { ...squad, document } });
      }
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      refused.push(error.message);
    }
  }
  if (refused.length === 0) return pushes;
  throw new Refusal([...refused, 'nothing was sent'].join('\n'));
}

function report({ step, kind, id, fields = [], fault, text }: Pushed, { io, tell }: Teller): void {
  const subject = subjectOf(step);
  const done = (what: string) => io.stdout.write(printable(`${what}\n`));
  if (text !== undefined) done(text);
  else if (kind === 'not-tried') tell(subject, 'api/not-tried');
  else if ('route' in step) {
    const { workflowId } = step.route;
    if (fault !== undefined) tell(subject, fault);
    else if (kind === 'left') tell(subject, 'push/unmapped', `workflow ${workflowId}`);
    else done(`${subject} now uses squad ${id} (was workflow ${workflowId})`);
  } else {
    const { push, thing, name, action } = step;
    const { file, squad } = push;
    const made = `${step.kind} ${id ?? thing?.id}${step.kind === 'squad' ? '' : ` (${name})`}`;
    const changes = step.fields.map((field) => `\n  changed: ${field}`).join('');
    const unknown = (why: string) =>
      tell(subject, 'push/unknown', `${step.kind} ${JSON.stringify(name)}`, why);
    if (kind === 'already') done(`${file}: already pushed as ${made}; no changes`);
    else if (kind === 'created') done(`${file}: created ${made}`);
    else if (kind === 'updated') done(`${file}: changed ${made}${changes}`);
    else if (kind === 'edited') tell(subject, 'push/edited', made, ...fields);
    else if (kind === 'doubtful') unknown(`requested at ${thing?.at}`);
    else if (kind === 'no-id') unknown('the server accepted it, but its response has no id');
    else if (fault !== undefined) {
      // The server may echo the request, so this hides the secrets of the squad.
      const { said } = redact({ squad: squad.document, said: fault.serviceMessage });
      tell(subject, Object.assign(Object.create(fault), { serviceMessage: said }));
      if (action === 'create' && fault.outcome === 'unknown') unknown('the request was sent');
    }
  }
}
