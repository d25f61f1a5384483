/**
 * The operations that a voice assistant may call: one row for each, as a tool.
 *
 * A row says what a caller may decide, what only the configuration fixes, and what the assistant may
 * tell of the answer. Numbers, days, amounts and decisions come from callers; whose records they are,
 * who decides on them and all free text come from the configuration. Of the documents service, only
 * what makes sense during a call is here. Descriptions and schemas of the values are those of
 * schemas/tools.schema.json.
 */
import { billsOperations } from '../clients/bills/operations.js';
import { documentOperations } from '../clients/documents/operations.js';
import type { Method, Operation, Repeat } from '../clients/http/operation.js';
import { toolsSchema } from '../schemas/tools-document.generated.js';
import type { Tools } from '../schemas/tools-types.generated.js';

/** What an assistant may do with an operation: how it is called, and what may be told of the answer. */
export interface ToolDefinition {
  /** The operation, with its service before it: `bills.get`, `documents.extractRuns.get`. */
  readonly operation: string;
  /** Valid on the platform, and unique: letters, digits and `_`, at most 40. */
  readonly name: string;
  /** For the model that calls it: what it does, when to call it, what to ask first. */
  readonly description: string;
  readonly method: Method;
  /** Below the base address of the service; `{name}` stands for one segment. */
  readonly path: string;
  readonly parameters: readonly ToolParameter[];
  readonly effect: Effect;
  /** What a decision comes to, as the end of a sentence: if it is true, and if it is false. */
  readonly done?: readonly [yes: string, no: string] | undefined;
  readonly repeat: Repeat;
  /** All of the answer that may be told; everything else stays with the handler. */
  readonly sayable: readonly Sayable[];
}

/** `reads` changes nothing, `processes` creates something new, `changes` alters records. */
export type Effect = 'reads' | 'processes' | 'changes';

/** One parameter of a tool: who decides it, and where it goes in the request. */
export interface ToolParameter {
  readonly name: string;
  /** `caller`: a parameter of the tool. `binding`: fixed by configuration, never seen by the model. */
  readonly from: 'caller' | 'binding';
  readonly required: boolean;
  /** Another parameter, which replaces this one where it is bound. */
  readonly unless?: string;
  /** For the model, or for whoever writes the configuration. */
  readonly description: string;
  /** JSON Schema (draft 2020-12) of the value. One with `const` is sent with every call. */
  readonly schema: ValueSchema;
  readonly in: 'path' | 'query' | 'header' | 'body';
  /** In a body: a JSON Pointer (the empty one is all of it). In a query: the key, if not the name. */
  readonly at?: string;
}

/** A JSON Schema (draft 2020-12) of one value. */
export type ValueSchema = Readonly<Record<string, unknown>>;

/** A value of the answer that may be told. */
export interface Sayable {
  /** Also the name of the variable that an assistant gets: letters, digits and `_`. */
  readonly name: string;
  /** JSON Pointer into the answer; `*` stands for each entry of a list. */
  readonly at: string;
  readonly as: SaidAs;
}

/**
 * The kind of a value decides how it is said, and what is never said (say.ts).
 * - `count`: a whole number, or a list of that many;
 * - `status`: a word or number of the service's own: where something stands, or why it failed;
 * - `identifier`: assigned by the service, or a kind of document from its configuration;
 * - `sign`: a number or code that people assigned, like the number printed on a bill.
 */
export type SaidAs = 'count' | 'number' | 'amount' | 'date' | 'status' | 'identifier' | 'sign';

type ValueName = keyof Tools;

/** A parameter: its name or, if it is not optional or has another place, more about it. */
type ParameterRow =
  | ValueName
  | {
      readonly name: ValueName;
      /** Those of the path are always required. */
      readonly required?: true;
      /** Its place in the body, if that is not its name. */
      readonly at?: `/${string}` | '';
      /** Its name in the query, and among the values. */
      readonly key?: ValueName;
      readonly unless?: ValueName;
    };

interface Row extends Pick<ToolDefinition, 'name' | 'description' | 'effect' | 'done'> {
  readonly caller?: readonly ParameterRow[];
  readonly bound?: readonly ParameterRow[];
  readonly says: Readonly<Record<string, readonly [as: SaidAs, at: string]>>;
}

const need = (name: ValueName, at?: `/${string}` | '') =>
  ({ name, required: true, ...(at !== undefined && { at }) }) as const;
const vendorNumber = { name: 'vendorNumber', at: '/vendor/vendorNumber' } as const;
const billDetails = ['dueDate', 'endDate', 'billNumber'] as const;
const billSettings = [
  ...(['comments', 'billItems', 'mode', 'frequency', 'accountingField1', 'terms'] as const),
  ...(['status', 'attachments'] as const),
];
const byStatus = { name: 'status', key: 'status(eq)' } as const;
const paged = ['fromRecord', 'limitRecord', 'rawFilters', 'sortBy'] as const;

/** What is left of a bill without the words of people. */
const billAt = (below: string): Row['says'] => ({
  idBill: ['identifier', `${below}/IdBill`],
  billNumber: ['sign', `${below}/BillNumber`],
  netAmount: ['amount', `${below}/NetAmount`],
  totalAmount: ['amount', `${below}/TotalAmount`],
  billDate: ['date', `${below}/BillDate`],
  dueDate: ['date', `${below}/DueDate`],
  status: ['status', `${below}/Status`],
});

const billList: Row['says'] = {
  bills: ['count', '/Summary/totalRecords'],
  overdue: ['count', '/Summary/totaloverdue'],
  amount: ['amount', '/Summary/totalAmount'],
  amountOverdue: ['amount', '/Summary/totalamountoverdue'],
  ...billAt('/Records/*'),
};

const changes = (name: string, description: string, more: Partial<Row>): Row => {
  const says = { idBill: ['identifier', '/responseData'] } as const;
  return { name, description, effect: 'changes', says, ...more };
};
const reads = (name: string, description: string, more: Partial<Row>): Row => {
  return { name, description, effect: 'reads', says: {}, ...more };
};

const run: Row['says'] = {
  runId: ['identifier', '/id'],
  status: ['status', '/status'],
  failure: ['status', '/failureReason'],
};
const kind: Row['says'] = { documentType: ['identifier', '/output/type'] };
const sections: Row['says'] = {
  sections: ['count', '/output/splits'],
  sectionType: ['identifier', '/output/splits/*/type'],
  firstPage: ['number', '/output/splits/*/startPage'],
  lastPage: ['number', '/output/splits/*/endPage'],
};
const chunks: Row['says'] = { parts: ['count', '/output/chunks'] };
const steps: Row['says'] = { steps: ['count', '/stepRuns'] };

/** A caller gives the address of a document, or the configuration the id of a stored one. */
const document: Pick<Row, 'caller' | 'bound'> = {
  caller: [
    { name: 'fileUrl', required: true, at: '/file/url', unless: 'fileId' },
    { name: 'fileName', at: '/file/name', unless: 'fileId' },
  ],
  bound: [
    { name: 'fileId', at: '/file/id' },
    { name: 'fileSettings', at: '/file/settings', unless: 'fileId' },
  ],
};

/** The stored processor that works on the document, or a configuration in its place. */
const processedBy = (noun: 'extractor' | 'classifier' | 'splitter') => ({
  ...document,
  bound: [
    ...document.bound!,
    { name: `${noun}Id`, required: true, at: `/${noun}/id`, unless: 'config' },
    { name: 'version', at: `/${noun}/version`, unless: 'config' },
    { name: 'overrideConfig', at: `/${noun}/overrideConfig`, unless: 'config' },
    ...(['config', 'metadata'] as const),
  ] satisfies Row['bound'],
});

const processing = (
  name: string,
  purpose: string,
  parameters: Pick<Row, 'caller' | 'bound'>,
  says: Row['says'] = {},
): Row => ({
  name,
  effect: 'processes',
  description:
    `${purpose} Tell the caller that it takes a moment. If it is not done in time, you get ` +
    'the id of the run: ask for its status later.',
  ...parameters,
  says: { ...run, ...says },
});

const statusOf = (name: string, what: string, says: Row['says'] = {}): Row =>
  reads(
    name,
    `Returns the status of the ${what} of a document. Call it with the id that you received when ` +
      'it was started.',
    { caller: ['id'], says: { ...run, ...says } },
  );

const rows: Readonly<
  Record<`bills.${keyof typeof billsOperations}`, Row> & Record<`documents.${string}`, Row>
> = {
  'bills.create': changes(
    'create_bill',
    'Creates a bill to be paid to a vendor. Ask for the vendor number, amount and date, ' +
      'read everything back, and call it once the caller has said yes. Never call it twice for one bill.',
    {
      caller: [
        need('netAmount'),
        need('billDate'),
        ...billDetails,
        need('vendorNumber', vendorNumber.at),
      ],
      bound: ['entry', ...billSettings, 'idempotencyKey'],
    },
  ),
  'bills.delete': changes(
    'delete_bill',
    'Deletes a bill permanently. Name the bill, say that this cannot be undone, and call it ' +
      'only after a clear yes.',
    { caller: ['idBill'] },
  ),
  'bills.update': changes(
    'change_bill',
    'Changes the amount, the dates or the number of a bill. Pass only what should change, and ' +
      'read it back first.',
    {
      caller: ['idBill', 'netAmount', 'billDate', ...billDetails],
      bound: [vendorNumber, ...billSettings],
    },
  ),
  'bills.get': reads(
    'get_bill',
    'Returns the number, amount, dates and status of a bill. Ask for the number of the bill first, ' +
      'unless you have it from a list.',
    {
      caller: ['idBill'],
      says: {
        ...billAt('/responseData'),
        endDate: ['date', '/responseData/EndDate'],
        items: ['count', '/responseData/BillItems'],
        approvers: ['count', '/responseData/billApprovals'],
        files: ['count', '/responseData/DocumentsRef/filelist'],
      },
    },
  ),
  'bills.deleteAttachment': changes(
    'delete_bill_file',
    'Deletes a file that is attached to a bill. Name the file and the bill, and call it only ' +
      'after a clear yes.',
    { caller: ['idBill', 'filename'] },
  ),
  'bills.getAttachment': reads(
    'get_bill_file',
    'Says whether a bill has a file with this name, and its type. It does not read ' +
      'the file aloud.',
    {
      caller: ['idBill', 'filename'],
      bound: ['returnObject'],
      says: { fileType: ['sign', '/ftype'] },
    },
  ),
  'bills.setApprovers': changes(
    'set_bill_approvers',
    'Replaces the approvers of a bill; who they are is already set. Call it when ' +
      'the caller asks for it.',
    { caller: ['idBill'], bound: [need('users', '')] },
  ),
  'bills.sendToApproval': changes(
    'send_bill_to_approval',
    'Sends a bill to its approvers; who they are is already set. Call it once, when ' +
      'the caller asks for it.',
    { caller: ['idBill'], bound: [need('users', ''), 'autocreateUser', 'idempotencyKey'] },
  ),
  'bills.setApproved': changes(
    'decide_on_bill',
    'Approves or rejects a bill. Say the number and amount of the bill, ask which of the two it ' +
      'should be, and call it only after a clear answer.',
    {
      done: ['the bill was approved', 'the bill was rejected'],
      caller: ['idBill', 'approved'],
      bound: ['email'],
    },
  ),
  'bills.list': reads(
    'list_bills',
    'Lists all bills, or those with one status, with their number and total. ' +
      'Use it to find the number of a bill.',
    {
      caller: [byStatus],
      bound: [...paged, 'entry', { name: 'orgId', key: 'parentOrgId(eq)' }],
      says: billList,
    },
  ),
  'bills.listByOrg': reads(
    'list_organization_bills',
    'Lists bills of the whole organization, all or those with one status, with their number ' +
      'and total.',
    { caller: [byStatus], bound: [...paged, 'orgId'], says: billList },
  ),
  'documents.extract': processing(
    'extract_document',
    'Extracts data from a document and stores it.',
    processedBy('extractor'),
  ),
  'documents.classify': processing(
    'classify_document',
    'Finds out what kind of document it is.',
    processedBy('classifier'),
    kind,
  ),
  'documents.split': processing(
    'split_document',
    'Finds the sections of a document with several parts.',
    processedBy('splitter'),
    sections,
  ),
  'documents.parse': processing(
    'parse_document',
    'Turns a document into text and stores it.',
    { ...document, bound: [...document.bound!, 'config', 'metadata', 'dataRetention'] },
    chunks,
  ),
  'documents.workflowRuns.create': processing(
    'run_document_workflow',
    'Processes a document in several steps.',
    {
      caller: [need('fileUrl', '/files/0/url'), { name: 'fileName', at: '/files/0/fileName' }],
      bound: [need('workflowId')],
    },
  ),
  'documents.extractRuns.get': statusOf('get_extraction_status', 'extraction'),
  'documents.classifyRuns.get': statusOf('get_classification_status', 'classification', kind),
  'documents.splitRuns.get': statusOf('get_split_status', 'splitting', sections),
  'documents.parseRuns.get': statusOf('get_parse_status', 'reading', chunks),
  'documents.workflowRuns.get': statusOf('get_workflow_status', 'processing', steps),
};

/** The values with their descriptions; a parameter of a query stands under its key. */
const values = toolsSchema['properties'] as Readonly<
  Record<ValueName, ValueSchema & { readonly description: string }>
>;

function parameterOf(
  row: ParameterRow,
  from: ToolParameter['from'],
  { path, key: header, query = [] }: Operation,
): ToolParameter {
  const more: Exclude<ParameterRow, string> = typeof row === 'string' ? { name: row } : row;
  const { name, key, unless, at: place, required } = more;
  const isInQuery = key !== undefined || query.includes(name);
  const usual = name === header ? 'header' : isInQuery ? 'query' : 'body';
  const within = path.includes(`{${name}}`) ? 'path' : usual;
  const at = key ?? place ?? (within === 'body' ? `/${name}` : undefined);
  const { description, ...schema } = values[key ?? name];
  return {
    name,
    from,
    required: within === 'path' || required === true,
    in: within,
    ...(at !== undefined && { at }),
    ...(unless !== undefined && { unless }),
    description,
    schema,
  };
}

function toolOf(operation: Operation, row: Row): ToolDefinition {
  const { caller = [], bound = [], says, ...facts } = row;
  const { id, method, path, repeat } = operation;
  return {
    operation: id,
    method,
    path,
    repeat,
    ...facts,
    parameters: [
      ...caller.map((each) => parameterOf(each, 'caller', operation)),
      ...bound.map((each) => parameterOf(each, 'binding', operation)),
    ],
    sayable: Object.entries(says).map(([name, [as, at]]) => ({ name, at, as })),
  };
}

/** The operations of both services by id. */
export const operations: ReadonlyMap<string, Operation> = new Map(
  [
    ...Object.values(billsOperations),
    ...documentOperations.map((each) => ({ ...each, id: `documents.${each.id}` })),
  ].map((each) => [each.id, each]),
);

/** All tools by operation. Without a prototype: `constructor` is no operation. */
export const toolDefinitions: Readonly<Record<string, ToolDefinition>> = Object.assign(
  Object.create(null),
  Object.fromEntries(
    Object.entries(rows).map(([id, row]) => [id, toolOf(operations.get(id)!, row)]),
  ),
);
