/** What the pages make of a squad, its texts, places and variables, before it is markup. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compile, type Json, type Origin, type SourceMapEntry } from '../../src/index.js';
import { variablesOf } from '../../src/report/page/evidence.js';
import { longestCall } from '../../src/report/page/longest-call.js';
import { createPlaces, placeLink, placeList } from '../../src/report/page/places.js';
import { originsOf, promptLines } from '../../src/report/page/prompts.js';
import { viewSquad } from '../../src/report/squad-view.js';
import { readCase } from '../golden/cases.js';
import { runs, seed } from '../seed.js';

const handoff = (to: string, more: object = {}): Json =>
  ({
    type: 'handoff',
    destinations: [{ assistantName: to, description: `when ${to}`, ...more }],
  }) as Json;
const member = (name: string, ...tools: Json[]): Json => ({
  assistant: {
    name,
    firstMessage: 'Hello.',
    model: { messages: [{ role: 'system', content: 'Do.' }], tools },
  },
});

describe('a squad', () => {
  it('has its members with texts and destinations, in both targets', () => {
    const transfer: Json = { type: 'transferCall', destinations: [{ number: '+1' }] };
    const members = [
      member('a', handoff('b'), transfer, { type: 'apiRequest', url: 'https://example.test' }),
      { assistantId: 'saved', assistantOverrides: { name: 'b' } },
    ];
    const wrapped = viewSquad({ squad: { members } })!;
    expect(wrapped.members.map(({ at, name, savedAs }) => [at, name, savedAs])).toEqual([
      ['/squad/members/0', 'a', null],
      ['/squad/members/1', 'b', 'saved'],
    ]);
    const [first] = viewSquad({ members })!.members;
    expect(first?.texts.map(({ at, kind }) => [at, kind])).toEqual([
      ['/members/0/assistant/firstMessage', 'first message'],
      ['/members/0/assistant/model/messages/0/content', 'prompt'],
    ]);
    const tools = '/members/0/assistant/model/tools';
    expect(first?.destinations.map((each) => [each.at, each.kind, each.to, each.member])).toEqual([
      [`${tools}/0/destinations/0`, 'handoff', 'b', 1],
      [`${tools}/1/destinations/0`, 'transfer', '+1', null],
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
        for (const { name, texts } of viewSquad(squad as Json)?.members ?? []) {
          expect(typeof name).toBe('string');
          expect(texts.every(({ text }) => typeof text === 'string')).toBe(true);
        }
      }),
      { seed, numRuns: runs(300) },
    );
  });
});

describe('the longest call', () => {
  const plan = { variableExtractionPlan: { schema: { properties: { x: {} } } } };
  const longest = (...members: Json[]) => Object.values(longestCall(viewSquad({ members })!));

  it('counts the assistants, the handoffs and the extractions on the way with the most handoffs', () => {
    expect(longest(member('a'))).toEqual([1, 0, 0, false]);
    const long = [member('a', handoff('d', plan), handoff('b')), member('b', handoff('c', plan))];
    expect(longest(...long, member('c', handoff('d')), member('d'))).toEqual([4, 3, 1, false]);
    const even = [member('a', handoff('b'), handoff('c', plan)), member('b'), member('c')];
    expect(longest(...even)).toEqual([2, 1, 1, false]);
    expect(longest(member('a', handoff('nobody')), member('b', handoff('a')))).toEqual([
      1,
      0,
      0,
      false,
    ]);
  });

  it('meets each assistant once where handoffs lead in a circle, and says so', () => {
    const circle = [member('a', handoff('b', plan)), member('b', handoff('a'), handoff('c'))];
    expect(longest(...circle, member('c'))).toEqual([3, 2, 1, true]);
  });

  it('of the worked pattern hands over once', () => {
    const { output } = compile(readCase('worked-pattern')!.reading.workflow);
    const call = longestCall(viewSquad(output as Json)!);
    expect(call).toEqual({ assistants: 2, handoffs: 1, modelCalls: 1, isOpen: false });
  });
});

describe('a place', () => {
  const workflow = {
    workflow: { nodes: [{ id: 'a', name: 'Hello' }, { id: 'b' }], edges: [{ from: 'a', to: 'b' }] },
    nodes: [{ id: '' }],
    edges: [{}],
  };
  const squad = viewSquad({ members: [member('first', handoff('second'))] })!;
  const { source, output } = createPlaces(workflow, squad, { workflow: true, squad: true });

  it.each([
    ['/workflow/nodes/0/systemPrompt', '/workflow/nodes/0', 'Hello'],
    ['/workflow/nodes/1', '/workflow/nodes/1', 'b'],
    ['/workflow/edges/0/condition', '/workflow/edges/0', 'Hello → b'],
    ['/nodes/0', '/nodes/0', 'a node'],
    ['/edges/0', '/edges/0', '? → ?'],
    ['/voice', null, ''],
    ['', null, 'the workflow'],
  ])('of the workflow is named by its node or edge: %s', (pointer, owner, label) => {
    expect(source(pointer)).toEqual({ pointer, owner, label });
  });

  it('of the squad is named by its member or its handoff', () => {
    const place = output('/members/0/assistant/name');
    expect(place).toMatchObject({ owner: '/members/0', label: 'first' });
    const at = '/members/0/assistant/model/tools/0/destinations/0';
    expect(output(`${at}/description`)).toMatchObject({ owner: at, label: 'first → second' });
    expect(output('/members/1')).toMatchObject({ owner: null, label: '' });
  });

  it('is a link where the pictures have it, and one of so many in a list', () => {
    const link = placeLink(source('/workflow/nodes/1')).toString();
    expect(link).toContain('data-links="/workflow/nodes/1"');
    expect(placeLink(source('/voice')).toString()).not.toContain('<a');
    const places = createPlaces(workflow, squad, { workflow: false, squad: true });
    expect(places.source('/workflow/edges/0')).toMatchObject({ owner: null, label: 'Hello → b' });
    expect(placeLink(places.output('/members/0')).toString()).toContain('<a');
    const many = Array.from({ length: 30 }, () => source('/voice'));
    expect(placeList(many).toString()).toContain('and 10 more');
  });
});

describe('the lines of a text', () => {
  const wording: Origin = { kind: 'synthesized', rule: 'wording', from: [] };
  const node: Origin = { kind: 'source', at: '/nodes/0/systemPrompt' };
  const answer: Origin = { kind: 'answer', question: 'q' };
  const entry = (start: number, end: number, origin: Origin): SourceMapEntry => {
    return { output: '/p', range: [start, end], origin };
  };

  it('have the pieces that lie in them, or the origin of the whole', () => {
    const entries = [entry(0, 5, wording), entry(5, 11, node), entry(11, 14, answer)];
    expect(promptLines('Step\nA\nB: c!!!', entries)).toEqual([
      [{ text: 'Step', origin: wording }],
      [{ text: 'A', origin: node }],
      [
        { text: 'B: c', origin: node },
        { text: '!!!', origin: answer },
      ],
    ]);
    const whole = [[{ text: 'hello', origin: node }]];
    expect(promptLines('hello', [{ output: '/p', origin: node }])).toEqual(whole);
  });

  it.each([
    ['shorter', 30],
    ['longer than that', 4],
  ])('say nothing of pieces whose ranges are of another text: %s', (text, end) => {
    expect(promptLines(text, [entry(0, end, node)])).toEqual([[{ text, origin: null }]]);
  });

  it('lose nothing, whatever the ranges are', () => {
    const origins = fc.constantFrom(wording, node, answer);
    const range = { start: fc.integer({ min: -3, max: 40 }), end: fc.nat(45), origin: origins };
    const text = fc.string({ unit: fc.constantFrom('a', '\n', ' ', 'é', '😀'), maxLength: 30 });
    fc.assert(
      fc.property(
        text,
        fc.array(fc.record(range), { maxLength: 8 }),
        fc.boolean(),
        (all, list, fits) => {
          const entries = list.map(({ start, end, origin }) => entry(start, end, origin));
          if (fits) entries.push(entry(0, all.length, node));
          const lines = promptLines(all, entries);
          const joined = lines.map((line) => line.map((piece) => piece.text).join('')).join('\n');
          expect([joined, `${joined}\n`]).toContain(all);
        },
      ),
      { seed, numRuns: runs(300) },
    );
  });

  it('come from the source and from answers, each once; else from the wording', () => {
    const pieces = [wording, node, node, answer].map((origin) => ({ text: 'x', origin }));
    expect(originsOf(pieces)).toEqual([node, answer]);
    expect(originsOf([{ text: 'x', origin: wording }])).toEqual([wording]);
    expect(originsOf([{ text: 'x', origin: null }])).toEqual([]);
  });
});

describe('the table of variables', () => {
  const rowsOf = (name: string) => {
    const { workflow } = readCase(name)!.reading;
    const made = compile(workflow, readCase(name)!.options);
    const facts = { ...made, workflow: workflow as Json };
    const variables = variablesOf(facts, viewSquad(made.output as Json)!);
    return Array.from(variables, ([variable, { captured, read, carried }]) => {
      return [variable, [...captured], [...read], [...carried]] as const;
    });
  };

  it('names captures in every form, reads, and what handoffs carry', () => {
    const prompt = (at: number) => `/squad/members/${at}/assistant/model/messages/0/content`;
    const step = '/squad/members/0/assistant/model/tools/0/destinations';
    expect(rowsOf('worked-pattern')).toEqual([
      [
        'full_name',
        ['/nodes/1/extractVariables/0'],
        [prompt(1), prompt(2)],
        [`${step}/0`, `${step}/1`],
      ],
      ['purpose', ['/nodes/1/extractVariables/1'], [], []],
    ]);
    const names = rowsOf('vapi-extraction-forms').map(([name]) => name);
    expect(names).toEqual(['guests', 'mail', 'nights', 'breakfast', 'arrival']);
    // Arguments of a handoff are carried; which destination it is, is not.
    const carried = rowsOf('pass-arguments').map(([name, , , places]) => [name, places.length]);
    expect(Object.fromEntries(carried)).toEqual({ rider: 5, kind: 1, age: 1, destination: 1 });
  });
});
