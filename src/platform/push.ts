/**
 * Pushes squads to the platform, one after the other. What does not exist is created, what squadc
 * created from an older version of the file is updated, and everything else is left alone.
 *
 * With `saved`, each inline assistant is created first, and the squad refers to it by id. Handoffs
 * refer to names, so no assistant has to know the ids of the others.
 * Invariants: a line is on the disk before its request is sent, so everything that may exist is
 * known; edits made on the platform are never overwritten.
 */
import { ApiError } from '../adapters/http/error.js';
import { changedFields, digestOf, editedFields, fieldsOf } from './fields.js';
import type { Journal, Thing } from './journal.js';
import { concernsAll, type Kind, recordOf, type Service } from './service.js';

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
    digestOf(value);
  } catch {
    // Includes documents that are nested too deeply to be sent.
    return { fault: 'not-json' };
  }
  const document = recordOf(value);
  if (document !== value) return { fault: 'not-object' };
  if ('squad' in document) return { fault: 'target-squad' };
  if ('workflow' in document || 'nodes' in document) return { fault: 'workflow' };
  if ('memberOverrides' in document) return { fault: 'member-overrides' };
  const members = membersOf(document).map(({ assistant, assistantId }) => {
    const { name } = recordOf(assistant);
    if (recordOf(assistant) !== assistant)
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
  return Array.isArray(members) ? members.map(recordOf) : [];
}

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
}

/** A squad or an assistant that should exist. */
interface Part {
  readonly kind: Kind;
  readonly name: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/** What has to be done about a part. */
export interface Step extends Part {
  readonly push: Push;
  /** `none`: it exists; `doubt`: an earlier request may have created it. */
  readonly act: 'none' | 'create' | 'update' | 'doubt';
  /** What the journal says about it. */
  readonly thing: Thing | undefined;
  /** The fields that change. */
  readonly fields: readonly string[];
}

/** The steps for a squad, according to the journal; the last is the squad itself. */
export function planPush(push: Push, things: readonly Thing[], target: PushTarget): Step[] {
  const steps: Step[] = [];
  const { document, name } = push.squad;
  const members = membersOf(document).map(({ assistant, ...member }, at) => {
    if (!target.saved || assistant === undefined) return { assistant, ...member };
    const part = { kind: 'assistant', name: push.squad.members[at]! } as const;
    const step = stepFor({ ...part, body: recordOf(assistant) }, push, things, target);
    steps.push(step);
    // If it does not exist yet, it will have its id before the squad is sent.
    const isThere = step.act === 'none' || step.act === 'update';
    return { assistantId: isThere ? step.thing?.id : null, ...member };
  });
  const squad = { kind: 'squad', name: name ?? '', body: { ...document, members } } as const;
  return [...steps, stepFor(squad, push, things, target)];
}

/** Finds a part by file and name; a squad also by equal content. */
function stepFor(part: Part, push: Push, things: readonly Thing[], target: PushTarget): Step {
  const { kind, name, body } = part;
  const hash = digestOf(body);
  const near = things.filter((each) => each.kind === kind && each.baseUrl === target.baseUrl);
  const own = near.filter(
    (each) => each.file === push.file && (kind === 'squad' || each.name === name),
  );
  const all = kind === 'squad' ? [...near.filter((each) => each.hash === hash), ...own] : own;
  const made = all.findLast(({ state }) => state === 'done');
  const doubtful = all.findLast(({ state }) => state === 'unknown');
  const step = { ...part, push, fields: [] };
  if (made !== undefined) {
    const fields = changedFields(made.versions[0]!.sent, fieldsOf(body));
    const act = made.hash === hash ? 'none' : 'update';
    return { ...step, act, thing: made, fields };
  }
  const act = doubtful !== undefined && !target.retryUnknown ? 'doubt' : 'create';
  return { ...step, act, thing: doubtful };
}

/** What became of a step. */
export interface Pushed {
  readonly step: Step;
  readonly kind:
    | 'already'
    | 'created'
    | 'updated'
    | 'doubtful'
    /** Somebody has edited these `fields` since. */
    | 'edited'
    | 'fault'
    /** The server says that it was created, but not its id. */
    | 'no-id'
    | 'not-tried';
  readonly id?: string | null;
  readonly fields?: readonly string[];
  readonly fault?: ApiError;
}

/** Whether the part exists on the platform after the step. */
export function isThere({ kind }: Pushed): boolean {
  return kind === 'already' || kind === 'created' || kind === 'updated';
}

/** Takes the steps of all squads; if one fails, the rest of its squad is not tried. */
export async function* push(
  pushes: readonly Push[],
  target: PushTarget,
  journal: Journal,
  service: Service,
): AsyncGenerator<Pushed> {
  let stopped = false;
  for (const each of pushes) {
    const planned = planPush(each, journal.things(), target);
    let failed: Pushed | null = null;
    for (const step of stopped ? [] : planned) failed ??= await obstacleTo(step, service);
    if (failed !== null) yield failed;
    for (const at of planned.keys()) {
      // Planned again, now that the ids of earlier parts are known.
      const step = planPush(each, journal.things(), target)[at]!;
      if (failed?.step.name === step.name && failed.step.kind === step.kind) continue;
      const isTried = !stopped && failed === null;
      const pushed: Pushed = isTried
        ? await take(step, target, journal, service)
        : { step, kind: 'not-tried' };
      yield pushed;
      if (isTried && !isThere(pushed)) failed = pushed;
    }
    stopped ||= failed?.fault !== undefined && concernsAll(failed.fault);
  }
}

/** Why a part cannot be changed; checked before the first request for a squad. */
async function obstacleTo(step: Step, service: Service): Promise<Pushed | null> {
  if (step.act !== 'update') return null;
  const { id, versions } = step.thing!;
  const answer = await service.read(step.kind, id!);
  if (answer instanceof ApiError) return { step, kind: 'fault', fault: answer };
  const fields = editedFields(versions, fieldsOf(answer));
  return fields.length === 0 ? null : { step, kind: 'edited', id, fields };
}

async function take(
  step: Step,
  { baseUrl }: PushTarget,
  journal: Journal,
  service: Service,
): Promise<Pushed> {
  const { act, thing, kind, name, body, push } = step;
  const id = thing?.id ?? null;
  if (act === 'none') return { step, kind: 'already', id };
  if (act === 'doubt') return { step, kind: 'doubtful' };
  const known = act === 'update' ? thing : undefined;
  const facts = { kind, name, baseUrl, file: push.file, id: known?.id ?? null };
  return { step, ...(await record(facts, body, known, journal, service)) };
}

/** The result of a request could not be written down; the journal has it as unknown. */
export class UnrecordedResult extends Error {
  override readonly name = 'UnrecordedResult';

  constructor(
    readonly what: string | null,
    override readonly cause: unknown,
  ) {
    super('the result of a request could not be written to the journal');
  }
}

/**
 * Sends a request that creates or changes something, and writes down before that it may have acted,
 * and after what has become of it. `known` is what the journal says of what is changed.
 */
export async function record(
  facts: Omit<Thing, 'thing' | 'at' | 'state' | 'hash' | 'versions'>,
  body: Part['body'],
  known: Thing | undefined,
  journal: Journal,
  service: Service,
): Promise<Pick<Pushed, 'kind' | 'id' | 'fault'>> {
  const sent = fieldsOf(body);
  const thing = known?.thing ?? journal.things().length + 1;
  const fresh = { ...facts, thing, hash: digestOf(body), versions: [{ sent }] };
  const isUpdate = known?.state === 'done' && facts.squadId === undefined;
  const versions = [...(known?.versions ?? []), { sent }];
  await journal.write(isUpdate ? { ...known, versions } : { ...fresh, state: 'unknown' });
  // A field that is no longer sent has to be null: if it were left out, it would stay.
  const before = Object.keys(known?.versions[0]?.sent ?? {}).map((field) => field.split('.')[0]!);
  const gone = before.filter((field) => !(field in body)).map((field) => [field, null] as const);
  const isChange = facts.id !== null;
  const answer = isChange
    ? await service.update(facts.kind, facts.id, { ...Object.fromEntries(gone), ...body })
    : await service.create(facts.kind, body);
  const fault = answer instanceof ApiError ? answer : null;
  // A change that was accepted counts even if the rest of the response is lost.
  const isAccepted = isChange && (fault === null || fault.outcome === 'applied');
  const id = service.idOf(answer) ?? (isAccepted ? facts.id : null);
  try {
    if (id !== null) {
      const held = fieldsOf(fault === null ? answer : {});
      const isShown = Object.keys(sent).some((field) => field in held);
      const version = isShown ? { sent, held } : { sent };
      await journal.write({ ...fresh, id, state: 'done', versions: [version] });
    } else if (fault?.outcome === 'refused' || fault?.outcome === 'not-sent') {
      await journal.write(known ?? { ...fresh, state: 'refused' });
    }
  } catch (error) {
    throw new UnrecordedResult(id === null ? null : `${facts.kind} ${id}`, error);
  }
  if (id !== null) return { kind: isChange ? 'updated' : 'created', id };
  return fault === null || fault.outcome === 'applied'
    ? { kind: 'no-id' }
    : { kind: 'fault', fault };
}
