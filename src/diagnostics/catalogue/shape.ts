/** What is wrong with a document as it stands: its text, its values, its fields, its nodes. */
import { quote } from '../quote.js';
import { error, info, kindInWords, phrase, warning } from '../sentence.js';

export const shape = {
  'shape/not-json': error<{ reason: string }>(
    ({ reason }) =>
      syntax.has(reason)
        ? `The text is not JSON: ${syntax.get(reason)}.`
        : `JSON has no way to write what stands here: ${kindInWords(reason)}.`,
    ({ reason }) =>
      syntaxHelp.get(reason) ??
      (syntax.has(reason) ? correctIt : 'Replace it by a JSON value, or leave the field out.'),
    { reason: 'comma-expected' },
  ),
  'shape/duplicate-key': error(
    'The key {key} stands twice in the same object.',
    'Keep one {key} and delete or rename the other.',
  ),
  'shape/reserved-name': error(
    '{name} cannot be used as a key, an id or a variable name.',
    'Choose another name, here and wherever this one is referred to.',
  ),
  'shape/unsafe-name': error(
    '{name} holds a brace or a line break, which no name or choice may.',
    'Write it without braces and on one line, here and wherever it is read.',
  ),
  'shape/lone-surrogate': error(
    'This text holds one half of a character that is written in two halves.',
    'Type the damaged character again; it was probably cut when the text was shortened.',
  ),
  'shape/text-too-long': error<{ length: number; limit: number; what: string }>(
    ({ length, limit, what }) =>
      `${what === 'text' ? 'this text' : phrase(what)} is ${length} characters long; at most ${limit} are allowed.`,
    ({ length, limit }) =>
      `Shorten the text by ${Math.max(1, length - limit)} characters, or split the node in two.`,
    { length: 1180, limit: 1000, what: 'the condition of the edge' },
  ),
  'shape/liquid-syntax': error<{ reason: string }>(
    ({ reason }) =>
      `The {{…}} or {%…%} template in this text is broken: ${template.get(reason) ?? phrase(reason)}.`,
    'Close every {{ with }} and every {% with %}, and end every block that was opened.',
    { reason: 'output-not-closed' },
  ),
  'shape/raw-tag': error(
    'This condition is an expression with a raw tag of its own, and the squad has such tags round it.',
    'Remove {% raw %} and {% endraw %} from the condition.',
  ),
  'shape/liquid-too-large': error<{ limit: 'tags' | 'levels' }>(
    ({ limit }) =>
      limit === 'tags'
        ? 'This text holds more than 1000 template tags.'
        : 'The template tags in this text are nested more than 100 levels deep.',
    'Split the text over several nodes, or take the generated part out of it.',
    { limit: 'tags' },
  ),
  'shape/not-an-object': error(
    'An object was expected here, but this is {found:kind}.',
    'Pass the workflow object itself, not a list of workflows or its text in quotes.',
  ),
  'shape/dialect': info(
    'The workflow is read in the dialect {dialect}: {sign:words}.',
    'Nothing is to be done.',
  ),
  'shape/not-a-workflow': error(
    'This is {found:words}, not a workflow.',
    'Give the workflow itself; `squadc pull` fetches it by its id.',
  ),
  'shape/wrong-type': error(
    '{field} must be {expected:kind}, but is {found:kind}.',
    'Write {expected:kind} here, or remove the field if it is optional.',
  ),
  'shape/missing-field': error('{of:words} has no {field}.', 'Add {field}.'),
  'shape/unknown-field': warning<{ field: string; near: string | null }>(
    'No rule reads the field {field}; it has no effect on the squad.',
    ({ near }) =>
      near === null
        ? 'Check the spelling; if the field matters, set it on the squad by hand.'
        : `Write ${quote(near)} if that is the field you mean; otherwise set it on the squad by hand.`,
    { field: 'fistMessage', near: 'firstMessage' },
  ),
  'shape/lost-text': error(
    'The text in {field} is said or instructed at this place, but nothing in a squad could say it.',
    'Move the text to the first message or the instructions of the node that it belongs to, or delete it.',
  ),
  'shape/read-as': warning(
    'This is {found:words}, which does not belong here; it is read as {as:words}.',
    'Nothing is to be done if that is what was meant; otherwise correct it.',
  ),
  'shape/unreached-fault': warning(
    'No call reaches the node {node}, which is left out: {problem:words}.',
    'Delete the node, or correct it and add an edge that leads to it.',
  ),
  'shape/made-up-id': warning(
    'A node has neither a name nor an id; it is called {id} by its type and its place.',
    'Give the node a name, which also names its assistant.',
  ),
  'shape/unusable-model': warning(
    'This model has no provider or no name, so it is not used.',
    'Add `provider` and `model`; until then the next model that applies is used.',
  ),
  'shape/misplaced-field': warning(
    'A node of type {type} does not use {field}, which belongs to nodes of type {belongs:words}.',
    'Remove the field, or correct the type of the node.',
  ),
  'shape/response-path': error(
    '{path} is not a path into a tool’s response.',
    'Write the path as in `order.items[0].id`.',
  ),
  'shape/empty-id': error(
    'The id of this node is empty.',
    'Give the node an id that no other node has, and use it in its edges.',
  ),
  'shape/no-nodes': error(
    'The workflow has no nodes, so there is no call to convert.',
    'Check that the right file was given and that its export is complete.',
  ),
  'shape/unsupported-tool': error(
    'A tool of the type {type} cannot be carried into a squad.',
    'Put a node of the type `assistant` with that `assistantId` in its place, and an edge to it.',
  ),
  'shape/tool-by-id': info(
    'The tool {id} is kept on the platform; the squad names it by its id too.',
    'List variables that the tool sets in `dynamicVariables`, so that nobody is asked for them.',
  ),
  'shape/unnamed-tool': warning(
    'Nobody knows what the tool of {node} is called, so the prompt cannot name it.',
    'Name its function by its id in `toolNames`, or give the tool a name in the workflow.',
  ),
  'shape/saved-assistant': info(
    'The assistant {id} becomes a member by its id.',
    'See to it that the saved assistant does not end the call or hand off by itself, and that what its prompt reads is set by tools or by whoever starts the call.',
  ),
  'shape/assistant-id': error(
    'No saved assistant has the id {id}.',
    'Copy the id of the assistant from the platform.',
  ),
  'shape/no-edges': info(
    'The workflow has no edges: a call stays at the node where it starts.',
    'Nothing needs to be done if the call has one step; otherwise add the edges.',
  ),
  'shape/no-name': warning('The workflow has no name.', 'Add a `name` to the workflow.'),
  'shape/unknown-node-type': error<{ type: string; near: string | null }>(
    ({ type, near }) =>
      `${quote(type)} is not a node type${near === null ? '' : `; ${quote(near)} is close to it`}.`,
    ({ near }) =>
      near === null
        ? 'Use one of the six types; a node that only speaks is a conversation.'
        : `Write ${quote(near)} if that is what was meant, or another of the six types.`,
    { type: 'converstion', near: 'conversation' },
  ),
  'shape/unknown-variable-type': error(
    'The variable {variable} has the type {type}, which does not exist.',
    'Use string, number or boolean; string fits whatever can be written down.',
  ),
  'shape/unknown-condition-type': warning(
    'The type {type} of this condition is unknown; its words are read as if it had none.',
    'Write `ai` where a model is to judge the words, `logic` where they are an exact expression.',
  ),
  'shape/unknown-method': error(
    '{method} is not a method that a request can use.',
    'Write one of GET, POST, PUT, PATCH and DELETE, in capitals.',
  ),
  'shape/duplicate-id': error(
    'The id {id} is used by more than one node.',
    'Rename one of the nodes and correct the edges that mean it.',
  ),
  'shape/ambiguous-id': error(
    'Another node has an id that looks just like {id} but is encoded differently.',
    'Rename one of the two nodes and correct the edges that mean it.',
  ),
};

const correctIt = 'Correct the text at this place, or export the workflow again.';

/** Why a text is not JSON. */
const syntax: ReadonlyMap<string, string> = new Map([
  ['empty', 'nothing is in it'],
  ['utf-16', 'it looks like UTF-16, in which every second byte is zero'],
  ['unexpected-character', 'a character stands here that JSON does not allow at this place'],
  ['unexpected-end', 'the text ends too early'],
  ['invalid-number', 'a number is not written as JSON writes numbers'],
  ['invalid-string', 'a text in quotes is not closed, or holds a bare line break'],
  ['invalid-escape', 'a backslash in a text is not followed by a known escape'],
  ['comment', 'it holds a comment, which JSON does not know'],
  ['trailing-comma', 'a comma stands after the last element'],
  ['comma-expected', 'a comma is missing'],
  ['colon-expected', 'a colon is missing after a key'],
  ['value-expected', 'a value is missing'],
  ['property-name-expected', 'a key in double quotes is missing'],
  ['close-expected', 'a closing bracket or brace is missing'],
  ['trailing-content', 'something follows after the end of the document'],
]);

/** What to do about it, where more can be said than to correct it. */
const syntaxHelp: ReadonlyMap<string, string> = new Map([
  ['empty', 'Check that the path is right, and that what writes the text has not failed.'],
  ['utf-16', 'Save the text as UTF-8.'],
  ['unexpected-end', 'Export or copy the document again; it was probably cut off.'],
  ['comment', 'Remove the comment.'],
  ['trailing-comma', 'Remove the comma.'],
  [
    'trailing-content',
    'Leave one document in the text; several workflows, one on each line of a .jsonl file, are for `squadc migrate`.',
  ],
]);

/** Why a template cannot be read. */
const template: ReadonlyMap<string, string> = new Map([
  ['empty', 'it holds an output without a name, {{ }}'],
  ['invalid', 'what stands in it is no expression'],
  ['unknown-tag', 'it uses a tag that does not exist'],
  ['misplaced-tag', 'a tag such as {% else %} or {% endif %} stands outside of its block'],
  ['output-not-closed', 'a {{ has no }}'],
  ['tag-not-closed', 'a {% has no %}'],
  ['block-not-closed', 'a block such as {% if %} has no end'],
  ['partials-not-supported', 'it includes another template, which is not supported'],
]);
