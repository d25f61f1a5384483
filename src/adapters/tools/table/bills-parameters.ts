/**
 * The parameters of the bills tools.
 *
 * A caller says numbers, days, amounts and decisions about bills. Whose bills they are, who decides
 * on them, whether a bill comes again, its status and everything that is free text belongs to the
 * configuration. Section "Endpoints" of the bills specification.
 */
import { fixed, said } from './tool-of.js';
import {
  amount,
  day,
  fileName,
  flag,
  line,
  listOf,
  oneOf,
  serial,
  settings,
  sign,
} from './values.js';

export const idBill = said(
  'idBill',
  'path',
  serial,
  "The service's own number of the bill, as a list of bills tells it; not the number printed on it.",
);

export const filename = said(
  'filename',
  'path',
  fileName,
  'Name of the attached file, exactly as it was given to you.',
);

export const approved = said(
  'approved',
  'path',
  flag,
  'true to approve the bill, false to reject it. Only what the caller clearly said.',
);

/** The answer as an object in the place of bytes: the only one that a tool can read. */
export const fileAsObject = fixed(
  'returnObject',
  'query',
  { const: true },
  'Asks for the file as an object.',
);

export const entry = fixed('entry', 'path', line(100), "Name of the paypoint's entrypoint.");

export const orgId = fixed('orgId', 'path', serial, 'Number of the organization.');

export const email = fixed(
  'email',
  'query',
  line(254),
  'Address or name of the user in whose name the decision is made.',
);

export const users = fixed(
  'users',
  'body',
  listOf(line(254), 50),
  'Addresses or names of the users who are to approve.',
  { required: true, at: '' },
);

export const autocreateUser = fixed(
  'autocreateUser',
  'query',
  flag,
  'Whether to create users that do not exist.',
);

export const idempotencyKey = fixed(
  'idempotencyKey',
  'header',
  line(200),
  'Made by the handler for each call. A fixed one would let only one call in two minutes act.',
);

/** What may be said of a bill; `create` needs the amount and the day. */
export function billSaid(create: boolean) {
  return [
    said('netAmount', 'body', amount, 'Amount of the bill in units of the currency, like 125.50.', {
      required: create,
      at: '/netAmount',
    }),
    said('billDate', 'body', day, 'Day of the bill, YYYY-MM-DD.', {
      required: create,
      at: '/billDate',
    }),
    said('dueDate', 'body', day, 'Day on which the bill is due, YYYY-MM-DD.', { at: '/dueDate' }),
    said('endDate', 'body', day, 'Last day of a bill that comes again, YYYY-MM-DD.', {
      at: '/endDate',
    }),
    said('billNumber', 'body', sign, 'Number printed on the bill.', { at: '/billNumber' }),
  ];
}

/** Whom a bill is from: said for a new one, and never changed by a call. */
export function vendorNumber(create: boolean) {
  const parameter = create ? said : fixed;
  return parameter('vendorNumber', 'body', sign, 'Number of the vendor whom the bill is from.', {
    required: create,
    at: '/vendor/vendorNumber',
  });
}

/** What nobody says on the telephone. */
export const billFixed = [
  fixed('comments', 'body', line(1000), 'A note on the bill.', { at: '/comments' }),
  fixed('billItems', 'body', listOf(settings, 100), 'Lines of the bill.', { at: '/billItems' }),
  fixed('mode', 'body', { enum: [0, 1] }, '0: once, 1: by a schedule.', { at: '/mode' }),
  fixed(
    'frequency',
    'body',
    oneOf(
      'onetime',
      'weekly',
      'every2weeks',
      'monthly',
      'every3months',
      'every6months',
      'annually',
    ),
    'How often a bill by a schedule comes.',
    { at: '/frequency' },
  ),
  fixed('accountingField1', 'body', line(200), "A field of the account's own.", {
    at: '/accountingField1',
  }),
  fixed('terms', 'body', line(60), 'Terms of payment, like NET30.', { at: '/terms' }),
  fixed('status', 'body', { type: 'integer', minimum: -99, maximum: 100 }, 'Status to set.', {
    at: '/status',
  }),
  fixed('attachments', 'body', listOf(settings, 20), 'Files of the bill.', { at: '/attachments' }),
];

/** The page of a list, and what it is narrowed to. */
export const listing = [
  said(
    'status',
    'query',
    oneOf('1', '2', '5', '11', '20', '50', '100', '-99'),
    'Only bills with this status: 1 active, 2 sent to approval, 5 partially approved, ' +
      '11 disapproved, 20 approved, 50 in transit, 100 paid, -99 cancelled.',
    { at: 'status(eq)' },
  ),
  fixed(
    'fromRecord',
    'query',
    { type: 'integer', minimum: 0, maximum: 1_000_000 },
    'How many bills to skip.',
  ),
  fixed(
    'limitRecord',
    'query',
    { type: 'integer', minimum: 1, maximum: 100 },
    'How many bills to list at most.',
  ),
  fixed(
    'rawFilters',
    'query',
    {
      type: 'object',
      propertyNames: { pattern: '^\\w[\\w.]*\\([a-z]+\\)$', maxLength: 60 },
      additionalProperties: {
        anyOf: [{ type: 'string', minLength: 1, maxLength: 200 }, { type: 'number' }],
      },
      maxProperties: 20,
    },
    'Conditions that always hold, as field(operator) and value.',
  ),
  fixed(
    'sortBy',
    'query',
    {
      type: 'object',
      properties: {
        field: { type: 'string', pattern: '^\\w[\\w.]*$', maxLength: 60 },
        direction: oneOf('asc', 'desc'),
      },
      required: ['field', 'direction'],
      additionalProperties: false,
    },
    'Field to sort by, and whether upwards (asc) or downwards (desc).',
  ),
];
