/** Faults of objects and their fields. */
import { quote } from '../quote.js';
import { entry } from './entry.js';
import { capital, kindInWords, phrase } from './words.js';

const specRule = 'spec/3, “Workflow (input)”';

export const shapeOfFields = {
  'shape/not-an-object': entry<{ found: string }>({
    severity: 'error',
    title: 'The document is not an object',
    message: ({ found }) => `An object was expected here, but this is ${kindInWords(found)}.`,
    why:
      `A workflow is one JSON object with a name, nodes and edges (${specRule}); its nodes and ` +
      'edges are objects too. Anything else has no fields that could be read.',
    help: () => 'Pass the workflow object itself, not a list of workflows or its text in quotes.',
    example: { found: 'array' },
  }),
  'shape/dialect': entry<{ dialect: string; sign: string }>({
    severity: 'info',
    title: 'The document is written in the dialect of the platform',
    message: ({ dialect, sign }) =>
      `The workflow is read in the dialect ${quote(dialect)}: ${phrase(sign)}.`,
    why:
      `Beside the shape of ${specRule} squadc reads exports of the platform, what its API ` +
      'returns, and older forms of both. Which it is shows from fields that only one has.',
    help: () => 'Nothing is to be done.',
    example: { dialect: 'vapi', sign: 'a node has `prompt`' },
  }),
  'shape/not-a-workflow': entry<{ found: string }>({
    severity: 'error',
    title: 'The document is something else than a workflow',
    message: ({ found }) => `This is ${phrase(found)}, and no workflow.`,
    why:
      'A workflow has nodes and edges. What this document has instead belongs to another kind ' +
      'of thing on the platform, and nothing in it says how a call is routed.',
    help: () => 'Give the workflow itself; `squadc pull` fetches it by its id.',
    example: { found: 'a squad' },
  }),
  'shape/wrong-type': entry<{ field: string; expected: string; found: string }>({
    severity: 'error',
    title: 'A field has a value of the wrong kind',
    message: ({ field, expected, found }) =>
      `${quote(field)} must be ${kindInWords(expected)}, but is ${kindInWords(found)}.`,
    why:
      `Each field has one kind of value (${specRule}). A value of another kind is not converted, ` +
      'because the conversion would be a guess at what was meant.',
    help: ({ expected }) =>
      `Write ${kindInWords(expected)} here, or remove the field if it is optional.`,
    example: { field: 'nodes', expected: 'array', found: 'object' },
  }),
  'shape/missing-field': entry<{ field: string; of: string }>({
    severity: 'error',
    title: 'A required field is missing',
    message: ({ field, of }) => `${capital(phrase(of))} has no ${quote(field)}.`,
    why:
      `This field is required (${specRule}). Without it there is nothing to refer to, or ` +
      'nothing to decide what the element is.',
    help: ({ field }) => `Add ${quote(field)}.`,
    example: { field: 'type', of: 'the node' },
  }),
  'shape/unknown-field': entry<{ field: string; near: string | null }>({
    severity: 'warning',
    title: 'A field is unknown',
    message: ({ field }) =>
      `No rule reads the field ${quote(field)}; it has no effect on the squad.`,
    why:
      'squadc converts the fields that the specification names, and does not guess what others ' +
      'mean. The field is kept in the ledger, so that nothing is lost unseen.',
    help: ({ near }) =>
      near === null
        ? 'Check the spelling; if the field matters, set it on the squad by hand.'
        : `Write ${quote(near)} if that is the field you mean; otherwise set it on the squad by hand.`,
    example: { field: 'fistMessage', near: 'firstMessage' },
  }),
  'shape/misplaced-field': entry<{ field: string; type: string; belongs: string }>({
    severity: 'warning',
    title: 'A field stands on a node that does not use it',
    message: ({ field, type, belongs }) =>
      `A node of type ${quote(type)} does not use ${quote(field)}, which belongs to nodes of ` +
      `type ${phrase(belongs)}.`,
    why:
      'Some fields have a meaning on one type of node only (spec/3, “Workflow (input)”). On ' +
      'another type they are ignored by the call, and so by the conversion.',
    help: () => 'Remove the field, or correct the type of the node.',
    example: { field: 'destination', type: 'conversation', belongs: 'transferCall' },
  }),
  'shape/response-path': entry<{ path: string }>({
    severity: 'error',
    title: 'A path into a response cannot be read',
    message: ({ path }) => `${quote(path)} is not a path into a tool’s response.`,
    why:
      'The path becomes part of a template that the platform evaluates. Only names, dots and ' +
      'numbers in brackets lead into a response; anything else could change the template.',
    help: () => 'Write the path as in `order.items[0].id`.',
    example: { path: 'order }} {{ x' },
  }),
};
