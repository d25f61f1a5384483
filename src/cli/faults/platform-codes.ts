/** What the commands say that call the platform, and the journal that they keep, by code. */
import type { SquadFault } from '../../platform/push.js';
import type { Rows } from './explain-fault.js';

export const platformCodes = {
  'platform/unauthorized': [
    'The server does not accept the key',
    'Correct the key where --key-env or --key-file says.',
    'The answer has status 401. No other request is sent then, since each would meet the same.',
  ],
  'platform/forbidden': ['The key is not allowed to do this', 'Use a key with the rights for it.'],
  'platform/missing': [
    'The server does not know it',
    'Correct the id, or check that the key belongs to the account that has it.',
    'The answer has status 404. Ids belong to an account: the key of another one does not see it.',
  ],
  'platform/refused': ['The server refuses the request', 'Correct what the server complains of.'],
  'platform/limited': [
    'The server asks for fewer requests',
    'Run the command again later; what is done already is not done twice.',
  ],
  'platform/server': [
    'The server failed',
    'Run the command again later; what is done already is not done twice.',
  ],
  'platform/timeout': [
    'No whole answer came in time',
    'Run the command again later; what is done already is not done twice.',
  ],
  'platform/unreachable': [
    'There is no connection to the server',
    'Check --base-url, the certificate of the server and the network.',
    'The name of the server is not known, it takes no connection, or its certificate is not trusted.',
  ],
  'platform/broken': [
    'The connection broke before the answer',
    'Run the command again later; what is done already is not done twice.',
  ],
  'platform/truncated': [
    'The answer is cut off, or no text in UTF-8',
    'Run the command again later; what is done already is not done twice.',
    'Half of a workflow could look like a whole one, so nothing of such an answer is used.',
  ],
  'platform/too-large': [
    'The answer is longer than 16 MB',
    'Check that --base-url is the address of the API.',
  ],
  'platform/redirect': [
    'The server redirects elsewhere, where the key is not sent',
    'Check --base-url; use the address that it redirects to if you trust it.',
    'The key is sent to the address that --base-url names and to no other, wherever that one points.',
  ],
  'platform/base-url': [
    'The address of the platform cannot be used',
    'Write the address as https://<host>, with its path if it has one.',
    'The key is sent there, so the address must be plain: https (http on this machine only), without a user, a password or a query.',
  ],
  'platform/id': [
    'This can be no id of a workflow',
    'Correct the id: it has 1 to 200 letters, digits and signs, and no blanks.',
    'The id becomes part of an address. What could lead elsewhere there is refused before anything is sent.',
  ],
  'platform/key': [
    'There is no usable key where the option says',
    'Put the key there alone, on one line.',
    'The environment variable is not set, the file cannot be read, or what is there can be no key. The message repeats nothing of it, as it may be one.',
  ],
  'platform/key-argument': [
    'The key was given as an argument',
    'Name an environment variable with --key-env, or a file with --key-file, and replace the key.',
    'Other programs of the machine can read the arguments of a command, and shells keep them in a history.',
  ],
  'platform/key-in-workflow': [
    'warning: The workflow itself holds the key',
    'Replace the key, and let the workflow read it from a credential.',
    'The API key with which it was fetched stands in one of its texts, and so it stands in the file now, where others may read it.',
  ],
  'platform/no-ids': ['There is no id of a workflow', 'Give ids, --ids-file, or --all.'],
  'platform/no-key': [
    'This needs an API key',
    'Set VAPI_API_KEY, or name another variable with --key-env, or a file with --key-file.',
    'The platform answers nobody without a key of its API, and the command looks for one in VAPI_API_KEY, or where it is told.',
  ],
  'platform/more': [
    'warning: There may be more than the platform lists',
    'Give the ids of other workflows, or a file of them with --ids-file; run push --numbers again for other numbers.',
    'The platform lists so many at a time, and as many came. Those that it did not list are left out.',
  ],
  'platform/not-json': [
    'The answer is no JSON object',
    'Check that --base-url is the address of the API, and run the command again.',
  ],
  'platform/not-tried': [
    'It was not tried, because of a fault before it',
    'Mend the fault that is told before, and run the command again.',
    'After a fault that every other request would meet, such as a wrong key, the rest is not sent.',
  ],
} satisfies Rows;

export const pushCodes = {
  'push/not-json': ['It is not JSON', 'Give a file that squadc compile --target vapi wrote.'],
  'push/not-object': ['It is no object', 'Give a file that squadc compile --target vapi wrote.'],
  'push/target-squad': [
    'The squad has the form of target squad',
    'Compile the workflow with --target vapi and push that.',
    'A document { squad: … } is for reading and for tests; the platform does not accept it. With one such file among them nothing is sent, so that a run is either begun with all or not at all.',
  ],
  'push/workflow': [
    'It is a workflow',
    'Compile it with squadc compile --target vapi and push the result.',
    'A workflow has nodes, and a squad has members. Only squads are pushed. With one such file among them nothing is sent, so that a run is either begun with all or not at all.',
  ],
  'push/no-members': [
    'The squad has no members',
    'Give a file that squadc compile --target vapi wrote.',
  ],
  'push/member': [
    'A member has neither an assistant nor an assistantId',
    'Give each member one of both.',
    'A member is an assistant of its own, or a saved one by its id. With one such file among them nothing is sent, so that a run is either begun with all or not at all.',
  ],
  'push/member-overrides': [
    'The squad has memberOverrides',
    'Compile the workflow with --target vapi; there the key is membersOverrides.',
  ],
  'push/same-names': [
    'Two members have the same name',
    'Rename one of them, and the handoffs that lead to it.',
    'Handoffs go by name, so the platform takes no two members of one name. With one such file among them nothing is sent, so that a run is either begun with all or not at all.',
  ],
  'push/edited': [
    'Somebody edited it on the platform since it was pushed',
    'Bring the edit into the workflow and undo it on the platform, then push again; or push the squad under another file name, as a new one.',
    'What the platform holds is neither what was sent nor what it answered then. A change would overwrite the edit, so nothing of this squad is sent.',
  ],
  'push/unknown': [
    'Whether it exists is not known',
    'Look for it on the platform. Where there is none, push again with --retry-unknown.',
    'A request to create it was sent, and no answer said what became of it. Sent once more, there might be two.',
  ],
  'push/unrecorded': [
    'The journal could not be written after a request',
    'Keep the id that is told, and make room for the journal before the next push.',
    'What was created stands in the journal, so that it is not created twice and rollback finds it. This one does not stand there.',
  ],
} satisfies Rows<`push/${SquadFault | 'edited' | 'unknown' | 'unrecorded'}`>;

export const rollbackCodes = {
  'rollback/addresses': [
    'The journal names more than one address',
    'Say with --base-url which of them is meant.',
    'Each squad is deleted where it was created, with a key for that place, so one run works at one address.',
  ],
  'rollback/unknown': [
    'warning: Something may exist whose id is not known',
    'Look for it on the platform, and delete it there.',
    'A request to create it was sent, and no answer named its id. Without an id nothing can be deleted.',
  ],
} satisfies Rows;

export const journalCodes = {
  'journal/file': [
    'The journal cannot be read or written',
    'Correct the path of --journal or its rights.',
    'Without its journal a push could create squads twice, and nobody could take them back; so nothing is sent.',
  ],
  'journal/line': [
    'A line of the journal is no entry',
    'Name the journal that squadc push wrote, or restore the line; nothing was sent.',
    'Each line is one entry that squadc push wrote. Reading past one that is none could miss a squad, so nothing is sent.',
  ],
  'journal/locked': [
    'Another run uses the journal',
    'Wait until the other run has ended; if there is none, remove the lock that is named.',
    'Two runs that write one journal could create the same squad twice, so the second one waits for nobody and ends.',
  ],
  'journal/missing': [
    'There is no journal',
    'Name the journal that squadc push wrote with --journal.',
    'Only what stands in a journal of squadc push is deleted, so without one there is nothing to do.',
  ],
} satisfies Rows;
