/** What the clients of both services say, and the rules of extraction schemas, by code. */
import type { FindingCode } from '../../documents-schemas.js';
import type { Rows } from './explain-fault.js';

/** The codes of an `ApiError`: how a call of either service fails. */
export const apiCodes = {
  'api/aborted': [
    'The caller aborted the call',
    'No action needed if that was intended. Otherwise find out what aborts the signal.',
    'The signal of the call was aborted. The error’s outcome says what the service has done: not-sent, refused, applied or unknown.',
  ],
  'api/applied-before': [
    'An earlier attempt already did it',
    'Read the current state, if you need it.',
    'An attempt got no response, and the response to its repetition says that the service had already acted. It was done once.',
  ],
  'api/bad-request': ['The service rejects the request', 'Correct it as serviceMessage says.'],
  'api/conflict': [
    'The request conflicts with the service’s state',
    'Read the current state, and decide again.',
  ],
  'api/connection-lost': [
    'The connection was lost before the response',
    'Retry if retryable is true. Otherwise check first what the service has done.',
  ],
  'api/deadline': [
    'The call took too long',
    'Retry if retryable is true. Otherwise check first what the service has done. A longer deadlineMs allows more time.',
    'All attempts and pauses together exceeded deadlineMs. The error’s outcome says what the service has done: not-sent, refused, applied or unknown.',
  ],
  'api/endpoint-removed': [
    'The endpoint was removed from the service',
    'Use the operation that serviceMessage names.',
    'The documents service responds with ENDPOINT_REMOVED and names the replacement.',
  ],
  'api/forbidden': [
    'The credential lacks permission',
    'Use a credential with the required permissions.',
  ],
  'api/invalid-argument': [
    'An argument of a call is invalid',
    'Correct the argument named in reason.',
    'It is missing, has the wrong type, or cannot be part of an address or a header; reason names it. Nothing was sent.',
  ],
  'api/invalid-option': [
    'An option of a client or a handler is invalid',
    'Correct the option named in reason.',
    'Options are checked when the client or handler is created; reason names the option.',
  ],
  'api/malformed': [
    'The response cannot be read',
    'Check that baseUrl is the address of the service, and check what the service has done.',
  ],
  'api/no-token': [
    'The credential could not be obtained',
    'Fix the function given as auth.',
    'The function that provides the token failed or returned none. Its error is not shown, because it may contain a credential.',
  ],
  'api/not-found': [
    'The service cannot find it',
    'Correct the id, or use a credential of the account that owns it.',
    'The response has status 404 or 410. Ids belong to an account, and a credential of another account cannot see them.',
  ],
  'api/not-in-wire': [
    'The selected wire format lacks this operation',
    'Create a client with the other value of wire for this operation.',
    'The documents service has two wire formats with different operations. Nothing was sent.',
  ],
  'api/rate-limited': [
    'The service is limiting requests',
    'Call again later, and less frequently.',
  ],
  'api/redirect': [
    'The service redirects to another address',
    'If you trust the new address, use it as baseUrl.',
    'Redirects are not followed, because the credential must only be sent to baseUrl.',
  ],
  'api/refused': [
    'The service refused with a success status',
    'Correct the request as serviceMessage says.',
    'The bills service responds with status 200 and isSuccess: false when it refuses.',
  ],
  'api/repeated-page': [
    'The service keeps returning the same page',
    'Try again, with a narrower filter if it happens again.',
    'A page that repeats would never end, so paging stops.',
  ],
  'api/server-error': [
    'The service failed',
    'Retry if retryable is true. Otherwise check first what the service has done.',
  ],
  'api/still-running': [
    'The run did not finish in time',
    'Poll the same run again. Creating it again would start a second one.',
    'A run is polled until it ends or deadlineMs has passed. It continues; the error’s runId names it.',
  ],
  'api/timeout': [
    'The response took too long',
    'Retry if retryable is true. Otherwise check first what the service has done.',
  ],
  'api/too-large': [
    'The response is too large',
    'Request less at once, or raise maxBytes.',
    'Responses are limited to maxBytes; a partial response is never returned.',
  ],
  'api/truncated': [
    'The response is truncated',
    'Retry if retryable is true. Otherwise check first what the service has done.',
  ],
  'api/unauthorized': ['The service does not accept the credential', 'Correct the credential.'],
  'api/unreachable': [
    'Cannot connect to the service',
    'Check baseUrl, the certificate of the service and the network.',
    'Its name is unknown, it accepts no connection, or its certificate is not trusted. Nothing was sent.',
  ],
  'api/usage-blocked': [
    'The account cannot use the service at the moment',
    'Contact the service. Calling again does not help.',
    'The documents service responds with USAGE_BLOCKED because of the account’s plan, credits or payments.',
  ],
  'api/webhook-body': [
    'The body of a webhook is not an event',
    'Pass the unchanged body to verifyWebhook, and respond with 400.',
    'Its signature is valid, but the body is not a JSON object of an event.',
  ],
  'api/webhook-from-future': [
    'The time of a webhook is in the future',
    'Check the machine’s clock. If it is right, treat the webhook as forged and respond with 400.',
    'A signature made for a later time is not trusted.',
  ],
  'api/webhook-signature': [
    'The signature of a webhook is invalid',
    'Check the secret, and pass the unchanged bytes to verifyWebhook. Otherwise respond with 400.',
    'It was signed with another secret, changed in transit, or not signed. Its body was not read.',
  ],
  'api/webhook-timestamp': [
    'A webhook does not say when it was sent',
    'Check vendorPrefix. Otherwise treat the webhook as forged and respond with 400.',
    'The header with the time is missing or invalid. Without it anybody could resend an old delivery.',
  ],
  'api/webhook-too-old': [
    'A webhook was sent too long ago',
    'Verify it on arrival, not later from a queue. Otherwise respond with 400.',
    'Anybody who has seen a delivery could resend it, so old ones are not trusted.',
  ],
  'api/wrong-type': [
    'The response has the wrong content type',
    'Check that baseUrl is the address of the service.',
  ],
} satisfies Rows;

/** The findings of `lintExtractionSchema`. */
export const extractionCodes = {
  'extraction/root': ['The schema itself is not an object', 'Set its type to "object".'],
  'extraction/not-a-schema': ['Expected a schema', 'Write an object with a type.'],
  'extraction/malformed': ['A keyword has an invalid value', 'Correct the value of this keyword.'],
  'extraction/duplicate': ['A list contains a duplicate', 'Remove one of the two.'],
  'extraction/type': [
    'The type is not supported',
    'Use string, number, integer or boolean, each in a list with "null", or object, or array.',
  ],
  'extraction/not-nullable': [
    'A field must be nullable',
    'Write its type as a list with "null", for example ["string", "null"].',
  ],
  'extraction/nullable-container': [
    'An object or an array is nullable',
    'Use a single type, without "null".',
  ],
  'extraction/items': [
    'An array does not say what it contains',
    'Add items with one schema, an object or a scalar.',
  ],
  'extraction/too-deep': [
    'An object is nested too deeply',
    'Move its fields up, or into a separate schema.',
  ],
  'extraction/property-name': [
    'The name of a property contains invalid characters',
    'Use only letters, digits, underscores and hyphens.',
  ],
  'extraction/properties': ['An object does not list its properties', 'Add properties.'],
  'extraction/required': [
    'An object does not require all of its properties',
    'List all of them in required. A field that is missing will be null.',
  ],
  'extraction/required-unknown': [
    'A required property does not exist',
    'Correct the name in required, or add the property.',
  ],
  'extraction/additional-properties': [
    'An object allows additional properties',
    'Set additionalProperties to false.',
  ],
  'extraction/enum-null': ['The choices do not include null', 'Add null to enum.'],
  'extraction/enum-value': ['A choice is not a text', 'Write the choices as texts.'],
  'extraction/enum-type': [
    'A field with choices is not a string',
    'Use the type ["string", "null"], or remove enum.',
  ],
  'extraction/unsupported': [
    'A keyword is not supported',
    'Remove the keyword, or say the same in the description.',
  ],
  'extraction/special-type': [
    'The special type is unknown',
    'Use "date", "currency" or "signature".',
  ],
  'extraction/date': ['A date is not a string', 'Use the type ["string", "null"].'],
  'extraction/currency': [
    'A currency lacks properties',
    'Add the properties amount and iso_4217_currency_code.',
  ],
  'extraction/signature': [
    'A signature lacks properties',
    'Add the properties printed_name, signature_date, is_signed and title_or_role.',
  ],
  'extraction/descriptions-alone': [
    'Choices are described but not listed',
    'Add enum, or remove the descriptions.',
  ],
  'extraction/descriptions-count': [
    'The number of descriptions differs from the number of choices',
    'Write one description for each choice except null.',
  ],
  'extraction/extra-part': [
    'warning: A currency or a signature has unknown properties',
    'Remove these properties.',
  ],
  'extraction/misplaced': [
    'warning: A keyword has no meaning for this type',
    'Remove the keyword, or correct the type.',
  ],
  'extraction/foreign-keyword': [
    'warning: A keyword belongs to another service',
    'Correct the prefix or the name of the keyword.',
  ],
  'extraction/unknown-keyword': [
    'info: A keyword has no known effect',
    'Remove it, unless something else reads it.',
  ],
  'extraction/no-description': ['info: A field has no description', 'Add a description.'],
} satisfies Rows<FindingCode>;
