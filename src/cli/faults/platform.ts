/** The faults of the commands that call the platform: `pull`, `push`, `rollback`, `callers`. */
import type { Fault } from './fault.js';

type Kind =
  | 'unauthorized'
  | 'forbidden'
  | 'missing'
  | 'refused'
  | 'limited'
  | 'server'
  | 'timeout'
  | 'unreachable'
  | 'broken'
  | 'truncated'
  | 'too-large'
  | 'redirect'
  | 'base-url'
  | 'id'
  | 'key'
  | 'key-argument'
  | 'key-in-workflow'
  | 'more'
  | 'no-ids'
  | 'no-key'
  | 'not-json'
  | 'not-tried';

const again = 'Run the command again later; what is done already is not done twice.';

const repeated =
  'Requests that cannot act twice are sent up to four times, with pauses between them.';

export const ofPlatform: Readonly<Record<`platform/${Kind}`, Fault>> = {
  'platform/unauthorized': {
    title: 'The server does not accept the key',
    why: 'The answer has status 401. No other request is sent then, since each would meet the same.',
    help: 'Correct the key where --key-env or --key-file says.',
  },
  'platform/forbidden': {
    title: 'The key is not allowed to do this',
    why: 'The answer has status 403: the server knows the key, and the key lacks a right.',
    help: 'Use a key with the rights for it.',
  },
  'platform/missing': {
    title: 'The server does not know it',
    why: 'The answer has status 404. Ids belong to an account: the key of another one does not see it.',
    help: 'Correct the id, or check that the key belongs to the account that has it.',
  },
  'platform/refused': {
    title: 'The server refuses the request',
    why: 'The answer has a status from 400 to 499; what the server complains of is shown with it.',
    help: 'Correct what the server complains of.',
  },
  'platform/limited': {
    title: 'The server asks for fewer requests',
    why: `The answer has status 429. ${repeated} The server still said no to the last of them.`,
    help: again,
  },
  'platform/server': {
    title: 'The server failed',
    why: `The answer has a status of 500 or more. ${repeated}`,
    help: again,
  },
  'platform/timeout': {
    title: 'No whole answer came in time',
    why: `An attempt may take 30 seconds, its answer included. ${repeated}`,
    help: again,
  },
  'platform/unreachable': {
    title: 'There is no connection to the server',
    why: 'The name of the server is not known, it takes no connection, or its certificate is not trusted.',
    help: 'Check --base-url, the certificate of the server and the network.',
  },
  'platform/broken': {
    title: 'The connection broke before the answer',
    why: `What the server did with the request is not known then. ${repeated}`,
    help: again,
  },
  'platform/truncated': {
    title: 'The answer is cut off, or no text in UTF-8',
    why: 'Half of a workflow could look like a whole one, so nothing of such an answer is used.',
    help: again,
  },
  'platform/too-large': {
    title: 'The answer is longer than 16 MB',
    why: 'No workflow is that long. What answers is hardly the API of the platform.',
    help: 'Check that --base-url is the address of the API.',
  },
  'platform/redirect': {
    title: 'The server redirects elsewhere, where the key is not sent',
    why: 'The key is sent to the address that --base-url names and to no other, wherever that one points.',
    help: 'Check --base-url; use the address that it redirects to if you trust it.',
  },
  'platform/base-url': {
    title: 'The address of the platform cannot be used',
    why: 'The key is sent there, so the address must be plain: https (http on this machine only), without a user, a password or a query.',
    help: 'Write the address as https://<host>, with its path if it has one.',
  },
  'platform/id': {
    title: 'This can be no id of a workflow',
    why: 'The id becomes part of an address. What could lead elsewhere there is refused before anything is sent.',
    help: 'Correct the id: it has 1 to 200 letters, digits and signs, and no blanks.',
  },
  'platform/key': {
    title: 'There is no usable key where the option says',
    why: 'The environment variable is not set, the file cannot be read, or what is there can be no key. The message repeats nothing of it, as it may be one.',
    help: 'Put the key there alone, on one line.',
  },
  'platform/key-argument': {
    title: 'The key was given as an argument',
    why: 'Other programs of the machine can read the arguments of a command, and shells keep them in a history.',
    help: 'Name an environment variable with --key-env, or a file with --key-file, and replace the key.',
  },
  'platform/key-in-workflow': {
    severity: 'warning',
    title: 'The workflow itself holds the key',
    why: 'The API key with which it was fetched stands in one of its texts, and so it stands in the file now, where others may read it.',
    help: 'Replace the key, and let the workflow read it from a credential.',
  },
  'platform/no-ids': {
    title: 'There is no id of a workflow',
    why: 'The command fetches what it is told, and neither its arguments nor the file of --ids-file name anything.',
    help: 'Give ids, --ids-file, or --all.',
  },
  'platform/no-key': {
    title: 'This needs an API key',
    why: 'The platform answers nobody without a key of its API, and the command looks for one in VAPI_API_KEY, or where it is told.',
    help: 'Set VAPI_API_KEY, or name another variable with --key-env, or a file with --key-file.',
  },
  'platform/more': {
    severity: 'warning',
    title: 'There may be more than the platform lists',
    why: 'The platform lists so many at a time, and as many came. Those that it did not list are left out.',
    help: 'Give the ids of other workflows, or a file of them with --ids-file; run push --numbers again for other numbers.',
  },
  'platform/not-json': {
    title: 'The answer is no JSON object',
    why: 'A workflow is one JSON object. A web page in its place mostly means that --base-url is the address of something else.',
    help: 'Check that --base-url is the address of the API, and run the command again.',
  },
  'platform/not-tried': {
    title: 'It was not tried, because of a fault before it',
    why: 'After a fault that every other request would meet, such as a wrong key, the rest is not sent.',
    help: 'Mend the fault that is told before, and run the command again.',
  },
};
