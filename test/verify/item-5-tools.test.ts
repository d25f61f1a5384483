import { describe, expect, it } from 'vitest';
import type { ToolCall } from '../../src/compiler/ir/workflow.js';
import { checkTools } from './checks.js';
import {
  clinic,
  edge,
  faultsOf,
  member,
  migrate,
  places,
  request,
  talk,
  valueAt,
  withElement,
  without,
  withValue,
} from './migration.js';

const input = migrate(clinic);
const lookup = placeOf('apiRequest');
const desk = placeOf('transferCall');

/** Where the first tool of this type stands. */
function placeOf(type: string): string {
  const found = places(input.document).find(
    ({ at, value }) => /\/tools\/\d+\/type$/.test(at) && value === type,
  );
  return (found?.at ?? '').replace(/\/type$/, '');
}

describe('item 5', () => {
  it('holds where every assistant has its tools', () => {
    const item = checkTools(input);
    expect(faultsOf(item)).toEqual([]);
    expect(item.evidence).toEqual([
      {
        holds: true,
        text: '“scheduling” has the tool of “lookup”.',
        source: ['/nodes/4'],
        output: [lookup],
      },
      {
        holds: true,
        text: '“billing” has the tool of “desk”.',
        source: ['/nodes/5'],
        output: [desk],
      },
    ]);
  });

  it('holds without any tool, and says so', () => {
    const item = checkTools(migrate({ name: 'One', nodes: [talk('a')], edges: [] }));
    expect(item.evidence).toHaveLength(1);
    expect(item.holds).toBe(true);
  });

  it.each([
    ['url', 'https://example.com'],
    ['method', 'POST'],
    ['headers', { Authorization: 'none' }],
    ['body', { type: 'object' }],
    ['timeoutSeconds', 30],
    ['variableExtractionPlan', { aliases: [{ key: 'slot', value: '{{ $.other }}' }] }],
  ])('fails where a request has another %s', (field, value) => {
    expect(faultsOf(checkTools(withValue(input, `${lookup}/${field}`, value)))).toEqual([
      '“scheduling” does not have the tool of “lookup” as the source has it.',
      '“scheduling” has the tool “lookup”, which none of its nodes needs.',
    ]);
  });

  it.each([
    ['number', '+14155550199'],
    ['message', 'Bye.'],
  ])('fails where a transfer has another %s', (field, value) => {
    const damaged = withValue(input, `${desk}/destinations/0/${field}`, value);
    expect(faultsOf(checkTools(damaged))).toContain(
      '“billing” does not have the tool of “desk” as the source has it.',
    );
  });

  it('fails where a transfer does not say when', () => {
    const vague = withValue(input, `${desk}/destinations/0/description`, 'is angry');
    expect(faultsOf(checkTools(vague))).toEqual([
      'The transfer of “desk” that “billing” has lacks one of its conditions.',
    ]);
  });

  it('fails where a tool is with another assistant, missing or doubled', () => {
    const tool = valueAt(input.document, lookup);
    const elsewhere = `${member(input, 'billing')}/assistant/model/tools`;
    expect(faultsOf(checkTools(withElement(input, elsewhere, tool)))).toEqual([
      '“billing” has the tool “lookup”, which none of its nodes needs.',
    ]);
    expect(checkTools(without(input, lookup)).holds).toBe(false);
    const own = lookup.replace(/\/\d+$/, '');
    expect(faultsOf(checkTools(withElement(input, own, tool)))).toEqual([
      '“scheduling” has the tool “lookup”, which none of its nodes needs.',
      '“scheduling” has two tools of the name “lookup”.',
    ]);
  });

  it('gives equal tools once, and different ones of one kind twice', () => {
    const same = { url: 'https://api.example.com/same' };
    const equal = migrate({
      name: 'E',
      nodes: [talk('a'), request('one', same), request('two', same), talk('b'), talk('c')],
      edges: ['a>one: x', 'a>two: y', 'a>c: z', 'one>b', 'two>b'].map(edge),
    });
    expect(faultsOf(checkTools(equal))).toEqual([]);
    const different = migrate({
      name: 'D',
      nodes: [talk('a'), request('one', same), request('two', same), talk('b'), talk('c')],
      edges: ['a>one: x', 'a>two: y', 'one>b', 'two>c'].map(edge),
    });
    expect(checkTools(different).evidence).toHaveLength(2);
    expect(checkTools(different).holds).toBe(true);
  });

  it('wants global transfers on every assistant', () => {
    const nodes = clinic.nodes.map((node) =>
      node.id === 'desk' ? { ...node, isGlobal: true, condition: 'is angry' } : node,
    );
    const everywhere = migrate({ ...clinic, nodes });
    const item = checkTools(everywhere);
    expect(faultsOf(item)).toEqual([]);
    expect(item.evidence.filter(({ text }) => text.endsWith('“desk”.'))).toHaveLength(4);
  });

  it('wants the custom tool that an answer asked for, with its variables', () => {
    const call: ToolCall = {
      tool: 'Look up!',
      node: null,
      variables: ['name'],
      moment: 'captured',
      question: 'q',
      at: '/nodes/1',
    };
    const [first, ...others] = input.workflow.nodes;
    const workflow = { ...input.workflow, nodes: [{ ...first!, calls: [call] }, ...others] };
    const asked = { ...input, workflow };
    expect(faultsOf(checkTools(asked))).toEqual([
      '“greeting” does not have the tool of “Look up!” as the source has it.',
    ]);
    const custom = {
      type: 'function',
      function: { name: 'Look_up', description: 'd', parameters: {} },
      variableExtractionPlan: { aliases: [{ key: 'name', value: '{{ $.name }}' }] },
    };
    const tools = `${member(input, 'greeting')}/assistant/model/tools`;
    expect(checkTools(withElement(asked, tools, custom)).holds).toBe(true);
    const { variableExtractionPlan: _, ...useless } = custom;
    expect(checkTools(withElement(asked, tools, useless)).holds).toBe(false);
  });

  it('reads headers in the shape of the voice platform', () => {
    const vapi = migrate(clinic, { target: 'vapi' });
    expect(faultsOf(checkTools(vapi))).toEqual([]);
    const headers = places(vapi.document).find(({ at }) => at.endsWith('/headers'))?.at ?? '';
    expect(checkTools(without(vapi, headers)).holds).toBe(false);
  });
});
