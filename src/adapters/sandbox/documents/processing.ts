/**
 * Extraction, classification, splitting, parsing and editing, at once or as runs.
 *
 * A request at once is answered when its run has ended, which in the sandbox is immediately; how
 * slow it seems is a matter of the fault `latency`.
 */
import { type Answer, jsonAnswer, Refused } from '../answer.js';
import { type Call, isObject, type JsonObject, jsonObject, queryParameter, text } from '../call.js';
import type { Route } from '../routes.js';
import type { Downloads } from './downloads.js';
import { readFileReference } from './file-reference.js';
import type { Files, StoredFile } from './files.js';
import type { RunKind } from './kinds.js';
import type { Outcomes } from './outcome.js';
import { classifyOutput, extractOutput, parseOutput, splitOutput } from './output.js';
import { type Processors, type Version, versionOf } from './processors.js';
import type { RunRequest } from './run.js';
import { metadataIn, runRoutes } from './run-routes.js';
import type { Runs } from './runs.js';

export interface Workshop {
  readonly files: Files;
  readonly downloads: Downloads;
  readonly outcomes: Outcomes;
}

/** Reads the body of a request into what it starts. */
type ReadRequest = (call: Call, body: JsonObject) => RunRequest;

/** Routes of extract, classify and split. */
export function processorRunRoutes(
  runs: Runs,
  processors: Processors,
  { files, outcomes }: Workshop,
): Route[] {
  const { kind } = runs;
  const { noun } = processors.kind;
  const read: ReadRequest = (call, body) => {
    const file = readFileReference(body.file, files);
    const named = namedVersion(body[noun], processors);
    const config = configOf(body, noun, named);
    const processor = named && processors.collection.find(named.processorId);
    return {
      outcome: outcomes.decide(kind.name, call),
      metadata: metadataIn(body),
      makeOutput: () => outputOf(kind, config, file),
      facts: new Map([
        ['fileName', file.name],
        [`${noun}Id`, processor?.id ?? ''],
      ]),
      details: {
        config,
        [noun]: processor && processors.summary(processor),
        [`${noun}Version`]: named && processors.versionSummary(named),
        file: files.summary(file),
        ...unreviewed,
      },
    };
  };
  return [...startRoutes(runs, read), ...runRoutes(runs, ['get', 'list', 'delete', 'cancel'])];
}

/** What only people do to runs, and nobody does here. */
const unreviewed: JsonObject = {
  initialOutput: null,
  reviewedOutput: null,
  reviewed: false,
  edited: false,
  parseRunId: null,
  usage: { credits: 1 },
};

function outputOf({ name }: RunKind, config: JsonObject, file: StoredFile): object {
  if (name === 'extract') return extractOutput(config);
  return name === 'classify' ? classifyOutput(config) : splitOutput(config, file);
}

/** The version that a request names; null where it brings its configuration instead. */
function namedVersion(reference: unknown, { kind, collection }: Processors): Version | null {
  if (reference === undefined || reference === null) return null;
  if (!isObject(reference)) throw new Refused(400, `${kind.noun} must be an object`);
  const processor = collection.find(text(reference.id, `${kind.noun}.id`));
  const { version } = reference;
  return versionOf(processor, version === undefined ? 'latest' : text(version, 'version'));
}

function configOf(body: JsonObject, noun: string, named: Version | null): JsonObject {
  const { config } = body;
  if ((named === null) === (config === undefined)) {
    throw new Refused(400, `The body must have either ${noun} or config`);
  }
  const reference = body[noun];
  const override = isObject(reference) ? reference.overrideConfig : undefined;
  const chosen = override ?? config ?? named?.config;
  if (isObject(chosen)) return chosen;
  throw new Refused(400, 'config must be an object');
}

/** Routes of parse; the output goes into the answer, or to an address (`responseType=url`). */
export function parseRoutes(runs: Runs, { files, downloads, outcomes }: Workshop): Route[] {
  const read: ReadRequest = (call, body) => {
    const file = readFileReference(body.file, files);
    return {
      outcome: outcomes.decide('parse', call),
      metadata: metadataIn(body),
      makeOutput: () => parseOutput(file),
      facts: new Map([['fileName', file.name]]),
      details: { config: body.config ?? {}, file: files.summary(file), ...measured },
    };
  };
  const byAddress = (call: Call, answer: Answer): Answer => {
    const type = queryParameter(call, 'responseType') ?? 'json';
    if (type === 'json') return answer;
    if (type !== 'url') throw new Refused(400, 'responseType must be json or url');
    return atAddress(answer, downloads);
  };
  return [...startRoutes(runs, read), ...runRoutes(runs, ['get', 'delete'])].map((route) =>
    route.method === 'DELETE' || route.operation === 'parseRuns.create'
      ? route
      : { ...route, act: (call) => byAddress(call, route.act(call)) },
  );
}

const measured: JsonObject = {
  metrics: { processingTimeMs: 1, pageCount: 1 },
  usage: { credits: 1 },
};

function atAddress(answer: Answer, downloads: Downloads): Answer {
  const run = JSON.parse(Buffer.from(answer.body).toString());
  if (run.output === null) return jsonAnswer(answer.status, { ...run, outputUrl: null });
  const content = Buffer.from(JSON.stringify(run.output));
  const id = `${run.id}_output`;
  downloads.publish(id, { name: `${id}.json`, contentType: 'application/json', content });
  return jsonAnswer(answer.status, { ...run, output: null, outputUrl: downloads.addressOf(id) });
}

/** Routes of edit; the output is a file. */
export function editRoutes(runs: Runs, { files, downloads, outcomes }: Workshop): Route[] {
  const read: ReadRequest = (call, body) => {
    const file = readFileReference(body.file, files);
    return {
      outcome: outcomes.decide('edit', call),
      metadata: null,
      makeOutput: () => {
        const edited = files.add(`edited-${file.name}`, file.contentType, file.content);
        return {
          editedFile: { id: edited.id, presignedUrl: downloads.addressOf(edited.id) },
          filledValues: {},
        };
      },
      facts: new Map([['fileName', file.name]]),
      details: { config: body.config ?? {}, file: files.summary(file), ...measured },
    };
  };
  return [...startRoutes(runs, read), ...runRoutes(runs, ['get', 'delete'])];
}

/** A request at once, and one that starts a run. */
function startRoutes(runs: Runs, read: ReadRequest): Route[] {
  const { name, group, object } = runs.kind;
  const start = (begin: Runs['start']) => (call: Call) =>
    jsonAnswer(200, runs.render(begin(read(call, jsonObject(call)))));
  return [
    { operation: name, method: 'POST', template: `/${name}`, act: start(runs.complete) },
    {
      operation: `${group}.create`,
      method: 'POST',
      template: `/${object}s`,
      act: start(runs.start),
    },
  ];
}
