/** A workflow whose requests go to the bills and the documents API, with values told on the phone. */

const talk = (id: string, systemPrompt: string, more: object = {}) => ({
  id,
  type: 'conversation',
  systemPrompt,
  ...more,
});

const captures = (...names: readonly string[]) => ({
  extractVariables: names.map((name) => ({ name, type: 'string', description: name })),
});

const request = (id: string, method: string, path: string, more: object = {}) => ({
  id,
  type: 'apiRequest',
  method,
  url: `https://pay.example.com/api${path}`,
  headers: { requestToken: '{{pay_token}}' },
  ...more,
});

const body = (properties: Readonly<Record<string, object>>) => ({
  body: { type: 'object', properties },
});

const nodes = [
  talk('ask', 'Ask for the vendor, the number of the bill and the day.', {
    firstMessage: 'Rent office.',
    ...captures('vendor', 'bill_number', 'bill_day'),
  }),
  request('enter-bill', 'POST', '/Bill/single/shop', {
    ...body({
      netAmount: { type: 'number' },
      billDate: { type: 'string', value: '{{bill_day}}' },
      billNumber: { type: 'string', value: '{{bill_number}}' },
      vendor: {
        type: 'object',
        properties: { vendorNumber: { type: 'string', value: '{{vendor}}' } },
      },
    }),
    responseVariables: [{ name: 'bill_id', path: 'responseData' }],
  }),
  request('look-up', 'GET', '/Bill/{{bill_id}}', {
    responseVariables: [{ name: 'amount', path: 'responseData.NetAmount' }],
  }),
  talk('tell', 'Tell the caller that {{amount}} euros are due.'),
  request('submit', 'POST', '/Bill/approval/{{bill_id}}'),
  request('scan', 'POST', '/workflow_runs'),
  { id: 'end', type: 'endCall' },
];

export const rentOffice = {
  name: 'Rent office',
  nodes,
  edges: nodes.slice(1).map(({ id }, at) => ({ from: nodes[at]?.id, to: id })),
};

/** What a human says of the requests; `workflowId` is known to the documents service alone. */
export const bindingsWith = (workflowId: string) => ({
  'enter-bill': {
    operation: 'bills.create',
    bind: {
      entry: 'shop',
      comments: 'By telephone',
      terms: 'NET30',
      billDate: '{{bill_day}}',
      billNumber: '{{bill_number}}',
      vendorNumber: '{{vendor}}',
    },
  },
  'look-up': { operation: 'bills.get', bind: { idBill: '{{bill_id}}' } },
  submit: {
    operation: 'bills.sendToApproval',
    bind: { idBill: '{{bill_id}}', users: ['ann@example.com'] },
  },
  scan: { operation: 'documents.workflowRuns.create', bind: { workflowId } },
});

/** The same call with a look at a bill alone, which the platform can take by itself. */
export const enquiry = {
  name: 'Enquiry',
  nodes: nodes.filter(({ id }) => ['ask', 'look-up', 'tell', 'end'].includes(id)).map(asking),
  edges: [
    { from: 'ask', to: 'look-up' },
    { from: 'look-up', to: 'tell' },
    { from: 'tell', to: 'end' },
  ],
};

function asking(node: (typeof nodes)[number]) {
  return node.id === 'ask' ? { ...node, ...captures('bill_id') } : node;
}
