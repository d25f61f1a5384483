/**
 * Workflows and their runs, in both forms: `{ workflowId, files }` of the specification, and
 * `{ workflow: { id }, file }` of today.
 */
import { jsonAnswer, Refused } from '../answer.js';
import { type Call, isObject, type JsonObject, jsonObject, pathParameter, text } from '../call.js';
import { timestamp } from '../clock.js';
import type { Route } from '../routes.js';
import { type Collection, createCollection, type Resource } from './collection.js';
import { readFileReference } from './file-reference.js';
import type { StoredFile } from './files.js';
import type { Workshop } from './processing.js';
import type { RunRequest } from './run.js';
import { metadataIn, runRoutes } from './run-routes.js';
import type { Runs } from './runs.js';
import type { Webhooks } from './webhooks.js';
import type { Workspace } from './workspace.js';

/** Which forms are understood. */
export type Wire = 'spec' | 'current' | 'both';

interface Workflow extends Resource {
  readonly name: string;
  readonly steps: readonly JsonObject[];
}

export interface WorkflowParts extends Workshop {
  readonly workspace: Workspace;
  readonly webhooks: Webhooks;
  readonly wire: Wire;
}

export function workflowRoutes(runs: Runs, parts: WorkflowParts): Route[] {
  const office: Office = { ...parts, runs, workflows: createCollection('workflow') };
  const route = (operation: string, template: string, act: Act): Route => ({
    operation,
    method: 'POST',
    template,
    act: (call) => jsonAnswer(200, act(office, call)),
  });
  return [
    route('workflows.create', '/workflows', createWorkflow),
    route('workflowRuns.create', '/workflow_runs', createRun),
    route('workflowRuns.createBatch', '/workflow_runs/batch', createBatch),
    route('workflowRuns.update', '/workflow_runs/{id}', updateRun),
    ...runRoutes(runs, ['get', 'list', 'delete', 'cancel']),
  ];
}

/** What the operations work with. */
interface Office extends WorkflowParts {
  readonly runs: Runs;
  readonly workflows: Collection<Workflow>;
}

type Act = (office: Office, call: Call) => unknown;

const createWorkflow: Act = ({ workspace, workflows }, call) => {
  const body = jsonObject(call);
  const workflow = { name: text(body.name, 'name'), steps: objectsIn(body.steps ?? [], 'steps') };
  return render(workflows.add({ ...workspace.born('workflow_'), ...workflow }));
};

const createRun: Act = (office, call) => {
  const { runs, files, wire } = office;
  const body = jsonObject(call);
  const workflow = workflowIn(office, body);
  const used = filesIn(body, wire).map((each) => readFileReference(each, files));
  const wanted = { workflow, used, metadata: metadataIn(body), batchId: null };
  return runs.render(runs.start(requestOf(office, call, wanted)));
};

/** Nothing of a batch starts unless all of it can. */
const createBatch: Act = (office, call) => {
  const { runs, files, wire, workspace } = office;
  const body = jsonObject(call);
  const workflow = workflowIn(office, body);
  const inputs = batchIn(body, wire).map((each) => ({
    used: [readFileReference(each.file, files)],
    metadata: metadataIn(each),
  }));
  const { id: batchId } = workspace.born('batch_');
  for (const each of inputs) {
    runs.start(requestOf(office, call, { ...each, workflow, batchId }));
  }
  return { batchId };
};

const updateRun: Act = ({ runs }, call) => {
  const id = pathParameter(call, 'id');
  const { metadata, details } = runs.collection.find(id);
  const body = jsonObject(call);
  const named = body.name === undefined ? {} : { name: text(body.name, 'name') };
  const changed = {
    metadata: body.metadata === undefined ? metadata : metadataIn(body),
    details: { ...details, ...named },
  };
  return runs.render(runs.update(id, changed));
};

interface WantedRun {
  readonly workflow: Workflow;
  readonly used: readonly StoredFile[];
  readonly metadata: JsonObject | null;
  readonly batchId: string | null;
}

function requestOf(office: Office, call: Call, wanted: WantedRun): RunRequest {
  const { workflow, used, metadata, batchId } = wanted;
  return {
    outcome: office.outcomes.decide('workflow', call),
    metadata,
    makeOutput: () => runSteps(workflow, office),
    facts: new Map([
      ['fileName', used.map(({ name }) => name).join('\n')],
      ['workflowId', workflow.id],
      ['batchId', batchId ?? ''],
    ]),
    details: {
      workflow: { object: 'workflow', id: workflow.id, name: workflow.name },
      batchId,
      files: used.map(office.files.summary),
    },
  };
}

function render({ id, name, steps, createdAt, updatedAt }: Workflow): object {
  return {
    object: 'workflow',
    id,
    name,
    createdAt: timestamp(createdAt),
    updatedAt: timestamp(updatedAt),
    draftVersion: { object: 'workflow_version', version: 'draft', workflowId: id, steps },
  };
}

/** The runs of the steps; each is told before the run itself ends. */
function runSteps({ steps }: Workflow, { workspace, webhooks }: WorkflowParts): object[] {
  return steps.map((step) => {
    const type = String(step.type ?? 'EXTRACT');
    const stepRun = {
      object: 'workflow_step_run',
      id: workspace.born('workflow_step_run_').id,
      stepType: type,
      step: { object: 'workflow_step', name: step.name ?? type, type },
      status: 'PROCESSED',
      result: {},
    };
    webhooks.emit('workflow_run.step_run.processed', stepRun);
    return stepRun;
  });
}

function workflowIn({ workflows, wire }: Office, body: JsonObject): Workflow {
  return workflows.find(workflowIdIn(body, wire));
}

function workflowIdIn({ workflow, workflowId }: JsonObject, wire: Wire): string {
  if (wire !== 'current' && workflowId !== undefined) return text(workflowId, 'workflowId');
  if (wire !== 'spec' && isObject(workflow)) return text(workflow.id, 'workflow.id');
  throw new Refused(400, `The body must have ${wire === 'current' ? 'workflow' : 'workflowId'}`);
}

function filesIn({ file, files }: JsonObject, wire: Wire): readonly JsonObject[] {
  if (wire !== 'current' && files !== undefined) return objectsIn(files, 'files');
  if (wire !== 'spec' && isObject(file)) return [file];
  throw new Refused(400, `The body must have ${wire === 'current' ? 'file' : 'files'}`);
}

/** A batch of today has `inputs`; of the specification's only its files are known. */
function batchIn({ inputs, files }: JsonObject, wire: Wire): readonly JsonObject[] {
  if (wire !== 'spec' && inputs !== undefined) return objectsIn(inputs, 'inputs');
  if (wire === 'current') throw new Refused(400, 'The body must have inputs');
  return objectsIn(files, 'files').map((file) => ({ file }));
}

function objectsIn(value: unknown, name: string): readonly JsonObject[] {
  if (Array.isArray(value) && value.every(isObject)) return value;
  throw new Refused(400, `${name} must be an array of objects`);
}
