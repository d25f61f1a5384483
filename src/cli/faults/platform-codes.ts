/** What the commands say that call the platform, and the journal that they keep, by code. */
import type { SquadFault } from '../../platform/push.js';
import type { Rows } from './explain-fault.js';

export const platformCodes = {
  'platform/unauthorized': [
    'The server does not accept the key',
    'Correct the key that --key-env or --key-file refers to.',
    'The response has status 401. No other request is sent, because they would all fail the same way.',
  ],
  'platform/forbidden': ['The key lacks permission', 'Use a key with the required permissions.'],
  'platform/missing': [
    'The server cannot find it',
    'Correct the id, or use a key of the account that owns it.',
    'The response has status 404. Ids belong to an account, and a key of another account cannot see them.',
  ],
  'platform/refused': ['The server rejects the request', 'Correct it as its message says.'],
  'platform/limited': [
    'The server is limiting requests',
    'Run the command again later. Nothing is done twice.',
  ],
  'platform/server': ['The server failed', 'Run the command again later. Nothing is done twice.'],
  'platform/timeout': [
    'The response took too long',
    'Run the command again later. Nothing is done twice.',
  ],
  'platform/unreachable': [
    'Cannot connect to the server',
    'Check --base-url, the certificate of the server and the network.',
    'The server’s name is unknown, it accepts no connection, or its certificate is not trusted.',
  ],
  'platform/broken': [
    'The connection was lost before the response',
    'Run the command again later. Nothing is done twice.',
  ],
  'platform/truncated': [
    'The response is truncated or not UTF-8',
    'Run the command again later. Nothing is done twice.',
    'Half a workflow could look like a whole one, so such a response is not used.',
  ],
  'platform/too-large': [
    'The response is larger than 16 MB',
    'Check that --base-url is the address of the API.',
  ],
  'platform/redirect': [
    'The server redirects to another address',
    'Check --base-url. If you trust the new address, use it instead.',
    'The key is only ever sent to the address in --base-url.',
  ],
  'platform/base-url': [
    'The platform’s address is invalid',
    'Write the address as https://<host>, with a path if needed.',
    'The key is sent there, so the address must use https (http only on this machine), without a user name, password or query.',
  ],
  'platform/id': [
    'This is not a valid workflow id',
    'Correct the id. It has 1 to 200 letters, digits or signs, and no spaces.',
    'The id becomes part of an address, so anything that could change the address is rejected.',
  ],
  'platform/key': [
    'The API key cannot be used',
    'Store only the key there, on one line.',
    'The environment variable is not set, the file cannot be read, or its content cannot be a key. The message never repeats the content.',
  ],
  'platform/key-argument': [
    'The key was given as an argument',
    'Use --key-env or --key-file instead, and revoke this key.',
    'Other programs can read the arguments of a command, and shells keep them in their history.',
  ],
  'platform/key-in-workflow': [
    'warning: The workflow contains the API key',
    'Revoke the key, and use a credential in the workflow.',
    'One of its texts contains the API key that it was downloaded with, so the file contains it too.',
  ],
  'platform/no-ids': ['No workflow id was given', 'Pass ids, --ids-file, or --all.'],
  'platform/no-key': [
    'An API key is required',
    'Set VAPI_API_KEY, or name another variable with --key-env, or a file with --key-file.',
    'The platform requires an API key. By default the command reads it from VAPI_API_KEY.',
  ],
  'platform/more': [
    'warning: There may be more than the platform listed',
    'Pass the ids of the missing workflows, or a file of them with --ids-file. For numbers, run push --numbers again.',
    'The response is as long as the platform allows, so some may be missing.',
  ],
  'platform/not-json': [
    'The response is not a JSON object',
    'Check that --base-url is the address of the API, and run the command again.',
  ],
  'platform/not-tried': [
    'It was not tried, because of an earlier error',
    'Fix the earlier error, and run the command again.',
    'After an error that would affect every request, such as an invalid key, the rest is not sent.',
  ],
} satisfies Rows;

export const pushCodes = {
  'push/not-json': ['It is not JSON', 'Pass a file that squadc compile --target vapi wrote.'],
  'push/not-object': [
    'It is not an object',
    'Pass a file that squadc compile --target vapi wrote.',
  ],
  'push/target-squad': [
    'The squad is for the target squad',
    'Compile the workflow with --target vapi, and push the result.',
    'The platform does not accept a document of the form { squad: … }. If one file is invalid, nothing is sent for any of them.',
  ],
  'push/workflow': [
    'It is a workflow',
    'Compile it with squadc compile --target vapi and push the result.',
    'A workflow has nodes, and a squad has members. Only squads are pushed. If one file is invalid, nothing is sent for any of them.',
  ],
  'push/no-members': [
    'The squad has no members',
    'Pass a file that squadc compile --target vapi wrote.',
  ],
  'push/member': [
    'A member has neither an assistant nor an assistantId',
    'Give each member one of the two.',
    'A member contains an assistant or the id of a saved one. If one file is invalid, nothing is sent for any of them.',
  ],
  'push/member-overrides': [
    'The squad has memberOverrides',
    'Compile the workflow with --target vapi; there the key is membersOverrides.',
  ],
  'push/same-names': [
    'Two members have the same name',
    'Rename one of them, and the handoffs that lead to it.',
    'Handoffs use names, so every name must be unique. If one file is invalid, nothing is sent for any of them.',
  ],
  'push/edited': [
    'It was edited on the platform since it was pushed',
    'Make the same edit in the workflow, undo it on the platform, and push again; or push the squad under another file name, as a new one.',
    'An update would overwrite that edit, so nothing is sent for this squad.',
  ],
  'push/unknown': [
    'It is unknown whether it exists',
    'Look for it on the platform. If it does not exist, push again with --retry-unknown.',
    'A request to create it was sent, but there was no usable response. Sending it again could create a duplicate.',
  ],
  'push/unrecorded': [
    'The journal could not be written after a request',
    'Keep the id shown here, and free some space for the journal before the next push.',
    'The journal prevents duplicates and tells rollback what to delete. This one is missing from it.',
  ],
} satisfies Rows<`push/${SquadFault | 'edited' | 'unknown' | 'unrecorded'}`>;

export const rollbackCodes = {
  'rollback/addresses': [
    'The journal names more than one address',
    'Choose one of them with --base-url.',
    'A squad is deleted where it was created, so one run uses one address.',
  ],
  'rollback/unknown': [
    'warning: Something with an unknown id may exist',
    'Look for it on the platform, and delete it there.',
    'A request to create it was sent, but no response named its id, so it cannot be deleted.',
  ],
} satisfies Rows;

export const journalCodes = {
  'journal/file': [
    'The journal cannot be read or written',
    'Correct the path of --journal, or its permissions.',
    'Without its journal a push could create duplicates that nobody can roll back, so nothing is sent.',
  ],
  'journal/line': [
    'A line of the journal is invalid',
    'Pass the journal that squadc push wrote, or restore the line.',
    'Skipping an invalid line could miss a squad, so nothing is sent.',
  ],
  'journal/locked': [
    'Another run is using the journal',
    'Wait until the other run has ended. If there is none, remove the lock file.',
    'Two runs with the same journal could create duplicates, so the second one stops.',
  ],
  'journal/missing': [
    'There is no journal',
    'Pass the journal that squadc push wrote with --journal.',
    'Only what a journal names is deleted, so without one there is nothing to do.',
  ],
} satisfies Rows;
