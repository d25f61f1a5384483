/**
 * Carries out the plan of a push, one squad after the other. What does not exist is created, what
 * squadc created from an older version of the file is updated, and everything else is left alone.
 *
 * With `saved`, each inline assistant is created first, and the squad refers to it by id. Handoffs
 * refer to names, so no assistant has to know the ids of the others.
 * Invariants: a line is on the disk before its request is sent, so everything that may exist is
 * known; edits made on the platform are never overwritten.
 */
import { ApiError } from '../clients/http/error.js';
import { digestOfValue, editedFields, fieldsOf, type Journal, type Thing } from './journal.js';
import type { Move, PartStep, Plan, PushTarget, Step } from './plan.js';
import { describeStep } from './plan.js';
import { concernsAll, type Service } from './service.js';

/** What became of a step. */
export interface Pushed {
  readonly step: Step;
  readonly kind:
    | 'already'
    /** What a dry run says of a request. */
    | 'planned'
    | 'created'
    | 'updated'
    | 'doubtful'
    /** Somebody has edited these `fields` since. */
    | 'edited'
    | 'fault'
    /** The server says that it was created, but not its id. */
    | 'no-id'
    /** No squad replaces the workflow. */
    | 'left'
    | 'not-tried';
  /** Of the part, or of the squad that a route names now. */
  readonly id?: string | null;
  readonly fields?: readonly string[];
  readonly fault?: ApiError;
  /** The request that is planned. */
  readonly text?: string;
}

/** Whether the part exists on the platform after the step, or the route was moved. */
export function isThere({ kind }: Pushed): boolean {
  return kind === 'already' || kind === 'created' || kind === 'updated';
}

const settled = { none: 'already', doubt: 'doubtful', skip: 'not-tried', leave: 'left' } as const;

/** What becomes of a step that needs no request; null for others. */
function settle(step: Step): Pushed | null {
  if (!(step.action in settled)) return null;
  const kind = settled[step.action as keyof typeof settled];
  return 'thing' in step ? { step, kind, id: step.thing?.id ?? null } : { step, kind };
}

/** What `push` would do, as far as that is known without a request. */
export function preview({ squads, routes }: Plan, baseUrl: string): Pushed[] {
  return [...squads.flat(), ...routes].map(
    (step) => settle(step) ?? { step, kind: 'planned', text: describeStep(step, baseUrl) },
  );
}

/** What the steps of a push have in common. */
interface Run {
  readonly target: PushTarget;
  readonly journal: Journal;
  readonly service: Service;
  /** Ids of what is there as planned. */
  readonly ids: Map<PartStep, string>;
}

/** Takes all steps. If one fails, the rest of its squad is not tried, nor the routes to it. */
export async function* push(
  plan: Plan,
  target: PushTarget,
  journal: Journal,
  service: Service,
): AsyncGenerator<Pushed> {
  const run: Run = { target, journal, service, ids: new Map() };
  let stopped = false;
  for (const steps of plan.squads) {
    let failed: Pushed | null = null;
    for (const step of stopped ? [] : steps) failed ??= await obstacleTo(step, run);
    if (failed !== null) yield failed;
    for (const step of steps) {
      if (failed?.step === step) continue;
      const isTried = !stopped && failed === null;
      const pushed: Pushed =
        settle(step) ?? (isTried ? await send(step, run) : { step, kind: 'not-tried' });
      if (step.action === 'none') await adopt(step, run);
      yield pushed;
      if (!isThere(pushed)) failed ??= pushed;
      else if (failed === null && pushed.id) run.ids.set(step, pushed.id);
    }
    stopped ||= concernsAll(failed?.fault);
  }
  for (const step of plan.routes) {
    const pushed: Pushed =
      settle(step) ?? (stopped ? { step, kind: 'not-tried' } : await move(step as Move, run));
    stopped ||= concernsAll(pushed.fault);
    yield pushed;
  }
}

/** Why a part cannot be changed; checked before the first request for a squad. */
async function obstacleTo(step: PartStep, { journal, service }: Run): Promise<Pushed | null> {
  if (step.action !== 'update') return null;
  const { id, versions } = step.thing!;
  journal.checkpoint();
  const answer = await service.read(step.kind, id!);
  if (answer instanceof ApiError) return { step, kind: 'fault', fault: answer };
  const fields = editedFields(versions, fieldsOf(answer));
  return fields.length === 0 ? null : { step, kind: 'edited', id, fields };
}

async function send(step: PartStep, run: Run): Promise<Pushed> {
  const { action, thing, kind, name, push } = step;
  const known = action === 'update' ? thing : undefined;
  const { baseUrl } = run.target;
  const facts = { kind, name, baseUrl, file: push.file, id: known?.id ?? null };
  return { step, ...(await record(facts, bodyOf(step, run), known, run)) };
}

/** Records the new file of a squad whose file was moved since the last push. */
async function adopt({ thing, push: { file } }: PartStep, { target, journal }: Run) {
  if (thing!.file !== file && target.isFile(file)) await journal.write({ ...thing!, file });
}

/** The body with the ids of the assistants that were created before it. */
function bodyOf({ body, assistants }: PartStep, { ids }: Run) {
  if (assistants.size === 0) return body;
  const members = (body['members'] as object[]).map((member, at) => {
    const step = assistants.get(at);
    return step === undefined ? member : { ...member, assistantId: ids.get(step) };
  });
  return { ...body, members };
}

/** Makes the route name the squad, unless the squad is not there. */
async function move(step: Move, run: Run): Promise<Pushed> {
  const { route, to } = step;
  const squadId = to.step === null ? to.id : run.ids.get(to.step);
  if (!squadId) return { step, kind: 'not-tried' };
  const { baseUrl } = run.target;
  const isSame = (it: Thing) =>
    it.kind === route.kind && it.id === route.id && it.baseUrl === baseUrl && mayExist(it);
  const known = run.journal.things().find(isSame);
  const facts = { ...route, squadId, file: to.file, baseUrl };
  return { step, ...(await record(facts, { squadId, workflowId: null }, known, run)), id: squadId };
}

/** Whether it is there, or a request for it may have acted. */
export const mayExist = ({ state }: Thing) => state === 'done' || state === 'unknown';

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
async function record(
  facts: Omit<Thing, 'thing' | 'at' | 'state' | 'hash' | 'versions'>,
  body: PartStep['body'],
  known: Thing | undefined,
  { journal, service }: Run,
): Promise<Omit<Pushed, 'step'>> {
  journal.checkpoint();
  const sent = fieldsOf(body);
  const thing = known?.thing ?? journal.things().length + 1;
  const fresh = { ...facts, thing, hash: digestOfValue(body), versions: [{ sent }] };
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
