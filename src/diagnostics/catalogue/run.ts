/** Findings about a squad, options, answers, operations, and a run over many workflows. */

import type { Target } from '../../compiler/ir/options.js';
import { targets } from '../../compiler/targets.js';
import { escapeControls } from '../../text/escape.js';
import { quote } from '../quote.js';
import { error, info, kindInWords, phrase, warning } from '../sentence.js';

/** The independent check of a squad against its workflow, and of recorded calls against both. */
export const check = {
  'check/item-fails': error(
    'Item {item:number} of the checklist ({title:long}) does not hold: {text:long}.',
    'Correct the squad at the places shown. The evidence of item {item:number} lists all the facts.',
  ),
  'check/open-question': warning(
    'The question {question} has no answer, so item {item:number} of the checklist cannot be confirmed.',
    'Answer {question}, and pass the same answers to the check as to the compiler.',
  ),
  'check/walk': error(
    'In {walk:call}, the squad behaves differently: {text:long}.',
    'Follow this call step by step in both documents, and correct the squad.',
  ),
  'check/not-placed': error(
    'No assistant has the texts and tools of {node}{near:probably}.',
    'Add the texts and tools of {node} to the assistant that should do its work.',
  ),
  'check/setting-unknown': warning<{ readonly problem: string; readonly target: Target }>(
    ({ problem, target }) =>
      targets[target].isOfPlatform
        ? `The platform would reject this setting, which was passed through unchanged: ${phrase(problem, 600)}.`
        : `This setting is unknown and was passed through unchanged: ${phrase(problem, 600)}.`,
    'Correct or remove the setting where it comes from, unless the platform has added it since August 2026.',
    { problem: 'members/0/assistant/voice must not have “stability”', target: 'vapi' },
  ),
  'check/not-decided': warning<{ readonly assistant: string; readonly reasons: string }>(
    ({ assistant, reasons }) =>
      `The prompt of ${quote(assistant)} is free prose, which leaves open: ${phrase(reasons, 1000)}.`,
    ({ assistant }) =>
      `Compare the prompt of ${quote(assistant)} with the workflow by hand, or let squadc write the prompt.`,
    { assistant: 'Intake', reasons: 'the order of its 2 steps' },
  ),
  'check/not-seen': warning(
    'The assistant {assistantId} is saved on the platform, so its texts and tools could not be checked.',
    'Compare the saved assistant with the workflow by hand, or check a squad that contains the assistant inline.',
  ),
  'check/setting-differs': error<{ text: string }>(
    ({ text }) => escapeControls(text),
    'Correct the setting in the squad, or pass the option that asked for it to the check.',
    { text: 'The model of “Intake” is not the one that the workflow asks for.' },
  ),
  'check/setting-added': warning<{ text: string }>(
    ({ text }) => `${escapeControls(text)} A caller does not notice it.`,
    'Keep it if it is wanted; otherwise remove it.',
    { text: '“Intake” sets “analysisPlan”, although neither the workflow nor the options do.' },
  ),
  'check/setting-open': warning<{ text: string }>(
    ({ text }) => `${escapeControls(text)} It may change a call.`,
    'Decide whether calls should have it, or pass the option that asked for it to the check.',
    { text: '“Intake” sets “credentialIds”, although neither the workflow nor the options do.' },
  ),
  'check/undecided': warning<{ text: string }>(
    ({ text }) => escapeControls(text),
    'Compare this place with the workflow by hand.',
    { text: 'A saved assistant may contain “collection”; that could not be checked.' },
  ),
  'check/not-a-squad': error(
    'Expected a squad, but this looks like {looksLike:words}.',
    'Pass the workflow first and the squad second; `squadc compile` makes the squad of a workflow.',
  ),
  'replay/step': warning(
    'No call of the {of:plain} comes from {before:either} to {name}{missing:plain}.',
    'Compare the {of:plain} with the one that ran then; it was probably edited since.',
  ),
  'replay/value': warning(
    '{variable} has a value at {name}, and nothing on the way there sets it.',
    'If calls begin with it, list it in `dynamicVariables`; otherwise compare the {of:plain} with the one that ran then.',
  ),
};

/** What is passed besides the workflow: options, answers, policies. */
export const api = {
  'api/option': error(
    'The option {option} is invalid: {problem:words}.',
    'Correct {option}, or remove it to use the default.',
  ),
  'api/unknown-option': warning(
    'There is no option {option}{near:probably}.',
    'Correct the name of the option, or remove it.',
  ),
  'api/unknown-node': warning(
    'The option {option} names {id}, which is not the first talk node of an assistant.',
    'Correct the id, or remove it from the option.',
  ),
  'api/unread-variable': warning(
    'The option {option} lists {variable}, which nothing reads{near:probably}.',
    'Correct the name, or remove it from the list.',
  ),
  'api/answer-shape': error<{ problem: string }>(
    ({ problem }) => `The answers are invalid: ${notJson.get(problem) ?? kindInWords(problem)}.`,
    'Correct the answers. Their schema is answers.schema.json.',
    { problem: 'answers/missing-auth:lookup must be an object' },
  ),
  'api/stale-answer': warning(
    'There is an answer to {question}, but that question was not asked.',
    'Remove the answer, or correct the id if the question has a new one.',
  ),
  'api/answer-choice': error(
    '{choice} is not a choice of the question {question}, which offers {choices:all}.',
    'Answer with {choices:either}.',
  ),
  'api/answer-value': error(
    'The answer {choice} to {question} has an invalid value: {problem:words}.',
    'Correct the value. The question shows what it must look like.',
  ),
  'api/policy-kind': error<{ kind: string; kinds: readonly string[]; near: string | null }>(
    // Every kind is shown, however many: the reader has to pick one.
    ({ kind, kinds }) =>
      `${quote(kind)} is not a kind of question. The kinds are ${kinds.map(quote).join(', ')}.`,
    ({ near }) =>
      near === null
        ? 'Correct the name of the kind, or remove the policy.'
        : `If you meant ${quote(near)}, correct the name; otherwise remove the policy.`,
    { kind: 'missing-number', kinds: ['missing-destination', 'missing-endpoint'], near: null },
  ),
  'api/policy-choice': error(
    '{choice} is not a choice of {kind} questions, which offer {choices:all}.',
    'Use {choices:either} in the policy.',
  ),
  'api/policy-value': error(
    'The policy for {kind} picks {choice}: {problem:words}.',
    'Where every question gets the same value, write an object with `choice` and `value`; otherwise answer one by one under `answers`.',
  ),
};

/** Why answers are not JSON. */
const notJson: ReadonlyMap<string, string> = new Map([
  ['not-json', 'they contain something that is not JSON'],
  ['reserved-name', 'they use a reserved key'],
  ['lone-surrogate', 'a text contains half of a surrogate pair'],
  ['text-too-long', 'a text is too long'],
]);

/** Tools that stand for operations of the bills and documents APIs. */
export const tools = {
  'tools/unknown-operation': error(
    'There is no operation {operation}{near:probably}.',
    'Use one of the operations that `squadc tools list` shows.',
  ),
  'tools/unknown-node': error(
    'No request node has the id {node}{near:probably}.',
    'Correct the id, or remove the binding.',
  ),
  'tools/bad-value': error(
    '{parameter} of {operation:words} cannot be bound: {problem:words}.',
    'Run `squadc tools show {operation:words}` to see what it takes.',
  ),
  'tools/unbound': error(
    '{node} calls {operation:words}, but its {parameter} ({description:words}) is not bound, and a caller must not choose it.',
    'Add {parameter} to `bind`, with a value or a variable.',
  ),
  'tools/headers-left-out': info(
    '{names:all} of {node} {names:are} left out: the server for {operation:words} sends its own headers.',
    'Configure secrets on the server, and set the account in `bind`.',
  ),
  'tools/no-such-value': warning(
    'The {field} of {node} was left out: the tool for {operation:words} sends the bound values, and the model provides the rest.',
    'Run `squadc tools show {operation:words}` to see what it takes, and bind what the model must not choose.',
  ),
  'tools/never-told': warning(
    '{variable} stays empty: the tool for {operation:words} does not return the field it is read from.',
    'Read it from {sayable:either}.',
  ),
};

/** A run over many workflows: its sources, its files, its answers. */
export const batch = {
  'batch/missing': error(
    'A source does not exist: {problem:long}.',
    'Correct the path or pattern so that it matches at least one file.',
  ),
  'batch/empty': error(
    'A source contains no workflow: {problem:long}.',
    'Pass a file or folder that contains a workflow.',
  ),
  'batch/unreadable': error(
    'A source could not be read: {problem:long}.',
    'Make the file readable, and run the same command again.',
  ),
  'batch/vanished': error(
    'A source disappeared during the run: {problem:long}.',
    'Run the same command again while nothing changes the sources.',
  ),
  'batch/too-large': error('A workflow is too large: {problem:long}.', 'Exclude the file.'),
  'batch/not-utf8': error('The text is not valid UTF-8.', 'Save the file as UTF-8.'),
  'batch/same-key': error(
    'Two workflows have the same source and the same id or name: {problem:long}.',
    'Give one of them another id.',
  ),
  'batch/foreign-file': error(
    'A file that squadc did not write is in the way: {problem:long}.',
    'Move the file away, choose another output folder, or overwrite the file with --force.',
  ),
  'batch/write-failed': error(
    'A result could not be written: {problem:long}.',
    'Free some space or make the folder writable, and run the same command again.',
  ),
  'batch/refuted': error(
    'The squad was refuted by squadc’s own check: {problem:long}.',
    'This is a bug in squadc. Please report it together with the workflow.',
  ),
  'batch/internal-error': error(
    'The conversion of a workflow stopped because of a bug in squadc: {problem:long}.',
    'This is a bug in squadc. Please report it together with the workflow.',
  ),
  'batch/answers-shape': error(
    'The answers are invalid: {problem:words}.',
    'Correct the answers. Their schema is run-answers.schema.json.',
  ),
  'batch/plain-answers': error(
    'These answers are for a single workflow, but do not say for which one.',
    'Put `answers` under `workflows` and the workflow’s key, as in {"workflows": {"<key>": {"answers": {"<id>": {"choice": "<choice>"}}}}}; keys are in summary.json.',
  ),
  'batch/unknown-workflow': warning(
    'There are answers for {key}, but no workflow has this key.',
    'Correct the key, or remove the answers. A key depends on the workflow’s file, id and name.',
  ),
  'batch/subject-changed': warning(
    'The answer to {question} was not applied, because its subject has changed since.',
    'Answer the question again, or remove `subject` from the answer if it still holds.',
  ),
};
