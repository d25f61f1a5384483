/** What the check of a squad, the options, the answers, the operations and a run of many find. */
import type { Target } from '../../compiler/ir/options.js';
import { escapeControls, quote, quoteAll } from '../quote.js';
import { error, info, kindInWords, phrase, warning } from '../sentence.js';

/** The independent check of a squad against its workflow. */
export const check = {
  'check/item-fails': error(
    'Item {item:number} of the checklist ({title:long}) does not hold: {text:long}.',
    'Correct the squad at the places shown; all facts that item {item:number} rests on are in its evidence.',
  ),
  'check/open-question': error(
    'Nobody has answered the question {question}, so item {item:number} of the checklist is not known to hold.',
    'Answer {question} and give the answers to the check as they were given to the compiler.',
  ),
  'check/walk': error(
    'The squad answers {walk:call} otherwise: {text:long}.',
    'Follow the call step by step in both documents, and correct the squad there.',
  ),
  'check/not-placed': error(
    'No assistant holds what {node} says and does{near:probably}.',
    'Put the texts and tools of {node} into the assistant that is meant to do its work.',
  ),
  'check/setting-unknown': warning<{ readonly problem: string; readonly target: Target }>(
    ({ problem, target }) =>
      target === 'vapi'
        ? `A setting is passed through that the platform would refuse: ${phrase(problem, 600)}.`
        : `A setting is passed through that the platform is not known to have: ${phrase(problem, 600)}.`,
    'Correct the setting where it comes from, or leave it out.',
    { problem: 'members/0/assistant/voice must not have “stability”', target: 'vapi' },
  ),
  'check/not-decided': info(
    'All texts stand in the prompt of {assistant}, which is free prose: the order of its steps, and which condition leads where inside of it, is not decided.',
    'Read the prompt of {assistant} beside the workflow, or let squadc write it.',
  ),
  'check/not-seen': warning(
    'The assistant {assistantId} is saved elsewhere; what it says and does was not seen.',
    'Compare the saved assistant with the workflow by hand, or check a squad with the assistant inline.',
  ),
  'check/setting-differs': error<{ text: string }>(
    ({ text }) => escapeControls(text),
    'Correct the setting in the squad, or give the option that asked for it to the check.',
    { text: 'The model of “Intake” is not the one that the workflow asks for.' },
  ),
  'check/not-a-squad': error(
    'A squad was expected, but this looks like {looksLike:words}.',
    'Give the workflow first and the squad second, each as it was exported or compiled.',
  ),
};

/** What is given beside the workflow: options, answers, policies. */
export const api = {
  'api/option': error(
    'The option {option} is wrong: {problem:words}.',
    'Correct {option}, or leave it out to get the default.',
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
    'Correct the name, or take it out of the list.',
  ),
  'api/answer-shape': error<{ problem: string }>(
    ({ problem }) =>
      `The answers do not have the expected form: ${notJson.get(problem) ?? kindInWords(problem)}.`,
    'Correct the answers; their form is published as answers.schema.json.',
    { problem: 'answers/missing-auth:lookup must be an object' },
  ),
  'api/stale-answer': warning(
    'There is an answer to {question}, but this question is not asked.',
    'Remove the answer, or correct the id if the question goes by another one now.',
  ),
  'api/answer-choice': error(
    '{choice} is no choice of the question {question}; it offers {choices:all}.',
    'Answer with {choices:either}.',
  ),
  'api/answer-value': error(
    'The answer {choice} to {question} has a value that does not fit: {problem:words}.',
    'Correct the value; the question shows the form that it must have.',
  ),
  'api/policy-kind': error<{ kind: string; kinds: readonly string[]; near: string | null }>(
    // Every kind is shown, however many: the reader has to pick one.
    ({ kind, kinds }) =>
      `${quote(kind)} is no kind of question; the kinds are ${kinds.map(quote).join(', ')}.`,
    ({ near }) =>
      near === null
        ? 'Correct the name of the kind, or remove the policy.'
        : `Write ${quote(near)} if that is the kind you mean, or remove the policy.`,
    { kind: 'missing-number', kinds: ['missing-destination', 'missing-endpoint'], near: null },
  ),
  'api/policy-choice': error(
    '{choice} is no choice of {kind} questions; they offer {choices:all}.',
    'Use {choices:either} in the policy.',
  ),
  'api/policy-needs-value': error(
    'The policy for {kind} picks {choice}, which needs a value for each question.',
    'Answer these questions one by one, under `answers`, and remove the policy.',
  ),
};

/** Why answers are not JSON. */
const notJson: ReadonlyMap<string, string> = new Map([
  ['not-json', 'something in them is not JSON'],
  ['reserved-name', 'they use a key that is reserved'],
  ['lone-surrogate', 'a text in them holds half a character'],
  ['text-too-long', 'a text in them is too long'],
]);

/** Tools that stand for operations of the bills and documents APIs. */
export const tools = {
  'tools/unknown-operation': error(
    'There is no operation {operation}{near:probably}.',
    'Take one of those that `squadc tools list` shows.',
  ),
  'tools/unknown-node': error(
    'No request node has the id {node}{near:probably}.',
    'Correct the id, or remove the binding.',
  ),
  'tools/bad-value': error(
    '{parameter} of {operation:words} cannot be bound: {problem:words}.',
    'Look at what `squadc tools show {operation:words}` takes.',
  ),
  'tools/needs-server': error(
    '{node} calls {operation:words}, which needs a server: {why:words}.',
    'Leave the option `tools` at `server`; where only the address is missing, give it in `serviceUrls`.',
  ),
  'tools/unbound': error(
    '{node} calls {operation:words}, and nothing binds its {parameter} ({description:words}), which no caller may choose.',
    'Give {parameter} in `bind`: a value, or a variable.',
  ),
  'tools/account-unchecked': warning<{
    readonly node: string;
    readonly operation: string;
    /** Bound for the account, and parameters that the caller gives. */
    readonly names: readonly string[];
    readonly chosen: readonly string[];
  }>(
    ({ node, operation, names, chosen }) =>
      `The platform calls ${phrase(operation)} of ${quote(node)} itself, so nobody checks whose record it is` +
      (chosen.length > 0 ? `; the caller chooses ${quoteAll(chosen)}` : '') +
      (names.length > 0 ? `; ${quoteAll(names)} in \`bind\` changes nothing` : '') +
      '.',
    'Set `tools` to server, or use a credential that reaches no other account.',
    { node: 'find', operation: 'bills.get', names: [], chosen: ['idBill'] },
  ),
  'tools/headers-left-out': info(
    '{names:all} of {node} {names:are} left out: the server that answers {operation:words} sends headers of its own.',
    'Give the server what it needs: secrets in its own configuration, the account in `bind`.',
  ),
  'tools/no-such-value': warning(
    'The {field} of {node} is left out: the tool of {operation:words} sends what is bound, and the model fills in the rest.',
    'Look at what `squadc tools show {operation:words}` takes, and bind what the model must not choose.',
  ),
  'tools/never-told': warning(
    '{variable} stays empty: the tool of {operation:words} does not tell what it is read from.',
    'Read it from one of {sayable:either}.',
  ),
};

/** A run over many workflows: its sources, its files, its answers. */
export const batch = {
  'batch/missing': error(
    'A source does not exist: {problem:long}.',
    'Correct the path, or the pattern, so that it names at least one file.',
  ),
  'batch/empty': error(
    'A source holds no workflow: {problem:long}.',
    'Name a file or folder that holds a workflow.',
  ),
  'batch/unreadable': error(
    'A source could not be read: {problem:long}.',
    'Make the file readable, and run the same command again.',
  ),
  'batch/vanished': error(
    'A source was there, and is gone: {problem:long}.',
    'Run the same command again when nobody changes the sources.',
  ),
  'batch/too-large': error(
    'A workflow is larger than the limit: {problem:long}.',
    'Raise the limit with --max-bytes, or leave the file out.',
  ),
  'batch/not-utf8': error('The text is not valid UTF-8.', 'Save it as UTF-8.'),
  'batch/same-key': error(
    'Two workflows have the same source and the same id or name: {problem:long}.',
    'Give one of them an id of its own.',
  ),
  'batch/foreign-file': error(
    'A file is in the way that squadc did not write: {problem:long}.',
    'Move the file away, choose another output folder, or overwrite the file with --force.',
  ),
  'batch/write-failed': error(
    'A result could not be written: {problem:long}.',
    'Make room, or make the folder writable, and run the same command again.',
  ),
  'batch/refuted': error(
    'The check of a squad refuted it: {problem:long}.',
    'Report it together with the workflow; it is no fault of yours.',
  ),
  'batch/internal-error': error(
    'A bug of squadc stopped one workflow: {problem:long}.',
    'Report it together with the workflow; it is no fault of yours.',
  ),
  'batch/orphan': info(
    'The workflow of {folder} is gone from the sources; its files stay.',
    'Remove such folders with --prune, once nobody needs them.',
  ),
  'batch/answers-shape': error(
    'The answers do not have the expected form: {problem:words}.',
    'Correct the answers; their form is published as run-answers.schema.json.',
  ),
  'batch/plain-answers': error(
    'These answers are for one workflow, but do not say for which one of the run.',
    'Put `answers` under `workflows` and the key of the workflow, as in {"workflows": {"<key>": {"answers": {"<id>": {"choice": "<choice>"}}}}}; keys are in summary.json.',
  ),
  'batch/answers-differ': warning(
    '{what:words} is given another answer in {file} before; this one counts.',
    'Remove one of the two.',
  ),
  'batch/unknown-workflow': warning(
    'There are answers for {key}, but no workflow of the run has this key.',
    'Correct the key, or remove the answers; a key changes with the file, id and name.',
  ),
  'batch/subject-changed': warning(
    'The answer to {question} was given before its subject changed, so that it was not applied.',
    'Answer the question again, or remove `subject` from the answer if it still holds.',
  ),
};
