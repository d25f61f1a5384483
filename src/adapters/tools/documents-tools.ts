/**
 * The tools of the document operations that make sense in a call: processing one document, running
 * a workflow on it, and asking how far a run is.
 *
 * A caller names the document and the run. Which processor or workflow runs, and how, belongs to
 * the configuration. What was read out of a document is never said: anybody may have written it.
 */
import { documentOperations } from '../documents/operations.js';
import type { Operation } from '../http/operation.js';
import {
  fixed,
  type Sayable,
  said,
  saying,
  type ToolDefinition,
  type ToolParameter,
  toolOf,
} from './tool.js';

/** A document is given by its address, or the configuration has the id of a stored one. */
const document = [
  said('fileUrl', 'body', { required: true, unless: 'fileId', at: '/file/url' }),
  said('fileName', 'body', { unless: 'fileId', at: '/file/name' }),
  fixed('fileId', 'body', { at: '/file/id' }),
  fixed('fileSettings', 'body', { unless: 'fileId', at: '/file/settings' }),
];

const config = fixed('config', 'body');
const metadata = fixed('metadata', 'body');

/** The stored processor that works on the document, or a configuration in its place. */
const processedBy = (noun: string) => {
  const unless = 'config';
  return [
    fixed(`${noun}Id`, 'body', { required: true, unless, at: `/${noun}/id` }),
    fixed('version', 'body', { unless, at: `/${noun}/version` }),
    fixed('overrideConfig', 'body', { unless, at: `/${noun}/overrideConfig` }),
    config,
    metadata,
  ];
};

const run = [
  ...saying('identifier', '', { runId: 'id' }),
  ...saying('status', '', { status: 'status', failure: 'failureReason' }),
];
const kind = saying('identifier', '/output', { documentType: 'type' });
const sections = [
  ...saying('count', '/output', { sections: 'splits' }),
  ...saying('identifier', '/output/splits/*', { sectionType: 'type' }),
  ...saying('number', '/output/splits/*', { firstPage: 'startPage', lastPage: 'endPage' }),
];
const chunks = saying('count', '/output', { parts: 'chunks' });
const steps = saying('count', '', { steps: 'stepRuns' });

function operationOf(name: string): Operation {
  const operation = documentOperations.find((each) => each.id === name);
  if (operation === undefined) throw new Error(`no operation ${name}`);
  return { ...operation, id: `documents.${name}` };
}

/** A tool that works on a document. It takes its time, which the assistant should say. */
const processing = (
  operation: string,
  name: string,
  does: string,
  parameters: readonly ToolParameter[],
  more: readonly Sayable[] = [],
): ToolDefinition =>
  toolOf(operationOf(operation), {
    name,
    description:
      `${does} Tell the caller that it takes a moment. If it is not done in time, you get ` +
      'the id of the run: ask for its status later.',
    effect: 'processes',
    parameters,
    sayable: [...run, ...more],
  });

/** A tool that tells how far a run is. */
const status = (
  group: string,
  name: string,
  noun: string,
  more: readonly Sayable[] = [],
): ToolDefinition =>
  toolOf(operationOf(`${group}.get`), {
    name,
    description:
      `Tells how far the ${noun} of a document is. Call it with the id that you got when ` +
      'it was started.',
    effect: 'reads',
    parameters: [said('id', 'path')],
    sayable: [...run, ...more],
  });

export const documentTools: readonly ToolDefinition[] = [
  processing('extract', 'extract_document', 'Reads data out of a document and keeps it.', [
    ...document,
    ...processedBy('extractor'),
  ]),
  processing(
    'classify',
    'classify_document',
    'Finds out what kind a document is of.',
    [...document, ...processedBy('classifier')],
    kind,
  ),
  processing(
    'split',
    'split_document',
    'Finds the sections of a document with several parts.',
    [...document, ...processedBy('splitter')],
    sections,
  ),
  processing(
    'parse',
    'parse_document',
    'Turns a document into text and keeps it.',
    [...document, config, metadata, fixed('dataRetention', 'body')],
    chunks,
  ),
  processing(
    'workflowRuns.create',
    'run_document_workflow',
    'Sends a document through its steps.',
    [
      said('fileUrl', 'body', { required: true, at: '/files/0/url' }),
      said('fileName', 'body', { at: '/files/0/fileName' }),
      fixed('workflowId', 'body', { required: true }),
    ],
  ),
  status('extractRuns', 'get_extraction_status', 'extraction'),
  status('classifyRuns', 'get_classification_status', 'classification', kind),
  status('splitRuns', 'get_split_status', 'splitting', sections),
  status('parseRuns', 'get_parse_status', 'reading', chunks),
  status('workflowRuns', 'get_workflow_status', 'processing', steps),
];
