import { describe, expect, it } from 'vitest';
import type { CompileOptions } from '../../src/compiler/ir/options.js';
import type { Evidence } from '../../src/compiler/ir/result.js';
import type { SpecNode, SpecWorkflow } from '../../src/testing/spec-workflow.js';
import { checkGrouping } from './checks.js';
import {
  captured,
  clinic,
  edge,
  faultsOf,
  type Migration,
  member,
  migrate,
  request,
  talk,
  withElement,
  without,
  withValue,
} from './migration.js';

const workflow = (nodes: SpecNode[], ...edges: string[]): SpecWorkflow => ({
  name: 'W',
  nodes,
  edges: edges.map(edge),
});
const talks = (...ids: string[]) => ids.map((id) => talk(id));
const cycles = (choice: string): CompileOptions => ({
  answers: { policies: { 'cyclic-stages': choice } },
});
const textsOf = ({ evidence }: { readonly evidence: readonly Evidence[] }) =>
  evidence.map(({ text }) => text);

/** The migration of a workflow with the squad of another one. */
function withSquadOf(
  wanted: SpecWorkflow,
  other: SpecWorkflow,
  options: CompileOptions = {},
  others: CompileOptions = options,
): Migration {
  return { ...migrate(wanted, options), document: migrate(other, others).document };
}

describe('item 2', () => {
  const input = migrate(clinic);

  it('holds where every handoff has a reason', () => {
    const item = checkGrouping(input);
    expect(faultsOf(item)).toEqual([]);
    expect(item.waivedBy).toBeUndefined();
    expect(textsOf(item)).toContain(
      '“greeting” hands off to “billing”: it can also hand off elsewhere.',
    );
  });

  it('says which pairs hand off to and fro because of a global node', () => {
    const item = checkGrouping(
      migrate({ ...clinic, edges: [...clinic.edges, edge('operator>scheduling: wants a time')] }),
    );
    expect(item.holds).toBe(true);
    expect(textsOf(item)).toContain(
      '“scheduling” and “operator” hand off to and fro, because a global node leads to “operator” from anywhere.',
    );
  });

  it('takes the way through a global tool for a way through a global node', () => {
    const search = request('search', { isGlobal: true, condition: 'looks for something' });
    const nodes = [talk('a'), search, talk('b'), talk('c')];
    const item = checkGrouping(migrate(workflow(nodes, 'search>b: one', 'search>c: two')));
    expect(faultsOf(item)).toEqual([]);
    expect(textsOf(item)).toContain(
      '“c” and “b” hand off to and fro, because a global node leads to “b” from anywhere.',
    );
  });
});

describe('item 2, with what is for one assistant in several', () => {
  it('fails where a chain is cut, and shows both ends of every cut', () => {
    const chain = workflow(talks('a', 'b', 'c'), 'a>b: 1', 'b>c: 3');
    const cut = workflow(talks('a', 'b', 'c'), 'a>b: 1', 'a>c: 2', 'b>c: 3');
    const item = checkGrouping(withSquadOf(chain, cut));
    expect(item.evidence.filter(({ holds }) => !holds)).toEqual([
      {
        holds: false,
        text: '“a” and “b” could be one: “a” and “b” are of one chain.',
        source: ['/nodes/0', '/nodes/1'],
        output: ['/squad/members/0', '/squad/members/1'],
      },
      {
        holds: false,
        text: '“b” and “c” could be one: “b” and “c” are of one chain.',
        source: ['/nodes/1', '/nodes/2'],
        output: ['/squad/members/1', '/squad/members/2'],
      },
    ]);
  });

  it('fails where a cycle is cut', () => {
    const cycle = workflow(talks('a', 'b', 'c'), 'a>b', 'b>c: x', 'c>b: y');
    expect(checkGrouping(migrate(cycle, cycles('consolidate'))).holds).toBe(true);
    const item = checkGrouping(
      withSquadOf(cycle, cycle, cycles('consolidate'), cycles('keep-split')),
    );
    expect(faultsOf(item)).toEqual([
      '“a” and “b” could be one: “a” and “b” are of one chain.',
      '“b” and “c” could be one: “b” and “c” lead to each other.',
      '“b” and “c” hand off to each other in a circle.',
    ]);
    expect(item.holds).toBe(false);
  });

  it('fails where equal nodes are left apart', () => {
    const same = { systemPrompt: 'Do the same.' };
    const nodes = [talk('a'), talk('b', same), talk('c', same), talk('d')];
    const ways = ['a>b: 1', 'a>c: 2', 'b>d'];
    const item = checkGrouping(
      withSquadOf(workflow(nodes, ...ways, 'c>d'), workflow(nodes, ...ways, 'c>d: x')),
    );
    const fault = item.evidence.find(({ text }) => text.includes('behave the same'))!;
    expect(fault).toEqual({
      holds: false,
      text: '“b” and “c” behave the same and could be one; “b” and “c” have them.',
      source: ['/nodes/1', '/nodes/2'],
      output: ['/squad/members/1', '/squad/members/2'],
    });
  });

  it('fails where several assistants have a node', () => {
    const nodes = talks('a', 'b', 'c', 'd');
    const ways = ['a>b: 1', 'a>c: 2', 'b>d'];
    const twin: SpecNode = { ...talk('d'), id: 'e', extractVariables: [captured('x')] };
    const other = workflow([...nodes, twin], ...ways, 'c>e');
    const item = checkGrouping(withSquadOf(workflow(nodes, ...ways, 'c>d'), other));
    expect(faultsOf(item)).toContain('Several assistants have “d”: “b” and “c”.');
  });

  it('fails where two branches without tools are apart, for the boundary `tools`', () => {
    const branch = workflow(talks('a', 'b', 'c'), 'a>b: 1', 'a>c: 2');
    const item = checkGrouping(withSquadOf(branch, branch, { boundary: 'tools' }, {}));
    expect(faultsOf(item)).toEqual([
      '“a” and “b” could be one: no tools set “a” and “b” apart.',
      '“a” and “c” could be one: no tools set “a” and “c” apart.',
    ]);
  });
});

describe('item 2, with what is for several assistants in one', () => {
  it('fails where assistants are merged across a boundary', () => {
    const branch = workflow(talks('a', 'b', 'c'), 'a>b: 1', 'a>c: 2');
    const item = checkGrouping(withSquadOf(branch, branch, {}, { boundary: 'tools' }));
    expect(item.evidence.filter(({ holds }) => !holds)).toEqual([
      {
        holds: false,
        text: '“a” has “a” and “b”, which are for two assistants.',
        source: ['/nodes/0', '/nodes/1'],
        output: ['/squad/members/0'],
      },
      {
        holds: false,
        text: '“a” has “b” and “c”, which are for two assistants.',
        source: ['/nodes/1', '/nodes/2'],
        output: ['/squad/members/0'],
      },
    ]);
  });

  it('fails where one has what an answer keeps apart', () => {
    const cycle = workflow(talks('a', 'b', 'c'), 'a>b', 'b>c: x', 'c>b: y');
    const item = checkGrouping(
      withSquadOf(cycle, cycle, cycles('keep-split'), cycles('consolidate')),
    );
    expect(faultsOf(item)).toContain('“a” has “b” and “c”, which an answer keeps apart.');
    expect(item).toMatchObject({ holds: false });
    expect(item.waivedBy).toBeUndefined();
  });
});

describe('item 2, with what no assistant is for', () => {
  const input = migrate(clinic);

  it('fails where an assistant has no node', () => {
    const idle = { assistant: { name: 'idle', model: { messages: [] } } };
    expect(faultsOf(checkGrouping(withElement(input, '/squad/members', idle)))).toEqual([
      'No conversation or gather node belongs to “idle”.',
    ]);
  });

  it('fails where a node has no assistant', () => {
    expect(faultsOf(checkGrouping(without(input, member(input, 'billing'))))).toContain(
      'No assistant has “billing”.',
    );
  });

  it('cannot tell what a saved assistant has', () => {
    const saved = withValue(input, member(input, 'billing'), { assistantId: 'billing' });
    expect(faultsOf(checkGrouping(saved))).toEqual([]);
  });
});

describe('item 2, tools', () => {
  const nodes = [...talks('a', 'b', 'c'), request('t')];
  const ways = ['a>t: 1', 'a>c: 2', 't>b'];

  it('fails where a tool is not with the branch that it is the head of', () => {
    // What leads to b too takes the tool to a.
    const item = checkGrouping(
      withSquadOf(workflow(nodes, ...ways), workflow(nodes, ...ways, 'c>b')),
    );
    expect(faultsOf(item)).toEqual([
      '“b” does not call “t”, which is among the tools of its nodes.',
      '“a” calls “t”, which is not among the tools of its nodes.',
    ]);
  });

  it('fails where one of several assistants that share a tool lacks it', () => {
    const shared = workflow(nodes, 'a>b: 1', 'a>c: 2', 'b>t', 'c>t');
    const item = checkGrouping(withSquadOf(shared, workflow(nodes, 'a>b: 1', 'a>c: 2', 'b>t')));
    expect(faultsOf(item)).toEqual([
      '“c” does not call “t”, which is among the tools of its nodes.',
    ]);
    expect(checkGrouping(migrate(shared)).holds).toBe(true);
  });

  it('lets a start that is a tool stand alone only where it has nowhere to go', () => {
    const start = [request('t'), ...talks('a', 'b')];
    expect(checkGrouping(migrate(workflow(start, 't>a: 1', 't>b: 2'))).holds).toBe(true);
    const alone = withSquadOf(workflow(start, 't>a', 'a>b: 2'), workflow(start, 't>a', 't>b: 2'));
    expect(faultsOf(checkGrouping(alone))).toContain(
      'No conversation or gather node belongs to “t”.',
    );
  });
});

describe('item 2, kept apart by an answer', () => {
  const nodes = talks('a', 'b', 'c', 'd', 'first');
  const ways = ['first>a', 'a>b', 'b>c: x', 'c>b: y', 'c>d: z'];
  const kept = workflow(nodes, ...ways);

  it('is waived, and says so', () => {
    const item = checkGrouping(migrate(kept, cycles('keep-split')));
    expect(item.holds).toBe(true);
    expect(item.waivedBy).toMatch(/^cyclic-stages:b~/);
    expect(faultsOf(item)).toEqual([
      '“b” hands off to “c” and they could be one; an answer keeps them apart.',
      '“b” and “c” hand off to each other in a circle, as an answer wants it.',
    ]);
  });

  it('fails without the answer', () => {
    const answered = migrate(kept, cycles('keep-split'));
    const item = checkGrouping({ ...answered, options: { ...answered.options, answers: {} } });
    expect(item.holds).toBe(false);
    expect(item.waivedBy).toBeUndefined();
  });

  it('does not excuse a chain that no answer is about', () => {
    const cut = workflow(nodes, ...ways, 'first>b: q');
    const item = checkGrouping(withSquadOf(kept, cut, cycles('keep-split')));
    expect(faultsOf(item)).toContain(
      '“first” and “a” could be one: “first” and “a” are of one chain.',
    );
    expect(item.holds).toBe(false);
    expect(item.waivedBy).toBeUndefined();
  });

  it('does not excuse another cycle', () => {
    const two = workflow(
      talks('a', 'b', 'c', 'd', 'e'),
      'a>b',
      'b>c',
      'c>b: x',
      'c>d: y',
      'd>e',
      'e>d: z',
    );
    const ids = migrate(two, cycles('keep-split'));
    const asked = Object.keys(ids.options.answers.policies ?? {});
    expect(asked).toEqual(['cyclic-stages']);
    const waived = checkGrouping(ids).waivedBy!;
    const one: CompileOptions = {
      answers: {
        answers: { [waived]: { choice: 'keep-split' } },
        policies: { 'cyclic-stages': 'consolidate' },
      },
    };
    expect(checkGrouping(migrate(two, one))).toMatchObject({ holds: true, waivedBy: waived });
    const item = checkGrouping(withSquadOf(two, two, one, cycles('keep-split')));
    expect(item.holds).toBe(false);
    expect(faultsOf(item)).toContain('“d” and “e” could be one: “d” and “e” lead to each other.');
  });

  it('says of a handoff that only an answer keeps', () => {
    const voice = (voiceId: string) => ({ voice: { provider: 'p', voiceId } });
    const settings = workflow([talk('a', voice('1')), talk('b', voice('2'))], 'a>b');
    const options: CompileOptions = {
      answers: { policies: { 'conflicting-settings': 'keep-split' } },
    };
    const item = checkGrouping(migrate(settings, options));
    expect(item.holds).toBe(true);
    expect(item.waivedBy).toMatch(/^conflicting-settings:a~/);
    expect(textsOf(item)).toContain(
      '“a” hands off to “b” and they could be one; an answer keeps them apart.',
    );
  });
});

describe('item 2, boundary tools', () => {
  const nodes = [...talks('a', 'b', 'c'), request('one'), request('two')];

  it('wants different tools for a second way out', () => {
    const split = workflow(nodes, 'a>one: w', 'one>b', 'a>c: z', 'c>two', 'a>b: y');
    const item = checkGrouping(migrate(split, { boundary: 'tools' }));
    expect(faultsOf(item)).toEqual([]);
    expect(textsOf(item)).toContain('“a” hands off to “c”: their tools differ.');
  });

  it('fails where the squad is that of the other boundary', () => {
    const plain = workflow(nodes, 'a>b: w', 'a>c: z', 'c>two', 'b>one');
    const branch = migrate(plain);
    expect(checkGrouping(branch).holds).toBe(true);
    const options = { ...branch.options, boundary: 'tools' as const };
    expect(checkGrouping({ ...branch, options }).holds).toBe(false);
  });
});
