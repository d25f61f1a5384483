import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compile } from '../../../src/compiler/compile.js';
import type { SourceMapEntry } from '../../../src/compiler/ir/result.js';
import { sourceMapCovers, workflowArbitrary } from '../../../src/testing/index.js';
import { runs, seed } from '../../seed.js';
import {
  anytime,
  capturing,
  compiled,
  end,
  type Plan,
  request,
  transfer,
  workflow,
} from '../build.js';

const plan: Plan = {
  name: 'Clinic',
  voice: { voiceId: 'v', provider: 'p' },
  nodes: {
    a: { firstMessage: 'Hi.', ...capturing('x') },
    b: 'B {{x}}',
    t: request({ body: { b: 1, a: '{{x}}' } }),
    c: 'C',
    x: transfer({ transferPlan: { message: 'm' } }),
    stop: end,
    g: { ...anytime('asks'), systemPrompt: 'G' },
  },
  edges: ['a > b: 1', 'a > c: 2', 'b > t', 't > x', 'c > stop'],
};

describe('the document of target `squad`', () => {
  const { squad, members, result } = compiled(plan);

  it('has members of one assistant each, and the shared settings beside them', () => {
    expect(Object.keys(result.output!)).toEqual(['squad']);
    expect(Object.keys(squad)).toEqual(['members', 'memberOverrides']);
    for (const member of squad['members'] as readonly object[]) {
      expect(Object.keys(member)).toEqual(['assistant']);
    }
  });

  it('leaves out what there is not', () => {
    const bare = compiled({ nodes: { a: 'A' } });
    expect(Object.keys(bare.squad)).toEqual(['members']);
    const [{ assistant, model }] = bare.members as [(typeof members)[0]];
    expect(Object.keys(assistant)).toEqual(['name', 'model']);
    expect(model).not.toHaveProperty('tools');
    expect(model['messages']).toHaveLength(1);
  });

  it('has keys in a fixed order, whatever their order in the source', () => {
    const turn = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(turn);
      if (typeof value !== 'object' || value === null) return value;
      const entries = Object.entries(value).reverse();
      return Object.fromEntries(entries.map(([key, each]) => [key, turn(each)]));
    };
    const turned = compile(turn(workflow(plan)));
    expect(JSON.stringify(turned.output)).toBe(JSON.stringify(result.output));
  });
});

describe('the source map', () => {
  const { result, members } = compiled(plan, { names: { c: 'Care' } });
  const at = (output: string): SourceMapEntry[] =>
    result.sourceMap.filter((it) => it.output === output);
  const first = '/squad/members/0/assistant';

  it('says what is the source’s, the caller’s and squadc’s own', () => {
    expect(at(`${first}/firstMessage`)).toEqual([
      { output: `${first}/firstMessage`, origin: { kind: 'source', at: '/nodes/0/firstMessage' } },
    ]);
    expect(at('/squad/members/2/assistant/name')).toMatchObject([
      { origin: { kind: 'answer', option: 'names' } },
    ]);
    expect(at(`${first}/model/provider`)).toMatchObject([{ origin: { rule: 'default-model' } }]);
    expect(at('/squad/memberOverrides/voice/voiceId')).toMatchObject([
      { origin: { kind: 'source', at: '/voice/voiceId' } },
    ]);
  });

  it('cuts a prompt into pieces that are the whole of it', () => {
    const output = `${first}/model/messages/0/content`;
    const { prompt } = members[0]!;
    const ranges = at(output).map(({ range }) => range!);
    expect(ranges[0]![0]).toBe(0);
    expect(ranges.at(-1)![1]).toBe(prompt.length);
    ranges.slice(1).forEach(([start], before) => {
      expect(start).toBe(ranges[before]![1]);
    });
    const own = at(output).filter(({ origin }) => origin.kind === 'source');
    expect(own.map(({ range }) => prompt.slice(...range!))).toContain('Ask for x.');
  });

  it('knows where the properties of a plan come from', () => {
    const property = `${first}/model/tools/0/destinations/0/variableExtractionPlan/schema/properties/x`;
    expect(at(`${property}/description`)).toMatchObject([
      { origin: { kind: 'source', at: '/nodes/0/extractVariables/0/description' } },
    ]);
    expect(at(`${property}/type`)).toMatchObject([
      { origin: { from: ['/nodes/0/extractVariables/0'] } },
    ]);
  });

  it('covers every value of any document', () => {
    fc.assert(
      fc.property(workflowArbitrary({ maxNodes: 6 }), (source) => sourceMapCovers(source)),
      { seed, numRuns: runs(100) },
    );
  });
});

describe('the document of target `vapi`', () => {
  it('has the name, the members and the overrides at the root', () => {
    const answers = { policies: { 'critical-variable': 'best-effort' } };
    const { output } = compile(workflow(plan), { target: 'vapi', answers });
    expect(Object.keys(output!)).toEqual(['name', 'members', 'membersOverrides']);
    expect(output!['name']).toBe('Clinic');
    const { name: _, ...nameless } = plan;
    const document = workflow(nameless as Plan);
    delete document['name'];
    expect(Object.keys(compile(document, { target: 'vapi', answers }).output!)).toEqual([
      'members',
      'membersOverrides',
    ]);
  });
});
