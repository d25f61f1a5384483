/** Findings about the document itself: its text, its values, its fields, its nodes. */
import { error, info, kindInWords, phrase, warning } from '../sentence.js';

export const shape = {
  'shape/not-json': error<{ reason: string }>(
    ({ reason }) =>
      syntax.has(reason)
        ? `The text is not JSON: ${syntax.get(reason)}.`
        : `This value cannot be written as JSON: ${kindInWords(reason)}.`,
    ({ reason }) =>
      syntaxHelp.get(reason) ??
      (syntax.has(reason) ? correctIt : 'Replace it with a JSON value, or remove the field.'),
    { reason: 'comma-expected' },
  ),
  'shape/duplicate-key': error(
    'The key {key} appears twice in the same object.',
    'Keep one {key} and remove or rename the other.',
  ),
  'shape/reserved-name': error(
    '{name} cannot be used as a key, an id or a variable name.',
    'Choose another name, and change it everywhere this one is used.',
  ),
  'shape/unsafe-name': error(
    '{name} contains a brace or a line break, which names and choices cannot contain.',
    'Write it on one line and without braces, here and everywhere it is used.',
  ),
  'shape/lone-surrogate': error(
    'This text contains half of a surrogate pair, which is not a valid character.',
    'Retype the damaged character. It was probably cut in half when the text was shortened.',
  ),
  'shape/text-too-long': error<{ length: number; limit: number; what: string }>(
    ({ length, limit, what }) =>
      `${what === 'text' ? 'this text' : phrase(what)} is ${length} characters long; at most ${limit} are allowed.`,
    ({ length, limit }) =>
      `Shorten the text by ${Math.max(1, length - limit)} characters, or split the node in two.`,
    { length: 1180, limit: 1000, what: 'the condition of the edge' },
  ),
  'shape/too-large': error<{ most: number }>(
    ({ most }) => `This contains more than ${most} values: texts, numbers, lists and objects.`,
    'Split it into several workflows, or remove what a program generated.',
    { most: 30_000 },
  ),
  'shape/liquid-syntax': error<{ reason: string }>(
    ({ reason }) =>
      `The Liquid template in this text is invalid: ${template.get(reason) ?? phrase(reason)}.`,
    'Close every {{ with }} and every {% with %}, and end every block.',
    { reason: 'output-not-closed' },
  ),
  'shape/raw-tag': error(
    'This condition is an expression that contains a raw tag. The squad wraps expressions in raw tags, so it cannot contain its own.',
    'Remove {% raw %} and {% endraw %} from the condition.',
  ),
  'shape/liquid-too-large': error<{ limit: 'tags' | 'comparisons' | 'levels' }>(
    ({ limit }) =>
      limit === 'levels'
        ? 'The Liquid tags in this text are nested more than 100 levels deep.'
        : `This text contains more than 1000 ${limit === 'tags' ? 'Liquid outputs and tags' : limit}.`,
    'Split the text across several nodes, or remove the generated part.',
    { limit: 'tags' },
  ),
  'shape/not-an-object': error(
    'Expected an object, but found {found:kind}.',
    'Pass the workflow object itself, not a list of workflows or a string that contains it.',
  ),
  'shape/dialect': info(
    'The workflow was read in the {dialect} dialect: {sign:words}.',
    'No action needed.',
  ),
  'shape/not-a-workflow': error(
    'This is {found:words}, not a workflow.',
    'Pass the workflow itself. `squadc pull` downloads it by its id.',
  ),
  'shape/no-texts': error(
    'No node of this workflow has a text: neither a first message nor instructions.',
    'Check that the export is complete, and that the texts are in the fields that the README describes.',
  ),
  'shape/wrong-type': error(
    '{field} must be {expected:kind}, but it is {found:kind}.',
    'Change it to {expected:kind}, or remove the field if it is optional.',
  ),
  'shape/missing-field': error('{of:words} has no {field}.', 'Add {field}.'),
  'shape/unknown-field': warning(
    'The field {field} is unknown and has no effect on the squad{near:probably}.',
    'Correct the name. If the field matters under this one, set it on the squad by hand.',
  ),
  'shape/no-place': warning(
    'The platform has no setting {field} any more, so it was left out.',
    'If a silence should end the call, add a hook for `customer.speech.timeout` to the squad.',
  ),
  'shape/lost-text': error(
    'The text in {field} is spoken or used as an instruction here, but a squad has no place for it.',
    'Move the text to the first message or the instructions of the node it belongs to, or delete it.',
  ),
  'shape/read-as': warning(
    'Found {found:words}, which is not expected here; it was read as {as:words}.',
    'No action needed if that is what was meant; otherwise correct it.',
  ),
  'shape/unreached-fault': warning(
    'The node {node} is invalid, but no call can reach it, so it was left out: {problem:words}.',
    'Delete the node, or correct it and add an edge to it.',
  ),
  'shape/made-up-id': warning(
    'This node has neither a name nor an id. It is called {id}, after its type and position.',
    'Give the node a name. Its assistant will have the same name.',
  ),
  'shape/unusable-model': warning(
    'This model has no provider or no model name, so it was ignored.',
    'Add `provider` and `model`. Until then the next applicable model is used.',
  ),
  'shape/misplaced-field': warning(
    'Nodes of type {type} do not use {field}; only nodes of type {belongs:words} do.',
    'Remove the field, or correct the node’s type.',
  ),
  'shape/response-path': error(
    '{path} is not a path into a tool’s response.',
    'Write the path like this: `order.items[0].id`.',
  ),
  'shape/empty-id': error(
    'The id of this node is empty.',
    'Give the node a unique id, and use it in its edges.',
  ),
  'shape/no-nodes': error(
    'The workflow has no nodes, so there is nothing to convert.',
    'Check that this is the right file and that the export is complete.',
  ),
  'shape/unsupported-tool': error(
    'Tools of type {type} cannot be carried over to a squad.',
    'Replace it with a node of type `assistant` that has the same `assistantId`, and add an edge to it.',
  ),
  'shape/tool-by-id': info(
    'The tool {id} is saved on the platform. The squad refers to it by the same id.',
    'List the variables that the tool sets in `dynamicVariables`, so that squadc does not ask about them.',
  ),
  'shape/unnamed-tool': warning(
    'The name of the tool that {node} calls is unknown, so the prompt cannot mention it by name.',
    'Add the tool’s id and function name to `toolNames`, or give the tool a name in the workflow.',
  ),
  'shape/saved-assistant': info(
    'The saved assistant {id} becomes a member of the squad under its id; what it says is not in the workflow, so it could not be checked.',
    'Make sure that the saved assistant does not end the call or hand off by itself, and that the variables in its prompt are set by tools or by whoever starts the call.',
  ),
  'shape/assistant-id': error('{id} is not a valid assistant id.', 'Copy it from the platform.'),
  'shape/no-edges': info(
    'The workflow has no edges, so a call never leaves the node it starts at.',
    'No action needed if the call has only one step; otherwise add the edges.',
  ),
  'shape/no-name': warning('The workflow has no name.', 'Add a `name` to the workflow.'),
  'shape/unknown-node-type': error(
    '{type} is not a node type{near:probably}.',
    'Use conversation, gather, apiRequest, transferCall, endCall or hangup. A node that only speaks is a conversation.',
  ),
  'shape/unknown-variable-type': error(
    'The variable {variable} has the unknown type {type}.',
    'Use string, number or boolean. If in doubt, use string.',
  ),
  'shape/unknown-condition-type': warning(
    'The condition type {type} is unknown; the text is read as a plain condition.',
    'Use `ai` if a model is to judge the text, or `logic` if it is an exact expression.',
  ),
  'shape/unknown-method': error(
    '{method} is not a supported HTTP method.',
    'Use GET, POST, PUT, PATCH or DELETE, in capital letters.',
  ),
  'shape/duplicate-id': error(
    'The id {id} is used by more than one node.',
    'Rename one of the nodes and update its edges.',
  ),
  'shape/ambiguous-id': error(
    'Another node has an id that looks the same as {id} but uses different Unicode characters.',
    'Rename one of the two nodes and update its edges.',
  ),
};

const correctIt = 'Correct the text at this place, or export the workflow again.';

/** Why a text is not JSON. */
const syntax: ReadonlyMap<string, string> = new Map([
  ['empty', 'it is empty'],
  ['utf-16', 'it looks like UTF-16'],
  ['program', 'it is an object of TypeScript or JavaScript'],
  ['fenced', 'it is a Markdown code block'],
  ['unexpected-character', 'this character is not allowed here'],
  ['unexpected-end', 'the text ends too early'],
  ['invalid-number', 'a number is not written in JSON’s format'],
  ['invalid-string', 'a quoted text is not closed, or contains a line break'],
  ['invalid-escape', 'a backslash in a text is not followed by a known escape'],
  ['comment', 'it contains a comment, which JSON does not allow'],
  ['trailing-comma', 'there is a comma after the last element'],
  ['comma-expected', 'a comma is missing'],
  ['colon-expected', 'a colon is missing after a key'],
  ['value-expected', 'a value is missing'],
  ['property-name-expected', 'a key in double quotes is missing'],
  ['close-expected', 'a closing bracket or brace is missing'],
  ['trailing-content', 'there is more text after the end of the document'],
]);

/** What to do about it, where more can be said than to correct it. */
const syntaxHelp: ReadonlyMap<string, string> = new Map([
  ['empty', 'Check the path, and whether the program that writes this text has failed.'],
  ['utf-16', 'Save the text as UTF-8.'],
  ['program', 'Print the object with `JSON.stringify`, and pass what it prints.'],
  ['fenced', 'Remove the lines with the fences.'],
  ['unexpected-end', 'Export or copy the document again; it was probably cut off.'],
  ['comment', 'Remove the comment.'],
  ['trailing-comma', 'Remove the comma.'],
  [
    'trailing-content',
    'Keep only one document. To convert several workflows, put one on each line of a .jsonl file and use `squadc migrate`.',
  ],
]);

/** Why a template cannot be read. */
const template: ReadonlyMap<string, string> = new Map([
  ['empty', 'it contains an empty output, {{ }}'],
  ['invalid', 'it contains an invalid expression'],
  ['unknown-tag', 'it uses a tag that does not exist'],
  ['misplaced-tag', 'a tag such as {% else %} or {% endif %} is outside its block'],
  ['output-not-closed', 'a {{ has no }}'],
  ['tag-not-closed', 'a {% has no %}'],
  ['block-not-closed', 'a block such as {% if %} has no end'],
  ['partials-not-supported', 'it includes another template, which is not supported'],
]);
