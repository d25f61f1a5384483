/**
 * The plan of a push: what has to be done about each squad, assistant, phone number and campaign.
 *
 * In: the squads in files, the journal, and what the platform lists. Out: steps in the order in which
 * they are taken. The plan is computed once and changes nothing: a dry run shows it, and `push`
 * carries it out.
 */
import { counted } from '../text/counted.js';
import { asObject } from '../text/json.js';
import { changedFields, digestOfValue, fieldsOf, type Made, type Thing } from './journal.js';
import { isId, kinds } from './service.js';

/** A squad in the platform's format. */
export interface Squad {
  readonly document: Readonly<Record<string, unknown>>;
  readonly name: string | null;
  /** Names of the inline assistants, and ids of saved ones. */
  readonly members: readonly string[];
}

export type SquadFault =
  | 'not-json'
  | 'not-object'
  /** `{ squad: … }`: a document of target squad. */
  | 'target-squad'
  | 'workflow'
  | 'no-members'
  | 'member'
  | 'same-names'
  /** A key of target squad that the platform rejects. */
  | 'member-overrides';

/** The squad in a text without byte order mark, or why the text is not one. */
export function readSquad(text: string): Squad | { readonly fault: SquadFault } {
  let value: unknown;
  try {
    value = JSON.parse(text);
    digestOfValue(value);
  } catch {
    // Includes documents that are nested too deeply to be sent.
    return { fault: 'not-json' };
  }
  const document = asObject(value);
  if (document !== value) return { fault: 'not-object' };
  if ('squad' in document) return { fault: 'target-squad' };
  if ('workflow' in document || 'nodes' in document) return { fault: 'workflow' };
  if ('memberOverrides' in document) return { fault: 'member-overrides' };
  const members = membersOf(document).map(({ assistant, assistantId }) => {
    const { name } = asObject(assistant);
    if (asObject(assistant) !== assistant)
      return typeof assistantId === 'string' ? assistantId : null;
    return typeof name === 'string' ? name : '(no name)';
  });
  if (members.length === 0) return { fault: 'no-members' };
  if (members.includes(null)) return { fault: 'member' };
  if (new Set(members).size < members.length) return { fault: 'same-names' };
  const name = typeof document['name'] === 'string' ? document['name'] : null;
  return { document, name, members: members as string[] };
}

function membersOf({ members }: Squad['document']) {
  return Array.isArray(members) ? members.map((each) => asObject(each)) : [];
}

/** A squad in a file. */
export interface Push {
  readonly file: string;
  readonly squad: Squad;
}

export interface PushTarget {
  readonly baseUrl: string;
  /** Creates each assistant on its own. */
  readonly saved: boolean;
  /** Repeats requests whose outcome is unknown. */
  readonly retryUnknown: boolean;
  /** Whether there is such a file. Standard input is none. */
  isFile(file: string): boolean;
  /** The id of the workflow that the squad in this file replaces, if a result next to it says so. */
  workflowOf(file: string): string | null;
  /** Files of squads by the ids of workflows that they replace; takes precedence. */
  readonly map: ReadonlyMap<string, string>;
}

/** A squad or an assistant that should exist. */
interface Part {
  readonly kind: 'assistant' | 'squad';
  readonly name: string;
  /** What is sent. The id of an assistant that does not exist yet is null. */
  readonly body: Readonly<Record<string, unknown>>;
}

/** What has to be done about a part. */
export interface PartStep extends Part {
  /** `doubt`: an earlier request may have created it; `skip`: or another part of its squad. */
  readonly action: 'none' | 'create' | 'update' | 'doubt' | 'skip';
  readonly push: Push;
  /** What the journal says about it. */
  readonly thing: Thing | undefined;
  /** The fields that change. */
  readonly fields: readonly string[];
  /** The step of the assistant that a member refers to, by the member's index. */
  readonly assistants: ReadonlyMap<number, PartStep>;
}

/** A phone number or a campaign that names a workflow. */
export interface Route {
  readonly kind: 'number' | 'campaign';
  readonly id: string;
  /** The number itself, or its name. */
  readonly name: string;
  readonly workflowId: string;
}

/** A squad that replaces a workflow. */
export interface Replacement {
  readonly file: string;
  /** The step that makes sure that the squad exists; null if this push does not touch it. */
  readonly step: PartStep | null;
  /** Null if the squad does not exist yet. */
  readonly id: string | null;
}

/**
 * What has to be done about a route. `leave`: no squad replaces its workflow; `skip`: its squad is
 * not there, and will not be.
 */
export type RouteStep = Move | { readonly action: 'leave'; readonly route: Route };

export interface Move {
  readonly action: 'move' | 'skip';
  readonly route: Route;
  readonly to: Replacement;
}

export type Step = PartStep | RouteStep;

export interface Plan {
  /** The steps for each squad; the last is the squad itself. */
  readonly squads: readonly (readonly PartStep[])[];
  readonly routes: readonly RouteStep[];
  readonly orphans: readonly Made[];
}

/** Plans the push of these squads, and the move of these routes. */
export function planPush(
  pushes: readonly Push[],
  routes: readonly Route[],
  journal: readonly Thing[],
  target: PushTarget,
): Plan {
  const things = journal.filter(({ baseUrl }) => baseUrl === target.baseUrl);
  const known = { things, taken: new Set<Thing>(), target };
  const files = new Map(pushes.map((each) => [each.file, each]));
  const squads = [...files.values()].map((each) => stepsFor(each, known));
  const made = things.filter(({ kind, state }) => kind === 'squad' && state === 'done');
  const planned = squads.map((steps): Replacement => {
    const step = steps.at(-1)!;
    return { file: step.push.file, step, id: existingId(step) };
  });
  const replacements = new Map<string, Replacement>();
  for (const each of [...made.map(({ file, id }) => ({ file, id, step: null })), ...planned]) {
    const own = target.workflowOf(each.file);
    if (own !== null && !target.map.has(own)) replacements.set(own, each);
    for (const [id, file] of target.map) if (file === each.file) replacements.set(id, each);
  }
  const isOrphan = (it: Thing): it is Made =>
    it.kind === 'assistant' && it.state === 'done' && files.has(it.file) && !known.taken.has(it);
  return {
    squads,
    orphans: things.filter(isOrphan),
    routes: routes.map((route) => {
      const to = replacements.get(route.workflowId);
      if (to === undefined) return { action: 'leave', route };
      const isSkipped = to.step?.action === 'doubt' || to.step?.action === 'skip';
      return { action: isSkipped ? 'skip' : 'move', route, to };
    }),
  };
}

function existingId({ action, thing }: PartStep): string | null {
  return action === 'none' || action === 'update' ? thing!.id : null;
}

/** What the journal says of the address, and which of it belongs to a part that is planned. */
interface Known {
  readonly things: readonly Thing[];
  readonly taken: Set<Thing>;
  readonly target: PushTarget;
}

function stepsFor(push: Push, known: Known): PartStep[] {
  const { document, name, members: names } = push.squad;
  const assistants = new Map<number, PartStep>();
  const members = membersOf(document).map(({ assistant, ...member }, at) => {
    if (!known.target.saved || assistant === undefined) return { assistant, ...member };
    const part = { kind: 'assistant', name: names[at]!, body: asObject(assistant) } as const;
    const step = { ...stepFor(part, push, known), assistants: new Map() };
    assistants.set(at, step);
    return { assistantId: existingId(step), ...member };
  });
  const squad = { kind: 'squad', name: name ?? '', body: { ...document, members } } as const;
  const own = { ...stepFor(squad, push, known), assistants };
  const steps = [...assistants.values(), own];
  if (!steps.some(({ action }) => action === 'doubt')) return steps;
  const isSkipped = ({ action }: PartStep) => action === 'create' || action === 'update';
  return steps.map((step) => (isSkipped(step) ? { ...step, action: 'skip' } : step));
}

/**
 * Finds a part in the journal by file and name. A squad without a file of its own is found by equal
 * content: what comes from standard input, and what was pushed from a file that was moved since.
 */
function stepFor(
  part: Part,
  push: Push,
  { things, taken, target }: Known,
): Omit<PartStep, 'assistants'> {
  const { kind, name, body } = part;
  const { file } = push;
  const hash = digestOfValue(body);
  const isSquad = kind === 'squad';
  const near = things.filter((each) => each.kind === kind);
  const isMoved = (each: Thing) => !target.isFile(file) || !target.isFile(each.file);
  const all = [
    ...near.filter((each) => isSquad && each.hash === hash && !taken.has(each) && isMoved(each)),
    ...near.filter((each) => each.file === file && (isSquad || each.name === name)),
  ];
  const made = all.findLast(({ state }) => state === 'done');
  const thing = made ?? all.findLast(({ state }) => state === 'unknown');
  if (thing !== undefined) taken.add(thing);
  const step = { ...part, push, thing, fields: [] };
  if (made !== undefined) {
    const fields = changedFields(made.versions[0]!.sent, fieldsOf(body));
    return { ...step, action: made.hash === hash ? 'none' : 'update', fields };
  }
  return { ...step, action: thing !== undefined && !target.retryUnknown ? 'doubt' : 'create' };
}

/** Those of the platform's phone numbers or campaigns that name a workflow. */
export function routesIn(listed: readonly unknown[], kind: Route['kind']): Route[] {
  return listed
    .map((each) => asObject(each))
    .flatMap(({ id, workflowId, number, sipUri, name }) => {
      if (!isId(id) || typeof workflowId !== 'string' || workflowId === '') return [];
      return [{ kind, id, name: String(number ?? sipUri ?? name ?? ''), workflowId }];
    });
}

/** The step in words, with its request but no content: it may be secret. */
export function describeStep(step: Step, baseUrl: string): string {
  if (step.action === 'leave') return '';
  if ('route' in step) {
    const { kind, id, workflowId } = step.route;
    const squad = step.to.id ? `squad ${step.to.id}` : `the squad of ${step.to.file}`;
    const url = `${baseUrl}/${kinds[kind].path}/${id}`;
    return `${subjectOf(step)}: PATCH ${url}: workflow ${workflowId} → ${squad}`;
  }
  const { push, kind, action, body, thing, name, fields } = step;
  const { members } = push.squad;
  const [isSquad, isNew] = [kind === 'squad', action === 'create'];
  const request = isNew ? `POST ${baseUrl}/${kind}` : `PATCH ${baseUrl}/${kind}/${thing?.id}`;
  const size = `${Buffer.byteLength(JSON.stringify(body))} bytes`;
  const many = isSquad ? `, ${counted(members.length, 'member')}` : '';
  return [
    `${push.file}: ${request}, ${size}${many}`,
    ...(name === '' ? [] : [`  ${kind}: ${name}`]),
    ...(isNew && isSquad ? members.map((member) => `  member: ${member}`) : []),
    ...fields.map((field) => `  changes: ${field}`),
  ].join('\n');
}

/** What a step is about, at the start of a message. */
export function subjectOf(step: Step): string {
  if ('route' in step) return `${step.route.kind} ${step.route.name} (${step.route.id})`;
  const { kind, push, name } = step;
  return kind === 'squad' ? push.file : `${push.file}: assistant ${name}`;
}
