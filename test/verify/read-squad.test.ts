import { describe, expect, it } from 'vitest';
import { readSquad } from '../../src/verify/read-squad.js';

const tool = (name: string) => ({ type: 'apiRequest', name });

describe('readSquad', () => {
  it('reads every system message, with its place', () => {
    const messages = [
      { role: 'system', content: 'One.' },
      { role: 'user', content: 'Hi.' },
      { role: 'system', content: 'Two.' },
      { role: 'system', content: 3 },
    ];
    const [member] = readSquad({ members: [{ assistant: { model: { messages } } }] }).members;
    expect(member?.prompts.map(({ text, at }) => ({ text, at }))).toEqual([
      { text: 'One.', at: '/members/0/assistant/model/messages/0/content' },
      { text: 'Two.', at: '/members/0/assistant/model/messages/2/content' },
    ]);
    expect(member?.prompt).toBe('One.\n\nTwo.');
    expect(member?.promptAt).toBe('/members/0/assistant/model/messages/0/content');
  });

  it('reads an assistant as the overrides of its member leave it', () => {
    const assistant = {
      name: 'a',
      firstMessage: 'Hello.',
      model: { messages: [{ role: 'system', content: 'Own.' }], tools: [tool('own')] },
    };
    const assistantOverrides = {
      name: 'b',
      model: { messages: [{ role: 'system', content: 'Other.' }] },
      'tools:append': [tool('more')],
    };
    const memberOverrides = { firstMessage: 'Hi.', name: 'x', 'tools:append': [tool('most')] };
    const squad = { members: [{ assistant, assistantOverrides }], memberOverrides };
    const { members, overrides } = readSquad({ squad });
    expect(members[0]).toMatchObject({
      name: 'b',
      nameAt: '/squad/members/0/assistantOverrides/name',
      firstMessage: 'Hello.',
      prompt: 'Other.',
      promptAt: '/squad/members/0/assistantOverrides/model/messages/0/content',
      tools: [
        { at: '/squad/members/0/assistant/model/tools/0', value: tool('own') },
        { at: '/squad/members/0/assistantOverrides/tools:append/0', value: tool('more') },
      ],
    });
    expect(overrides?.at).toBe('/squad/memberOverrides');
  });

  it('reads tools that overrides replace', () => {
    const member = {
      assistant: { model: { tools: [tool('own')] } },
      assistantOverrides: { model: { tools: [tool('other')] } },
    };
    expect(readSquad({ members: [member] }).members[0]?.tools).toMatchObject([
      { at: '/members/0/assistantOverrides/model/tools/0', value: tool('other') },
    ]);
  });

  it('knows saved assistants, which stand somewhere else', () => {
    const members = [
      { assistantId: 'x' },
      { assistantId: 'y', assistantOverrides: { name: 'b', firstMessage: 'Hi.' } },
      { assistantId: 'z', assistant: { name: 'c' } },
    ];
    expect(readSquad({ members }).members).toMatchObject([
      { assistantId: 'x', saved: true, name: null, prompt: '', promptAt: '/members/0' },
      { assistantId: 'y', saved: true, name: 'b', firstMessage: 'Hi.' },
      { assistantId: 'z', saved: false, name: 'c' },
    ]);
  });

  it('reads destinations of handoff tools and of the shorthand', () => {
    const destination = (assistantName: string) => ({ type: 'assistant', assistantName });
    const handoff = { type: 'handoff', destinations: [destination('b'), { assistantId: 'x' }, 3] };
    const members = [
      {
        assistant: { name: 'a', model: { tools: [tool('t'), handoff] } },
        assistantDestinations: [destination('nobody')],
      },
      { assistant: { name: 'b' } },
      { assistantId: 'x' },
    ];
    const at = '/members/0/assistant/model/tools/1';
    expect(readSquad({ members }).destinations).toMatchObject([
      { at: '/members/0/assistantDestinations/0', leadsTo: null, toolAt: null },
      { at: `${at}/destinations/0`, leadsTo: 1, toolAt: at, tool: handoff },
      { at: `${at}/destinations/1`, leadsTo: 2 },
      { at: `${at}/destinations/2`, leadsTo: null, target: null },
    ]);
  });

  it.each([
    null,
    3,
    'x',
    [],
    {},
    { squad: 3 },
    { squad: { members: {} } },
    { members: [null, [], 3] },
  ])('reads what is not there as absent: %j', (document) => {
    const { members, destinations } = readSquad(document);
    expect(destinations).toEqual([]);
    for (const member of members) expect(member.tools).toEqual([]);
  });

  it('knows prompts of squadc’s by their opening', () => {
    const read = (content: string) => {
      const messages = [{ role: 'system', content }];
      return readSquad({ members: [{ assistant: { model: { messages } } }] }).members[0]?.compiled;
    };
    const opening =
      'You are the assistant "a" of a phone call. Work through the numbered steps; the lines';
    expect(read(`Be brief.\n\n${opening}`)).toBe(true);
    expect(read('You are the assistant "a".')).toBe(false);
  });
});
