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

/**
 * A row. A parameter is written `name`, `name!` (required), `name at body/place` (if the place is not
 * its name) and `name unless other` (`other` replaces it). Those of the path are always required.
 */
interface Row {
  readonly name: string;
  readonly effect: Effect;
  readonly done?: ToolDefinition['done'];
  readonly description: string;
  readonly caller?: readonly string[];
  readonly bound?: readonly string[];
  readonly says: Readonly<Record<string, readonly [as: SaidAs, at: string]>>;
}

const billDetails = ['dueDate', 'endDate', 'billNumber'];
const vendorNumber = 'at body/vendor/vendorNumber';
const billSettings = [
  ...['comments', 'billItems', 'mode', 'frequency', 'accountingField1', 'terms', 'status'],
  'attachments',
];
const listing = {
  caller: ['status at query/status(eq)'],
  bound: ['fromRecord', 'limitRecord', 'rawFilters', 'sortBy'],
};

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

const change = {
  effect: 'changes',
  says: { idBill: ['identifier', '/responseData'] },
} as const;

const run: Row['says'] = {
  runId: ['identifier', '/id'],
  status: ['status', '/status'],
  failure: ['status', '/failureReason'],
};
const documentKind: Row['says'] = { documentType: ['identifier', '/output/type'] };
const sections: Row['says'] = {
  sections: ['count', '/output/splits'],
  sectionType: ['identifier', '/output/splits/*/type'],
  firstPage: ['number', '/output/splits/*/startPage'],
  lastPage: ['number', '/output/splits/*/endPage'],
};
const chunks: Row['says'] = { parts: ['count', '/output/chunks'] };

/** A caller gives the address of a document, or the configuration the id of a stored one. */
const document: Pick<Row, 'caller' | 'bound'> = {
  caller: ['fileUrl! at body/file/url unless fileId', 'fileName at body/file/name unless fileId'],
  bound: ['fileId at body/file/id', 'fileSettings at body/file/settings unless fileId'],
};

/** The stored processor that works on the document, or a configuration in its place. */
const processedBy = (kind: string): Pick<Row, 'caller' | 'bound'> => ({
  ...document,
  bound: [
    ...document.bound!,
    `${kind}Id! at body/${kind}/id unless config`,
    `version at body/${kind}/version unless config`,
    `overrideConfig at body/${kind}/overrideConfig unless config`,
    'config',
    'metadata',
  ],
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

const statusOf = (name: string, what: string, says: Row['says'] = {}): Row => ({
  name,
  effect: 'reads',
  description:
    `Returns the status of the ${what} of a document. Call it with the id that you received when ` +
    'it was started.',
  caller: ['id'],
  says: { ...run, ...says },
});

const rows: Readonly<
  Record<`bills.${keyof typeof billsOperations}`, Row> & Record<`documents.${string}`, Row>
> = {
  'bills.create': {
    name: 'create_bill',
    ...change,
    description:
      'Creates a bill to be paid to a vendor. Ask for the vendor number, amount and date, ' +
      'read everything back, and call it once the caller has said yes. Never call it twice for one bill.',
    caller: ['netAmount!', 'billDate!', ...billDetails, `vendorNumber! ${vendorNumber}`],
    bound: ['entry', ...billSettings, 'idempotencyKey'],
  },
  'bills.delete': {
    name: 'delete_bill',
    ...change,
    description:
      'Deletes a bill permanently. Name the bill, say that this cannot be undone, and call it ' +
      'only after a clear yes.',
    caller: ['idBill'],
  },
  'bills.update': {
    name: 'change_bill',
    ...change,
    description:
      'Changes the amount, the dates or the number of a bill. Pass only what should change, and ' +
      'read it back first.',
    caller: ['idBill', 'netAmount', 'billDate', ...billDetails],
    bound: [`vendorNumber ${vendorNumber}`, ...billSettings],
  },
  'bills.get': {
    name: 'get_bill',
    effect: 'reads',
    description:
      'Returns the number, amount, dates and status of a bill. Ask for the number of the bill first, ' +
      'unless you have it from a list.',
    caller: ['idBill'],
    says: {
      ...billAt('/responseData'),
      endDate: ['date', '/responseData/EndDate'],
      items: ['count', '/responseData/BillItems'],
      approvers: ['count', '/responseData/billApprovals'],
      files: ['count', '/responseData/DocumentsRef/filelist'],
    },
  },
  'bills.deleteAttachment': {
    name: 'delete_bill_file',
    ...change,
    description:
      'Deletes a file that is attached to a bill. Name the file and the bill, and call it only ' +
      'after a clear yes.',
    caller: ['idBill', 'filename'],
  },
  'bills.getAttachment': {
    name: 'get_bill_file',
    effect: 'reads',
    description:
      'Says whether a bill has a file with this name, and its type. It does not read ' +
      'the file aloud.',
    caller: ['idBill', 'filename'],
    bound: ['returnObject'],
    says: { fileType: ['sign', '/ftype'] },
  },
  'bills.setApprovers': {
    name: 'set_bill_approvers',
    ...change,
    description:
      'Replaces the approvers of a bill; who they are is already set. Call it when ' +
      'the caller asks for it.',
    caller: ['idBill'],
    bound: ['users! at body'],
  },
  'bills.sendToApproval': {
    name: 'send_bill_to_approval',
    ...change,
    description:
      'Sends a bill to its approvers; who they are is already set. Call it once, when ' +
      'the caller asks for it.',
    caller: ['idBill'],
    bound: ['users! at body', 'autocreateUser', 'idempotencyKey'],
  },
  'bills.setApproved': {
    name: 'decide_on_bill',
    ...change,
    done: ['the bill was approved', 'the bill was rejected'],
    description:
      'Approves or rejects a bill. Say the number and amount of the bill, ask which of the two it ' +
      'should be, and call it only after a clear answer.',
    caller: ['idBill', 'approved'],
    bound: ['email'],
  },
  'bills.list': {
    name: 'list_bills',
    effect: 'reads',
    description:
      'Lists all bills, or those with one status, with their number and total. ' +
      'Use it to find the number of a bill.',
    caller: listing.caller,
    bound: [...listing.bound, 'entry', 'orgId at query/parentOrgId(eq)'],
    says: billList,
  },
  'bills.listByOrg': {
    name: 'list_organization_bills',
    effect: 'reads',
    description:
      'Lists bills of the whole organization, all or those with one status, with their number ' +
      'and total.',
    caller: listing.caller,
    bound: [...listing.bound, 'orgId'],
    says: billList,
  },
  'documents.extract': processing(
    'extract_document',
    'Extracts data from a document and stores it.',
    processedBy('extractor'),
  ),
  'documents.classify': processing(
    'classify_document',
    'Finds out what kind of document it is.',
    processedBy('classifier'),
    documentKind,
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
      caller: ['fileUrl! at body/files/0/url', 'fileName at body/files/0/fileName'],
      bound: ['workflowId!'],
    },
  ),
  'documents.extractRuns.get': statusOf('get_extraction_status', 'extraction'),
  'documents.classifyRuns.get': statusOf(
    'get_classification_status',
    'classification',
    documentKind,
  ),
  'documents.splitRuns.get': statusOf('get_split_status', 'splitting', sections),
  'documents.parseRuns.get': statusOf('get_parse_status', 'reading', chunks),
  'documents.workflowRuns.get': statusOf('get_workflow_status', 'processing', {
    steps: ['count', '/stepRuns'],
  }),
};

/** The values with their descriptions; a parameter of a query stands under its key. */
const values = toolsSchema['properties'] as Readonly<
  Record<string, ValueSchema & { readonly description: string }>
>;

function parameterOf(
  text: string,
  from: ToolParameter['from'],
  { path, key, query = [] }: Operation,
): ToolParameter {
  const form = /^(\w+)(!?)(?: at (body|query)(?:\/(\S+))?)?(?: unless (\w+))?$/;
  const [, name = '', mark, place, under, unless] = form.exec(text)!;
  const isInPath = path.includes(`{${name}}`);
  const usual = isInPath
    ? 'path'
    : name === key
      ? 'header'
      : query.includes(name)
        ? 'query'
        : 'body';
  const within = (place ?? usual) as ToolParameter['in'];
  const pointer = place === undefined ? `/${name}` : under === undefined ? '' : `/${under}`;
  const at = within === 'body' ? pointer : under;
  const { description, ...schema } = values[(within === 'query' && under) || name]!;
  const required = isInPath || mark === '!';
  const optional = { ...(at !== undefined && { at }), ...(unless !== undefined && { unless }) };
  return { name, from, required, in: within, ...optional, description, schema };
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
      ...caller.map((text) => parameterOf(text, 'caller', operation)),
      ...bound.map((text) => parameterOf(text, 'binding', operation)),
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
