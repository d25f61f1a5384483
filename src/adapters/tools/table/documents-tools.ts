/**
 * The tools of the document operations that make sense in a call: processing one document, running
 * a workflow on it, and asking how far a run is.
 *
 * A caller names the document and the run. Which processor or workflow runs, and how, belongs to
 * the configuration. What was read out of a document is never said: anybody may have written it.
 */
import { type DocumentOperation, documentOperations } from '../../documents/operations.js';
import type { Sayable, ToolDefinition, ToolParameter } from './tool.js';
import { fixed, said, saying, toolOf } from './tool-of.js';
import { fileName, id, line, secureUrl, settings } from './values.js';

const required = true;

/** A document is given by its address, or the configuration has the id of a stored one. */
const document = [
  said('fileUrl', 'body', secureUrl, 'Address of the document. Only one that was given to you.', {
    required,
    unless: 'fileId',
    at: '/file/url',
  }),
  said('fileName', 'body', fileName, 'Name of the document, if the caller said one.', {
    unless: 'fileId',
    at: '/file/name',
  }),
  fixed('fileId', 'body', id, 'Id of a stored file, in place of an address.', { at: '/file/id' }),
  fixed('fileSettings', 'body', settings, 'How the file is read.', {
    unless: 'fileId',
    at: '/file/settings',
  }),
];

const config = fixed('config', 'body', settings, 'A configuration of its own.', { at: '/config' });

const metadata = fixed('metadata', 'body', settings, 'What the run keeps with it.', {
  at: '/metadata',
});

/** The stored processor that works on the document, or a configuration in its place. */
const processedBy = (noun: string): ToolParameter[] => [
  fixed(`${noun}Id`, 'body', id, `Id of the stored ${noun}.`, {
    required,
    unless: 'config',
    at: `/${noun}/id`,
  }),
  fixed('version', 'body', line(60), `Version of the stored ${noun}.`, {
    unless: 'config',
    at: `/${noun}/version`,
  }),
  fixed('overrideConfig', 'body', settings, `What is other than in the stored ${noun}.`, {
    unless: 'config',
    at: `/${noun}/overrideConfig`,
  }),
  config,
  metadata,
];

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

/** A tool that works on a document. It takes its time, which the assistant should say. */
function processing(
  operation: string,
  name: string,
  does: string,
  parameters: readonly ToolParameter[],
  more: readonly Sayable[] = [],
): ToolDefinition {
  return toolOf('documents', operationOf(operation), {
    name,
    description:
      `${does} Tell the caller that it takes a moment. Where it is not done in time you are ` +
      'told the id of the run: ask for its status later.',
    effect: 'processes',
    parameters,
    sayable: [...run, ...more],
  });
}

/** A tool that tells how far a run is. */
function status(
  group: string,
  name: string,
  noun: string,
  more: readonly Sayable[] = [],
): ToolDefinition {
  return toolOf('documents', operationOf(`${group}.get`), {
    name,
    description:
      `Tells how far the ${noun} of a document is. Call it with the id that you were told when ` +
      'it was started.',
    effect: 'reads',
    parameters: [said('id', 'path', id, `Id of the run, as you were told it.`)],
    sayable: [...run, ...more],
  });
}

function operationOf(id: string): DocumentOperation {
  const operation = documentOperations.find((each) => each.id === id);
  if (operation === undefined) throw new Error(`no operation ${id}`);
  return operation;
}

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
    [
      ...document,
      config,
      metadata,
      fixed('dataRetention', 'body', settings, 'How long the document is kept.', {
        at: '/dataRetention',
      }),
    ],
    chunks,
  ),
  processing(
    'workflowRuns.create',
    'run_document_workflow',
    'Sends a document through its steps.',
    [
      said(
        'fileUrl',
        'body',
        secureUrl,
        'Address of the document. Only one that was given to you.',
        {
          required,
          at: '/files/0/url',
        },
      ),
      said('fileName', 'body', fileName, 'Name of the document, if the caller said one.', {
        at: '/files/0/fileName',
      }),
      fixed('workflowId', 'body', id, 'Id of the workflow.', { required, at: '/workflowId' }),
    ],
  ),
  status('extractRuns', 'get_extraction_status', 'extraction'),
  status('classifyRuns', 'get_classification_status', 'classification', kind),
  status('splitRuns', 'get_split_status', 'splitting', sections),
  status('parseRuns', 'get_parse_status', 'reading', chunks),
  status('workflowRuns', 'get_workflow_status', 'processing', steps),
];
