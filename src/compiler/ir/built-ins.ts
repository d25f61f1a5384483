/** Variables that the platform defines in every call, by the root of their path. */
export const builtInVariables: ReadonlySet<string> = new Set([
  'now',
  'date',
  'time',
  'month',
  'day',
  'year',
  'customer',
  'phoneNumber',
  'call',
  'transport',
  'messages',
  'transcript',
  'prompt',
  'endedReason',
]);
