/** What the ledger and the source map say of nodes that are assistants already. */
import { expect, it } from 'vitest';
import { compile } from '../../../src/index.js';

const model = {
  provider: 'openai',
  model: 'gpt-4o',
  messages: [{ role: 'system', content: 'Sell.' }],
  tools: [{ type: 'dtmf' }],
};
const document = {
  name: 'Shop',
  nodes: [
    { name: 'greet', type: 'conversation', isStart: true, prompt: 'Greet.' },
    {
      name: 'sales',
      type: 'assistant',
      assistant: { firstMessage: 'Hi.', endCallMessage: 'Bye.', model },
    },
    { name: 'repair', type: 'assistant', assistantId: 'asst-1' },
    { name: 'end', type: 'hangup' },
  ],
  edges: [
    { from: 'greet', to: 'sales', condition: { type: 'ai', prompt: 'a sale' } },
    { from: 'greet', to: 'repair', condition: { type: 'ai', prompt: 'a repair' } },
    { from: 'repair', to: 'end' },
  ],
};

it('every part of them has its place', () => {
  const { status, ledger, sourceMap, stats } = compile(document, { target: 'vapi' });
  expect(status).toBe('complete');
  expect(stats).toMatchObject({ assistants: 3, handoffs: 2 });
  const fates = ledger.map(({ at, status: fate, outputs }) => [at, fate, ...outputs]);
  const sales = '/members/1/assistant';
  const expected = [
    ['/nodes/1', 'converted', '/members/1'],
    ['/nodes/1/assistant/firstMessage', 'converted', `${sales}/firstMessage`],
    [
      '/nodes/1/assistant/model/messages/0/content',
      'converted',
      `${sales}/model/messages/0/content`,
    ],
    ['/nodes/1/assistant/endCallMessage', 'converted', `${sales}/endCallMessage`],
    ['/nodes/2', 'converted', '/members/2'],
    ['/nodes/3', 'folded', '/members/2'],
    ['/edges/2', 'converted', '/members/2'],
  ];
  for (const fate of expected) expect(fates).toContainEqual(fate);
  const settings = fates.find(([at]) => at === '/nodes/1/assistant/model');
  expect(settings).toEqual(
    expect.arrayContaining(['converted', `${sales}/model/model`, `${sales}/model/provider`]),
  );
  expect(sourceMap).toContainEqual({
    output: '/members/2/assistantId',
    origin: { kind: 'source', at: '/nodes/2/assistantId' },
  });
});
