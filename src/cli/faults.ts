/**
 * The codes outside the catalogue of diagnostics: faults of the commands that call the platform, of
 * the service clients, and of the rules for extraction schemas.
 *
 * In each row, the first sentence is the title and the rest is the help. A prefix says that it is a
 * warning.
 */

import { findingTexts } from '../clients/documents/extraction-schema.js';
import type { ApiError } from '../clients/http/error.js';
import type { Explanation } from '../index.js';
import type { SquadFault } from '../platform/plan.js';
import { type ExitCode, exitCodes, Refusal } from './io.js';
import { printable } from './output/terminal.js';

const again =
  'Run the command again later: it does nothing twice. A program repeats the call if retryable is true; otherwise check first what the service has done.';
const compiled = 'Pass a file that squadc compile --target vapi wrote.';

const commandCodes = {
  'config/invalid':
    'The configuration is invalid. Correct the place shown. squadc schema config prints its schema.',
  'api/base-url':
    'The platform’s address is invalid. Write the address as https://<host>, with a path if needed.',
  'api/id':
    'This is not a valid workflow id. Correct the id. It has 1 to 200 letters, digits or signs, and no spaces.',
  'api/key': 'The API key cannot be used. Put only the key into the variable or file, on one line.',
  'api/no-ids': 'No workflow id was given. Pass ids, --ids-file, or --all.',
  'api/no-key':
    'An API key is required. Set VAPI_API_KEY, or name another variable with --key-env, or a file with --key-file.',
  'api/more':
    'warning: There may be more than the platform listed. Pass the ids of the missing workflows, or a file of them with --ids-file. For numbers, run push --numbers again.',
  'api/not-json':
    'The response is not the expected JSON. Check that --base-url is the address of the API, and run the command again.',
  'api/not-tried':
    'It was not tried, because of an earlier error. Fix the earlier error, and run the command again.',
  'pull/retired':
    'The platform has no such workflow; it retired them on 2026-08-18. Take the workflow from an export, from your repository, or from a past call, which holds it under “workflow”. If other workflows can still be downloaded, correct the id.',
  'push/not-json': `It is not JSON. ${compiled}`,
  'push/not-object': `It is not an object. ${compiled}`,
  'push/target-squad':
    'The squad is for the target squad. Compile the workflow with --target vapi, and push the result.',
  'push/workflow':
    'It is a workflow. Compile it with squadc compile --target vapi and push the result.',
  'push/no-members': `The squad has no members. ${compiled}`,
  'push/member':
    'A member has neither an assistant nor an assistantId. Give each member one of the two.',
  'push/member-overrides':
    'The squad has memberOverrides. Compile the workflow with --target vapi; there the key is membersOverrides.',
  'push/same-names':
    'Two members have the same name. Rename one of them, and the handoffs that lead to it.',
  'push/edited':
    'It was edited on the platform since it was pushed. Make the same edit in the workflow, undo it on the platform, and push again; or push the squad under another file name, as a new one.',
  'push/unknown':
    'It may have been created. Look for it on the platform. If it does not exist, push again with --retry-unknown.',
  'push/unmapped':
    'No squad replaces the workflow that it names. Push the squad that replaces the workflow. If squadc does not know which one that is, name its file with --map <workflowId>=<file>.',
  'push/orphan':
    'warning: The assistant is no longer part of its squad. Push with --prune to delete it, unless something else uses it.',
  'push/unmapped-id':
    'An id belongs to another organization. Add it to the environment in squadc.config.json, with its id in this organization.',
  'push/unrecorded':
    'The journal could not be written after a request. Keep the id shown here, and free some space for the journal before the next push.',
  'rollback/addresses':
    'The journal names more than one address. Choose one of them with --base-url.',
  'rollback/in-use':
    'It was not deleted, because it is still in use. Fix the earlier error, or move the number or campaign to another squad. Then run rollback again.',
  'rollback/retired':
    'warning: The platform no longer runs workflows. From 2026-08-19 on, calls to a number or campaign that names one fail. On the platform, make it name a squad or an assistant.',
  'rollback/unknown':
    'warning: Something with an unknown id may exist. Look for it on the platform, and delete it there.',
  'journal/file':
    'The journal cannot be read or written. Correct the path of --journal, or its permissions.',
  'journal/line':
    'A line of the journal is invalid. Pass the journal that squadc push wrote, or restore the line.',
  'journal/locked':
    'Another run is using the journal. Wait until the other run has ended. Remove the lock file only if there is no other run.',
  'journal/lost':
    'The journal or its lock file was removed or replaced during the run, so no further request was sent. Make sure that no other run uses the journal, put the journal back if it is missing, and run the command again.',
  'journal/missing': 'There is no journal. Pass the journal that squadc push wrote with --journal.',
} satisfies Record<`push/${SquadFault}`, string> & Record<string, string>;

export type CommandCode = keyof typeof commandCodes;

/** How a call to a service can fail: the codes of an `ApiError`. */
const apiCodes = {
  'api/aborted':
    'The caller aborted the call. If that was intended, do nothing. Otherwise find out what aborts the signal.',
  'api/applied-before':
    'An earlier attempt already did it. Read the current state, if you need it.',
  'api/bad-request': 'The service rejects the request. Correct it as the service’s message says.',
  'api/conflict':
    'The request conflicts with the service’s state. Read the current state, and decide again.',
  'api/connection-lost': `The connection was lost before the response. ${again}`,
  'api/deadline': `The call took too long. ${again} A longer deadlineMs allows more time.`,
  'api/endpoint-removed':
    'The endpoint was removed from the service. Use the operation that the service’s message names.',
  'api/forbidden': 'The credential lacks permission. Use one with the required permissions.',
  'api/invalid-argument': 'An argument of a call is invalid. Correct the argument named in reason.',
  'api/invalid-option': 'An option is invalid. Correct the option named in reason.',
  'api/malformed':
    'The response cannot be read. Check that the base address is that of the service, and check what the service has done.',
  'api/no-token': 'The credential could not be obtained. Fix the function given as auth.',
  'api/not-found':
    'The service cannot find it. Correct the id, or use a credential of the account that owns it.',
  'api/not-in-wire':
    'The wire format or API version lacks this operation. Create a client with another wire or apiVersion for it.',
  'api/rate-limited':
    'The service is limiting requests. Run the command or make the call again later, and less frequently.',
  'api/redirect':
    'The service redirects to another address. Check the base address. If you trust the new address, use it instead.',
  'api/refused':
    'The service refused with a success status. Correct the request as the service’s message says.',
  'api/repeated-page':
    'The service keeps returning the same page. Try again, with a narrower filter if it happens again.',
  'api/server-error': `The service failed. ${again}`,
  'api/still-running':
    'The run did not finish in time. Poll the same run again. Creating it again would start a second one.',
  'api/timeout': `The response took too long. ${again}`,
  'api/too-large':
    'The response is too large. Request less at once, or raise maxBytes. Check that the base address is that of the service.',
  'api/truncated': `The response is truncated or not UTF-8. ${again}`,
  'api/unauthorized': 'The service does not accept the credential. Correct the credential or key.',
  'api/unknown-status':
    'The run has had a status that squadc does not know for 5 minutes. Look at the run: it may have ended. Creating it again would start a second one.',
  'api/unreachable':
    'Cannot connect to the service. Check the base address, the certificate of the service and the network.',
  'api/unsafe-key':
    'The outcome of an earlier call with this idempotency key is unknown, and the key is too old to repeat it. Find out what the service has done before you call again.',
  'api/usage-blocked':
    'The account cannot use the service at the moment. Contact the service. Calling again does not help.',
  'api/webhook-body':
    'The body of a webhook is not an event. Pass the unchanged body to verifyWebhook, and respond with 400.',
  'api/webhook-from-future':
    'The time of a webhook is in the future. Check the machine’s clock. If it is right, treat the webhook as forged and respond with 400.',
  'api/webhook-signature':
    'The signature of a webhook is invalid. Check the secret, and pass the unchanged bytes to verifyWebhook. Otherwise respond with 400.',
  'api/webhook-timestamp':
    'A webhook does not say when it was sent. Check vendorPrefix. Otherwise treat the webhook as forged and respond with 400.',
  'api/webhook-too-old':
    'A webhook was sent too long ago. Verify it on arrival, not later from a queue. Otherwise respond with 400.',
  'api/wrong-type':
    'The response has the wrong content type. Check that the base address is that of the service.',
};

/** The reasons: the first whose code or area fits. */
const reasons: readonly (readonly [code: RegExp, why: string])[] = [
  [/^config/, 'A member that is ignored could be an option that matters, so nothing is done.'],
  [/^api\/more/, 'The response is as long as the platform allows, so some may be missing.'],
  [/^api\/not-tried/, 'The earlier error would affect every other request as well.'],
  [/^api\/webhook/, 'Only a recent delivery with a valid signature is trusted.'],
  [
    /^api\/(?:invalid-|no-|not-in-wire|base-url|id|key)/,
    'The mistake was found before anything was sent.',
  ],
  [/^api/, 'The error’s outcome says what was done: not-sent, refused, applied or unknown.'],
  [/^extraction/, 'The service accepts a part of JSON Schema; it rejects or ignores the rest.'],
  [/^push\/edited/, 'An update would overwrite that edit, so nothing is sent for this squad.'],
  [/^push\/unknown/, 'A request got no usable response. Repeating it could create a duplicate.'],
  [/^(?:pull|push\/unmapped|rollback\/retired)/, 'The platform retired workflows on 2026-08-18.'],
  [/^push\/unrecorded/, 'The journal prevents duplicates and tells rollback what to delete.'],
  [/^push/, 'If one file is invalid, nothing is sent for any of them.'],
  [/^rollback\/in-use/, 'Calls to it would fail if what it names were deleted.'],
  [/^rollback\/unknown/, 'No response contained its id, so it cannot be deleted.'],
  [/^rollback/, 'Things are deleted where they were created, so one run uses one address.'],
  [/^journal\/missing/, 'Only what a journal names is ever deleted or restored.'],
  [/^journal/, 'Without its journal a push could create duplicates, so nothing is sent.'],
];

const rows: ReadonlyMap<string, string> = new Map(
  Object.entries({ ...apiCodes, ...findingTexts, ...commandCodes }),
);

export const faultCodes: readonly string[] = [...rows.keys()];

/** The explanation of such a code; null if the code is unknown. */
export function explainFault(code: string): Explanation | null {
  const text = (rows.get(code) ?? '').replace('%', 'A key');
  const [, given, title = '', help = ''] = /^(warning: )?(.*?)\. (.*)$/.exec(text) ?? [];
  if (title === '') return null;
  const severity = given ? 'warning' : code === 'extraction/no-description' ? 'info' : 'error';
  const why = reasons.find(([form]) => form.test(code))![1];
  return { code, kind: 'diagnostic', severity, title, why, help };
}

/** What happened, the facts in brackets, the server's message, and what to do. */
export function faultText(
  subject: string | null,
  code: CommandCode | ApiError['code'],
  facts: readonly string[] = [],
  said = '',
): string {
  const { title, severity, help } = explainFault(code)!;
  const lines = [
    `${subject === null ? '' : `${subject}: `}${code}: ${severity === 'warning' ? 'warning: ' : ''}` +
      `${title.charAt(0).toLowerCase()}${title.slice(1)}` +
      `${facts.length === 0 ? '' : ` (${facts.join(', ')})`}`,
    ...(said === '' ? [] : [`  the server says: ${said}`]),
    `  help: ${help}\n`,
  ];
  return printable(lines.join('\n'));
}

/** The same message as a refusal, which ends the command. */
export function refusal(
  code: CommandCode,
  facts: readonly string[] = [],
  exitCode: ExitCode = exitCodes.invalid,
): Refusal {
  return new Refusal(faultText(null, code, facts).trimEnd(), exitCode);
}
