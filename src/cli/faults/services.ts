/** What the clients of both services say, and the rules of extraction schemas, by code. */
import type { FindingCode } from '../../documents-schemas.js';
import type { Rows } from './explain-fault.js';

/** The codes of an `ApiError`: how a call of either service fails. */
export const apiCodes = {
  'api/aborted': [
    'The call was given up by its caller',
    'Nothing, where that was wanted; else look at who aborts the signal.',
    'The signal of the call was aborted. The outcome of the error says what the service has done: not-sent, refused, applied or unknown.',
  ],
  'api/applied-before': [
    'An earlier attempt has done it already',
    'Read what is there now, if its content is needed.',
    'An attempt got no answer, and the answer to its repetition says that the service had acted: it is done once.',
  ],
  'api/bad-request': [
    'The service refuses the request',
    'Correct what serviceMessage complains of.',
  ],
  'api/conflict': ['The service is in another state', 'Read what is there, and decide anew.'],
  'api/connection-lost': [
    'The connection broke before the answer',
    'Call again where retryable says so; else look first what the service has done.',
  ],
  'api/deadline': [
    'The call took longer than it may',
    'Call again where retryable says so; else look first what the service has done. A longer deadlineMs gives it more time.',
    'All attempts and pauses together have a deadline (deadlineMs). The outcome of the error says what the service has done: not-sent, refused, applied or unknown.',
  ],
  'api/endpoint-removed': [
    'The service has no such endpoint any more',
    'Use the operation that serviceMessage names.',
    'The documents service answers with ENDPOINT_REMOVED; its message names the endpoint that takes over.',
  ],
  'api/forbidden': [
    'The credential is not allowed to do this',
    'Use a credential with the rights for it.',
  ],
  'api/invalid-argument': [
    'An argument of a call cannot be',
    'Correct the argument that reason names.',
    'It is missing, of another type, or nothing that an address or a header could hold; reason names it. Nothing was sent.',
  ],
  'api/invalid-option': [
    'An option of a client or a handler cannot be',
    'Correct the option that reason names.',
    'Options are checked when it is made, before there is a call; reason names the option.',
  ],
  'api/malformed': [
    'The answer cannot be read',
    'Check that baseUrl is the address of the service, and look what the service has done.',
  ],
  'api/no-token': [
    'The credential could not be had',
    'Mend the function that auth names, or what it asks.',
    'The function that gives the token failed or gave none; what it threw is not repeated, as it may hold a credential.',
  ],
  'api/not-found': [
    'The service does not know it',
    'Correct the id, or use the credential of the account that has it.',
    'The answer has status 404 or 410. Ids belong to an account: the credential of another one does not see it.',
  ],
  'api/not-in-wire': [
    'The chosen wire format has no such operation',
    'Make a client with the other value of wire for this operation.',
    'The documents service speaks two formats, and each lacks operations that the other has. Nothing was sent.',
  ],
  'api/rate-limited': ['The service asks for fewer requests', 'Call again later, and less often.'],
  'api/redirect': [
    'The service redirects elsewhere',
    'Correct baseUrl, if you trust the address that it redirects to.',
    'Redirects are not followed, because the credential is for the service that baseUrl names and for no other.',
  ],
  'api/refused': [
    'The service says no in an answer of success',
    'Correct what serviceMessage complains of.',
    'The bills service answers with status 200 and isSuccess: false where it does not do what it is asked for.',
  ],
  'api/repeated-page': [
    'The service gives the same page again and again',
    'Walk again, with a narrower filter if it stops there once more.',
    'Pages are walked until the service has no more. One that comes back would never end, so the walk stops.',
  ],
  'api/server-error': [
    'The service failed',
    'Call again where retryable says so; else look first what the service has done.',
  ],
  'api/still-running': [
    'The run has not ended in time',
    'Poll the same run again; creating it once more would start a second one.',
    'A run is asked about until it is over or deadlineMs has passed. It goes on; runId of the error names it.',
  ],
  'api/timeout': [
    'No whole answer came in time',
    'Call again where retryable says so; else look first what the service has done.',
  ],
  'api/too-large': [
    'The answer is longer than it may be',
    'Ask for less at once, or raise maxBytes.',
    'Answers are read whole up to maxBytes, files as far as the caller reads; half of an answer is never given.',
  ],
  'api/truncated': [
    'The answer is cut off',
    'Call again where retryable says so; else look first what the service has done.',
  ],
  'api/unauthorized': ['The service does not accept the credential', 'Correct the credential.'],
  'api/unreachable': [
    'There is no connection to the service',
    'Check baseUrl, the certificate of the service and the network.',
    'Its name is not known, it takes no connection, or its certificate is not trusted. Nothing was sent.',
  ],
  'api/usage-blocked': [
    'The account may not use the service now',
    'Settle that with the service; calling again changes nothing.',
    'The documents service answers with USAGE_BLOCKED: its plan, its credits or its payments stand in the way.',
  ],
  'api/webhook-body': [
    'The body of a webhook is no event',
    'Give verifyWebhook the body as it came, and answer it with 400.',
    'Its signature is right, and what it signs is no JSON object of an event.',
  ],
  'api/webhook-from-future': [
    'A webhook is from the future',
    'Set the clock of the machine; else take it for forged and answer it with 400.',
    'The time in its header is later than the clock of this machine allows, so it is not trusted.',
  ],
  'api/webhook-signature': [
    'The signature of a webhook is wrong',
    'Check the secret, and give verifyWebhook the bytes as they came; else answer it with 400.',
    'It was signed with another secret, changed on its way, or signed by nobody. Nothing of its body was read.',
  ],
  'api/webhook-timestamp': [
    'A webhook does not say when it was sent',
    'Check vendorPrefix; else take it for forged and answer it with 400.',
    'The header with the time is missing or no time. Without it an old delivery could be sent again by anybody.',
  ],
  'api/webhook-too-old': [
    'A webhook was sent too long ago',
    'Verify when it comes, not later from a queue; else answer it with 400.',
    'Whoever has seen a delivery could send it again later, so old ones are not trusted.',
  ],
  'api/wrong-type': [
    'The answer is of another type than it should be',
    'Check that baseUrl is the address of the service.',
  ],
} satisfies Rows;

/** The findings of `lintExtractionSchema`. */
export const extractionCodes = {
  'extraction/root': ['The schema itself is no object', 'Give it the type "object".'],
  'extraction/not-a-schema': [
    'What should be a schema is none',
    'Put an object with a type there.',
  ],
  'extraction/malformed': [
    'A keyword has a value of the wrong kind',
    'Correct the value of the keyword that is named.',
  ],
  'extraction/duplicate': ['A list names something twice', 'Leave one of both.'],
  'extraction/type': [
    'The type is none that a field can have',
    'Use string, number, integer or boolean, each in a list with "null", or object, or array.',
  ],
  'extraction/not-nullable': [
    'A field cannot be missing',
    'Write its type as a list with "null", for example ["string", "null"].',
  ],
  'extraction/nullable-container': [
    'An object or an array may be null',
    'Write its type as one word, without "null".',
  ],
  'extraction/items': [
    'An array does not say what it holds',
    'Give it items: one schema, of an object or of a scalar.',
  ],
  'extraction/too-deep': [
    'An object stands deeper than level 5',
    'Move its fields up, or into a schema of their own.',
  ],
  'extraction/property-name': [
    'The name of a property has other signs than it may',
    'Use letters, digits, underscores and hyphens alone.',
  ],
  'extraction/properties': ['An object does not list its properties', 'Add properties.'],
  'extraction/required': [
    'An object does not require all of its properties',
    'Name each of them in required; a field that may be missing is null.',
  ],
  'extraction/required-unknown': [
    'A property is required that there is not',
    'Correct the name in required, or add the property.',
  ],
  'extraction/additional-properties': [
    'An object leaves open what else it holds',
    'Set additionalProperties to false.',
  ],
  'extraction/enum-null': ['The choices lack null', 'Add null to enum.'],
  'extraction/enum-value': ['A choice is no text', 'Write the choices as texts.'],
  'extraction/enum-type': [
    'A field with choices is no string',
    'Give it the type ["string", "null"], or leave out enum.',
  ],
  'extraction/unsupported': [
    'A keyword is not supported',
    'Say it without the keyword, or in the description.',
  ],
  'extraction/special-type': ['The special type is none', 'Use "date", "currency" or "signature".'],
  'extraction/date': ['A date is no string', 'Give it the type ["string", "null"].'],
  'extraction/currency': [
    'A currency lacks its parts',
    'Give it the properties amount and iso_4217_currency_code.',
  ],
  'extraction/signature': [
    'A signature lacks its parts',
    'Give it the properties printed_name, signature_date, is_signed and title_or_role.',
  ],
  'extraction/descriptions-alone': [
    'Choices are described, and there are none',
    'Add enum beside the descriptions, or leave them out.',
  ],
  'extraction/descriptions-count': [
    'There are not as many descriptions as choices',
    'Write one description for each choice but null.',
  ],
  'extraction/extra-part': [
    'warning: A currency or a signature has more parts than it can',
    'Leave out the properties that are named.',
  ],
  'extraction/misplaced': [
    'warning: A keyword stands on a type of which it says nothing',
    'Leave out the keyword, or correct the type.',
  ],
  'extraction/foreign-keyword': [
    'warning: A keyword belongs to another service',
    'Correct the prefix or the name of the keyword.',
  ],
  'extraction/unknown-keyword': [
    'info: A keyword is not known to have an effect',
    'Leave it out, unless something else reads it.',
  ],
  'extraction/no-description': ['info: A field has no description', 'Add a description.'],
} satisfies Rows<FindingCode>;
