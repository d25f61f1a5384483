import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyRename, type Renaming } from '../../../src/compiler/1-read/rename.js';
import { readTemplate } from '../../../src/compiler/1-read/template.js';
import type { NodeIndex } from '../../../src/compiler/ir/ids.js';
import type { UnreachedReads } from '../../../src/compiler/ir/inquiry.js';
import { within } from '../../../src/compiler/ir/provenance.js';
import { runs, seed } from '../../seed.js';
import { anytime, compiled, type Plan, parsed, request, transfer } from '../build.js';

const at = (...nodes: number[]): Set<NodeIndex> => new Set(nodes as NodeIndex[]);
const none: UnreachedReads = { texts: at(), conditions: at(), globals: at(), globalPrompt: false };
const names = { from: 'old', to: 'new', question: 'q' };
const rename = (plan: Plan, reads: Partial<UnreachedReads>): Renaming => {
  const { nodes, edges, ...others } = parsed(plan);
  const workflow = { ...others, nodes: [...nodes], edges: [...edges] };
  const edgesFrom = (node: NodeIndex) => [...edges.keys()].filter((it) => edges[it]!.from === node);
  applyRename(workflow, names, { ...none, ...reads }, edgesFrom);
  return workflow;
};

describe('applyRename', () => {
  it('changes every text of a node, and says by which answer', () => {
    const fields = {
      firstMessage: 'Hi {{old}}',
      systemPrompt: '{{ old.name }} {{other}}',
      extractVariables: [{ name: 'x', type: 'string', description: 'like {{old}}' }],
    };
    const [node] = rename({ nodes: { a: fields } }, { texts: at(0) }).nodes;
    expect(node!.firstMessage).toMatchObject({ value: 'Hi {{new}}', changedBy: 'q' });
    expect(node!.systemPrompt).toMatchObject({ value: '{{ new.name }} {{other}}' });
    expect(node!.systemPrompt!.uses.map(({ name }) => name)).toEqual(['new', 'other']);
    expect(node!.captures[0]!.description!.value).toBe('like {{new}}');
  });

  it('changes transfers and requests', () => {
    const plan: Plan = {
      nodes: {
        a: 'A',
        x: transfer({ transferPlan: { message: 'From {{old}}' } }),
        t: request({
          url: 'https://x.example.com/{{old}}',
          headers: { Authorization: '{{old}}' },
          body: { list: ['{{old}}', { deep: '{{ old | upcase }}', old: 'old' }] },
        }),
      },
    };
    const { nodes } = rename(plan, { texts: at(1, 2) });
    expect(nodes[1]!.transfer!.message!.value).toBe('From {{new}}');
    const call = nodes[2]!.request!;
    expect(call.url!.value).toBe('https://x.example.com/{{new}}');
    expect(call.headers!.value).toEqual({ Authorization: '{{new}}' });
    expect(call.body!.value).toEqual({
      list: ['{{new}}', { deep: '{{ new | upcase }}', old: 'old' }],
    });
    expect(call.texts.flatMap(({ uses }) => uses.map(({ name }) => name))).toEqual([
      'new',
      'new',
      'new',
      'new',
    ]);
  });

  it('changes the conditions of a node’s edges, expressions among them', () => {
    const plan: Plan = {
      nodes: { a: 'A', b: 'B' },
      edges: ["a > b: old == 'old' and other == old", 'a > b: {{old}} is old', 'b > a: {{old}}'],
    };
    const { edges } = rename(plan, { conditions: at(0) });
    expect(edges.map(({ condition }) => condition!.value)).toEqual([
      "new == 'old' and other == new",
      '{{new}} is old',
      '{{old}}',
    ]);
    expect(edges[0]!.condition!.uses.map(({ name }) => name)).toEqual(['new', 'other', 'new']);
  });

  it('changes the condition of a global node, and not its texts', () => {
    const nodes = { a: 'A', g: { ...anytime('asks for {{old}}'), systemPrompt: '{{old}}' } };
    const [, global] = rename({ nodes }, { globals: at(1) }).nodes;
    expect(global!.global!.condition!.value).toBe('asks for {{new}}');
    expect(global!.systemPrompt!.value).toBe('{{old}}');
  });

  it('leaves other nodes, local variables and words as they are', () => {
    const text = 'The old {{older}} {% assign old = 1 %}{{old}}{{ "old" }} {{a.old}}';
    const plan: Plan = {
      nodes: { a: text, b: '{{old}}', c: { ...anytime('{{old}} x'), systemPrompt: 'C' } },
      edges: ['a > b: {{old}} y'],
    };
    const before = parsed(plan);
    expect(rename(plan, { texts: at(0) })).toEqual(before);
    expect(rename(plan, {})).toEqual(before);
  });

  it('leaves the origin of parts that read nothing of it', () => {
    const plan: Plan = {
      nodes: { a: 'A', t: request({ body: { read: '{{old}}', fixed: 'x' } }) },
    };
    const call = rename(plan, { texts: at(1) }).nodes[1]!.request!;
    expect(call.url!.origin).toEqual({ kind: 'source', at: '/nodes/1/url' });
    expect(call.headers!.origin).toEqual({ kind: 'source', at: '/nodes/1/headers' });
    expect(within(call.body!.origin, 'read')).toEqual({ kind: 'answer', question: 'q' });
    expect(within(call.body!.origin, 'fixed')).toEqual({
      kind: 'source',
      at: '/nodes/1/body/fixed',
    });
  });

  it('is what the answer `rename` does to the reads that nothing reaches, and to no others', () => {
    const plan: Plan = {
      nodes: {
        a: { systemPrompt: 'Early {{old}}.', extractVariables: [{ name: 'new', type: 'string' }] },
        b: { systemPrompt: 'Ask.', extractVariables: [{ name: 'old', type: 'string' }] },
        c: 'Late {{old}}.',
      },
      edges: ['a > b', 'b > c'],
    };
    const answers = { answers: { 'undefined-variable:old': { choice: 'rename', value: 'new' } } };
    const { prompt } = compiled(plan, { answers }).members[0]!;
    expect(prompt).toContain('Early {{new}}.');
    expect(prompt).toContain('Late {{old}}.');
  });

  /** A piece of text, and what it should become. */
  const piece = fc.constantFrom(
    ['old ', 'old '],
    ['{{old}}', '{{new}}'],
    ['{{ old.a[0] }}', '{{ new.a[0] }}'],
    ["{{ old | append: old }} 'old'", "{{ new | append: new }} 'old'"],
    ['{% if old == "old" %}{{old}}{% endif %}', '{% if new == "old" %}{{new}}{% endif %}'],
    ['{{x.old}}', '{{x.old}}'],
    ['{{older}}{{ old_ }}', '{{older}}{{ old_ }}'],
    ['{% raw %}{{old}}{% endraw %}', '{% raw %}{{old}}{% endraw %}'],
    ['{% comment %}{{old}}{% endcomment %}', '{% comment %}{{old}}{% endcomment %}'],
    ['{% for i in old %}{{i}}{% endfor %}', '{% for i in new %}{{i}}{% endfor %}'],
    ['{{ list[old] }}', '{{ list[new] }}'],
    ['🦉{{-old-}}', '🦉{{-new-}}'],
  );

  it('changes the reads in any text, and nothing else', () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        const before = pieces.map(([from]) => from).join('');
        const after = pieces.map(([, to]) => to).join('');
        fc.pre(before.trim() !== '');
        const [node] = rename({ nodes: { a: before } }, { texts: at(0) }).nodes;
        expect(node!.systemPrompt!.value).toBe(after);
        expect(node!.systemPrompt!.uses).toEqual(readTemplate(after).uses);
        expect(node!.systemPrompt!.uses.map(({ name }) => name)).not.toContain('old');
      }),
      { seed, numRuns: runs(300) },
    );
  });
});
