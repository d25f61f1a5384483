/** The codes of an `ApiError`: how a call of the bills or of the documents service fails. */
import type { Fault } from './fault.js';

const outcome =
  'The outcome of the error says what the service has done: not-sent, refused, applied or unknown.';

const again = 'Call again where retryable says so; else look first what the service has done.';

export const ofServices: Readonly<Record<`api/${string}`, Fault>> = {
  'api/aborted': {
    title: 'The call was given up by its caller',
    why: `The signal of the call was aborted. ${outcome}`,
    help: 'Nothing, where that was wanted; else look at who aborts the signal.',
  },
  'api/applied-before': {
    title: 'An earlier attempt has done it already',
    why: 'An attempt got no answer, and the answer to its repetition says that the service had acted: it is done once.',
    help: 'Read what is there now, if its content is needed.',
  },
  'api/bad-request': {
    title: 'The service refuses the request',
    why: `The answer has a status from 400 to 499. ${outcome}`,
    help: 'Correct what serviceMessage complains of.',
  },
  'api/conflict': {
    title: 'The service is in another state',
    why: `The answer has status 409: what is asked for contradicts what is there. ${outcome}`,
    help: 'Read what is there, and decide anew.',
  },
  'api/connection-lost': {
    title: 'The connection broke before the answer',
    why: `The request was sent, and no answer came. ${outcome}`,
    help: again,
  },
  'api/deadline': {
    title: 'The call took longer than it may',
    why: `All attempts and pauses together have a deadline (deadlineMs). ${outcome}`,
    help: `${again} A longer deadlineMs gives it more time.`,
  },
  'api/endpoint-removed': {
    title: 'The service has no such endpoint any more',
    why: 'The documents service answers with ENDPOINT_REMOVED; its message names the endpoint that takes over.',
    help: 'Use the operation that serviceMessage names.',
  },
  'api/forbidden': {
    title: 'The credential is not allowed to do this',
    why: 'The answer has status 403: the service knows the credential, and the credential lacks a right.',
    help: 'Use a credential with the rights for it.',
  },
  'api/invalid-answer': {
    title: 'The answer has another form than it should',
    why: 'With validate: error, answers are held against the schema of the operation; reason names the place. The service has acted.',
    help: 'Look at the place; validate: warn reports such answers and gives them all the same.',
  },
  'api/invalid-argument': {
    title: 'An argument of a call cannot be',
    why: 'It is missing, of another type, or nothing that an address or a header could hold; reason names it. Nothing was sent.',
    help: 'Correct the argument that reason names.',
  },
  'api/invalid-option': {
    title: 'An option of a client or a handler cannot be',
    why: 'Options are checked when it is made, before there is a call; reason names the option.',
    help: 'Correct the option that reason names.',
  },
  'api/invalid-request': {
    title: 'The body of a request has another form than it should',
    why: 'With validate: error, bodies are held against the schema of the operation; reason names the place. Nothing was sent.',
    help: 'Correct the body at that place.',
  },
  'api/malformed': {
    title: 'The answer cannot be read',
    why: `It is no JSON, or lacks what every answer of its kind has. ${outcome}`,
    help: 'Check that baseUrl is the address of the service, and look what the service has done.',
  },
  'api/no-token': {
    title: 'The credential could not be had',
    why: 'The function that gives the token failed or gave none; what it threw is not repeated, as it may hold a credential.',
    help: 'Mend the function that auth names, or what it asks.',
  },
  'api/not-found': {
    title: 'The service does not know it',
    why: 'The answer has status 404 or 410. Ids belong to an account: the credential of another one does not see it.',
    help: 'Correct the id, or use the credential of the account that has it.',
  },
  'api/not-in-wire': {
    title: 'The chosen wire format has no such operation',
    why: 'The documents service speaks two formats, and each lacks operations that the other has. Nothing was sent.',
    help: 'Make a client with the other value of wire for this operation.',
  },
  'api/rate-limited': {
    title: 'The service asks for fewer requests',
    why: `The answer has status 429, to the last attempt as well. ${outcome}`,
    help: 'Call again later, and less often.',
  },
  'api/redirect': {
    title: 'The service redirects elsewhere',
    why: 'Redirects are not followed, because the credential is for the service that baseUrl names and for no other.',
    help: 'Correct baseUrl, if you trust the address that it redirects to.',
  },
  'api/refused': {
    title: 'The service says no in an answer of success',
    why: 'The bills service answers with status 200 and isSuccess: false where it does not do what it is asked for.',
    help: 'Correct what serviceMessage complains of.',
  },
  'api/repeated-page': {
    title: 'The service gives the same page again and again',
    why: 'Pages are walked until the service has no more. One that comes back would never end, so the walk stops.',
    help: 'Walk again, with a narrower filter if it stops there once more.',
  },
  'api/server-error': {
    title: 'The service failed',
    why: `The answer has a status of 500 or more. ${outcome}`,
    help: again,
  },
  'api/still-running': {
    title: 'The run has not ended in time',
    why: 'A run is asked about until it is over or deadlineMs has passed. It goes on; runId of the error names it.',
    help: 'Poll the same run again; creating it once more would start a second one.',
  },
  'api/timeout': {
    title: 'No whole answer came in time',
    why: `Each attempt may take attemptTimeoutMs, its answer included. ${outcome}`,
    help: again,
  },
  'api/too-large': {
    title: 'The answer is longer than it may be',
    why: 'Answers are read whole up to maxBytes, files as far as the caller reads; half of an answer is never given.',
    help: 'Ask for less at once, or raise maxBytes.',
  },
  'api/truncated': {
    title: 'The answer is cut off',
    why: `It is shorter than its header says, or broke in the middle; half of it is never given. ${outcome}`,
    help: again,
  },
  'api/unauthorized': {
    title: 'The service does not accept the credential',
    why: 'The answer has status 401, also with a new token where one could be had.',
    help: 'Correct the credential.',
  },
  'api/unreachable': {
    title: 'There is no connection to the service',
    why: 'Its name is not known, it takes no connection, or its certificate is not trusted. Nothing was sent.',
    help: 'Check baseUrl, the certificate of the service and the network.',
  },
  'api/usage-blocked': {
    title: 'The account may not use the service now',
    why: 'The documents service answers with USAGE_BLOCKED: its plan, its credits or its payments stand in the way.',
    help: 'Settle that with the service; calling again changes nothing.',
  },
  'api/webhook-body': {
    title: 'The body of a webhook is no event',
    why: 'Its signature is right, and what it signs is no JSON object of an event.',
    help: 'Give verifyWebhook the body as it came, and answer it with 400.',
  },
  'api/webhook-from-future': {
    title: 'A webhook is from the future',
    why: 'The time in its header is later than the clock of this machine allows, so it is not trusted.',
    help: 'Set the clock of the machine; else take it for forged and answer it with 400.',
  },
  'api/webhook-signature': {
    title: 'The signature of a webhook is wrong',
    why: 'It was signed with another secret, changed on its way, or signed by nobody. Nothing of its body was read.',
    help: 'Check the secret, and give verifyWebhook the bytes as they came; else answer it with 400.',
  },
  'api/webhook-timestamp': {
    title: 'A webhook does not say when it was sent',
    why: 'The header with the time is missing or no time. Without it an old delivery could be sent again by anybody.',
    help: 'Check vendorPrefix; else take it for forged and answer it with 400.',
  },
  'api/webhook-too-old': {
    title: 'A webhook was sent too long ago',
    why: 'Whoever has seen a delivery could send it again later, so old ones are not trusted.',
    help: 'Verify when it comes, not later from a queue; else answer it with 400.',
  },
  'api/wrong-type': {
    title: 'The answer is of another type than it should be',
    why: `JSON was expected, or a file as it is, and something else came, such as a web page. ${outcome}`,
    help: 'Check that baseUrl is the address of the service.',
  },
};
