/** Squad documents as the page sees them, changed ones among them. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json } from '../../../src/index.js';
import { viewSquad } from '../../../src/report/page/squad-view.js';
import { runs, seed } from '../../seed.js';

describe('a squad', () => {
  it('has its members with texts and ways, in both targets', () => {
    const members = [
      {
        assistant: {
          name: 'a',
          firstMessage: 'Hello.',
          model: {
            messages: [{ role: 'system', content: 'Do.' }],
            tools: [
              { type: 'handoff', destinations: [{ assistantName: 'b', description: 'when b' }] },
              { type: 'transferCall', destinations: [{ number: '+1' }] },
              { type: 'apiRequest', url: 'https://example.test' },
            ],
          },
        },
      },
      { assistantId: 'saved', assistantOverrides: { name: 'b' } },
    ];
    const wrapped = viewSquad({ squad: { members } });
    expect(wrapped.members.map(({ at, name, savedAs }) => [at, name, savedAs])).toEqual([
      ['/squad/members/0', 'a', null],
      ['/squad/members/1', 'b', 'saved'],
    ]);
    const [first] = viewSquad({ members }).members;
    expect(first?.texts.map(({ at, kind }) => [at, kind])).toEqual([
      ['/members/0/assistant/firstMessage', 'first message'],
      ['/members/0/assistant/model/messages/0/content', 'prompt'],
    ]);
    expect(
      first?.destinations.map(({ at, kind, to, description }) => [at, kind, to, description]),
    ).toEqual([
      ['/members/0/assistant/model/tools/0/destinations/0', 'handoff', 'b', 'when b'],
      ['/members/0/assistant/model/tools/1/destinations/0', 'transfer', '+1', ''],
    ]);
  });

  it('can be any JSON', () => {
    const keys = ['squad', 'members', 'assistant', 'model', 'tools', 'destinations', '__proto__'];
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof(
        { maxDepth: 8 },
        fc.constantFrom<Json>(null, 'text', 1, true),
        fc.array(tie('tree'), { maxLength: 3 }),
        fc.dictionary(fc.constantFrom(...keys), tie('tree'), { noNullPrototype: true }),
      ),
    }));
    fc.assert(
      fc.property(tree, (squad) => {
        for (const { name, texts } of viewSquad(squad as Json).members) {
          expect(typeof name).toBe('string');
          expect(texts.every(({ text }) => typeof text === 'string')).toBe(true);
        }
      }),
      { seed, numRuns: runs(300) },
    );
  });
});
