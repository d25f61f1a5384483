/** What the ledger and the source map say of the document. */
import { describe, expect, it } from 'vitest';
import { type Any, captures, compiled, end, flow, transfer } from '../compiler/build.js';

const workflow = flow(
  {
    a: { firstMessage: 'Hi.', systemPrompt: 'A', ...captures('x') },
    b: 'Same {{x}}',
    c: 'Same {{x}}',
    t: transfer({ transferPlan: { message: 'Soon.' } }),
    stop: end,
    lost: { systemPrompt: 'Lost.', ...captures('y') },
    found: 'Found.',
    d: { systemPrompt: 'D', url: 'x' },
  },
  'a > b: 1 | a > c: 2 | b > t | c > t | a > stop: 3 | stop > a | lost > found: 4 | found > lost: 5 | a > d: 6',
  { globalPrompt: 'Be kind.', voice: { voiceId: 'v' }, version: 2 },
);
const result = compiled(workflow);
const prompt = '/assistant/model/messages/0/content';
const destination = '/assistant/model/tools/0/destinations/0';

/** Place, kind, status, reason, and where it stands, by member; nothing where that is not of interest. */
const ledger = `
/nodes/0 | node | converted | | 0
/nodes/0/firstMessage | line | converted | | 0/assistant/firstMessage
/nodes/0/systemPrompt | instruction | converted | | 0${prompt}
/nodes/0/extractVariables/0 | variable | converted |
/nodes/2 | node | folded | equal to b | 1
/nodes/2/systemPrompt | instruction | folded | equal to b | 1${prompt}
/nodes/3 | node | folded | exit of the assistants before it | 1
/nodes/3/transferPlan/message | transfer-message | folded | exit of the assistants before it
/nodes/5 | node | dropped | unreachable |
/nodes/5/extractVariables/0 | variable | dropped | unreachable |
/edges/0 | edge | converted | | 0${destination}
/edges/0/condition | condition | converted | | 0${prompt} 0${destination}/description
/edges/2 | edge | converted | | 1/assistant/model/tools/0
/edges/3 | edge | folded | same step as /edges/2
/edges/4 | edge | converted | | 0${prompt}
/edges/5 | edge | dropped | leaves an exit |
/edges/6 | edge | dropped | unreachable |
/globalPrompt | instruction | converted | | 0${prompt} 1${prompt} 2${prompt}
/nodes/7/url | field | dropped | no rule reads this field |
/version | field | dropped | no rule reads this field |`;

describe('the ledger', () => {
  const rows = ledger.trim().split('\n');
  it('names a place once where a condition stands twice in a prompt', () => {
    const global = { systemPrompt: 'G', isGlobal: true, condition: 'about g' };
    const nodes = { s: 'S', g: global, k: 'K', o: 'O' };
    const twice = flow(nodes, 's > k: 1 | s > o: 2 | k > g: 3 | g > k: 4');
    const { ledger: all } = compiled(twice, {
      answers: { policies: { 'cyclic-stages': 'consolidate' } },
    });
    const { outputs } = all.find(({ at }) => at === '/nodes/1/condition')!;
    expect(outputs.length).toBeGreaterThan(2);
    expect(new Set(outputs).size).toBe(outputs.length);
  });

  it('says where a text stands that an answer has changed', () => {
    const nodes = { a: { systemPrompt: 'A', ...captures('name') }, b: 'Greet {{nmae}}.' };
    const { ledger: all } = compiled(flow(nodes, 'a > b'), {
      answers: { answers: { 'undefined-variable:nmae': { choice: 'rename', value: 'name' } } },
    });
    const entry = all.find(({ at }) => at === '/nodes/1/systemPrompt');
    expect(entry?.outputs).toEqual([`/squad/members/0${prompt}`]);
  });

  it.each(rows.map((row) => row.split(/ ?\| ?/)))('says of %s that the %s was %s', (...row) => {
    const [at, kind, status, reason, places] = row;
    const found = result.ledger.find((it) => it.at === at)!;
    expect([found.kind, found.status, found.reason ?? '']).toEqual([kind, status, reason]);
    if (places === undefined) return;
    const members = places.split(' ').filter(Boolean);
    expect(found.outputs).toEqual(members.map((place) => `/squad/members/${place}`));
  });

  it.each([
    [{}, 'converted', ['/squad/memberOverrides/voice/voiceId']],
    [{ memberOverrides: { voice: { voiceId: 'w' } } }, 'dropped', []],
  ])('says of a setting whether an option overrides it: %j', (options, status, outputs) => {
    const found = compiled(workflow, options).ledger.find(({ at }) => at === '/voice');
    expect(found).toMatchObject({ kind: 'setting', status, outputs });
  });
});

describe('the source map', () => {
  const at = (pointer: string, document: Any): Any =>
    pointer
      .split('/')
      .slice(1)
      .reduce((value, key) => value[key], document);

  it('has an entry for every value, in the order of the document', () => {
    const places: string[] = [];
    const visit = (value: Any, pointer: string): void => {
      if (typeof value !== 'object' || Object.keys(value).length === 0) places.push(pointer);
      else for (const key of Object.keys(value)) visit(value[key], `${pointer}/${key}`);
    };
    visit(result.output, '');
    expect([...new Set(result.sourceMap.map(({ output }) => output))]).toEqual(places);
  });

  it('says for every text of the source where it stands, word for word', () => {
    const quoted = result.sourceMap.flatMap(({ output, range, origin }) => {
      if (origin.kind !== 'source') return [];
      const value = at(output, result.output);
      expect(range === undefined ? value : value.slice(...range)).toEqual(at(origin.at, workflow));
      return [origin.at];
    });
    expect(new Set(quoted).size).toBeGreaterThan(12);
  });

  it('leaves no gap in a composed text', () => {
    const place = `/squad/members/0${prompt}`;
    const pieces = result.sourceMap.filter(({ output }) => output === place);
    const ends = [0, ...pieces.map(({ range }) => range![1])];
    expect(pieces.map(({ range }) => range![0])).toEqual(ends.slice(0, -1));
    expect(ends.at(-1)).toBe(at(place, result.output).length);
  });
});
