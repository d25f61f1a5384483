/** Workflows and squads as pictures: what is drawn, where it stands, and what each format makes of it. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json } from '../../src/index.js';
import { condense, limits, totalSpan } from '../../src/report/graph/condense.js';
import { type Layout, layOut } from '../../src/report/graph/layout.js';
import { linksBetween } from '../../src/report/graph/links.js';
import { pictureOfResult } from '../../src/report/graph/pictures.js';
import { renderSvg } from '../../src/report/graph/render-svg.js';
import { renderDot, renderMermaid } from '../../src/report/graph/render-text.js';
import { squadPicture } from '../../src/report/graph/squad-picture.js';
import { pictureCss, toneCount, toneOf } from '../../src/report/graph/style.js';
import { plainText, textWidth, wrapText } from '../../src/report/graph/text.js';
import { workflowPicture } from '../../src/report/graph/workflow-picture.js';
import { compareFiles, wantsUpdate, writeFiles } from '../golden/compare.js';
import { runs, seed } from '../seed.js';
import {
  compiledFacts,
  compiledPictures,
  goldenWorkflow,
  hostileLabel,
  readSvg,
  sketch,
} from './drawing.js';

describe('the picture of a workflow', () => {
  it('has its nodes by assistant, and one edge from anywhere into a global node', () => {
    const { workflow } = compiledPictures(goldenWorkflow('global-transfer'));
    const { nodes, edges, groups, title } = workflow;
    const brief = nodes.map(({ id, label, caption, kind, isStart, isGlobal, groups: of }) =>
      [id, label, caption, kind, isStart && 'start', isGlobal && 'global', of.join('+')].join('|'),
    );
    expect(brief).toEqual([
      '/nodes/0|intake|conversation|talk|start|false|0',
      '/nodes/1|damage|conversation|talk|false|false|1',
      '/nodes/2|rent|conversation|talk|false|false|2',
      '/nodes/3|emergency|transferCall|exit|false|global|0+1+2',
      '/nodes/4|bye|endCall|exit|false|false|1+2',
      '#anywhere|any node||anywhere|false|false|',
    ]);
    expect(edges.map(({ from, to, label, pointers }) => [from, to, label, ...pointers])).toEqual([
      ['/nodes/0', '/nodes/1', 'something is broken', '/edges/0'],
      ['/nodes/0', '/nodes/2', 'it is about the rent', '/edges/1'],
      ['/nodes/1', '/nodes/4', '', '/edges/2'],
      ['/nodes/1', '/nodes/3', 'the damage cannot wait', '/edges/3'],
      ['/nodes/2', '/nodes/4', '', '/edges/4'],
      ['#anywhere', '/nodes/3', 'there is fire or water damage right now', '/nodes/3/condition'],
    ]);
    expect([groups, title]).toEqual([['intake', 'damage', 'rent'], 'Housing association']);
  });

  it('has the names and places of a platform export, and words beside made-up ids', () => {
    const { workflow } = compiledPictures(goldenWorkflow('vapi-export'));
    const source = goldenWorkflow('vapi-export') as { nodes: { name: string }[] };
    const drawn = workflow.nodes.filter(({ kind }) => kind !== 'anywhere');
    expect(drawn).toHaveLength(source.nodes.length);
    expect(drawn[0]?.isStart).toBe(true);
    for (const { id, label } of drawn) {
      expect(source.nodes[Number(id.slice('/nodes/'.length))]?.name).toBe(label);
    }
    const made = compiledPictures(goldenWorkflow('vapi-names-of-programs')).workflow;
    expect(made.nodes.map(({ label }) => label)).toContain(
      'conversation_1748494071999 (Ask what the guest would like…)',
    );
  });

  it('keeps parallel edges and loops, without assistants where nothing is known of them', () => {
    const node = (id: string) => ({ id, type: 'conversation', systemPrompt: id });
    const edge = (from: string, to: string, condition: string) => ({ from, to, condition });
    const picture = workflowPicture({
      nodes: [node('a'), node('b')],
      edges: [edge('a', 'b', 'x'), edge('b', 'b', 'again'), edge('a', 'b', 'y')],
    })!;
    expect(picture.edges.map(({ id, from, to, label }) => [id, from, to, label]).sort()).toEqual([
      ['/edges/0', '/nodes/0', '/nodes/1', 'x'],
      ['/edges/1', '/nodes/1', '/nodes/1', 'again'],
      ['/edges/2', '/nodes/0', '/nodes/1', 'y'],
    ]);
    expect(picture.nodes.map(({ groups }) => groups)).toEqual([[], []]);
  });

  it('marks the start that an answer names, and none where nobody has said', () => {
    const workflow = goldenWorkflow('ambiguous-start-open');
    const [{ id }] = (workflow as { nodes: [{ id: string }] }).nodes;
    const starts = (start: string | null) => {
      const { nodes } = workflowPicture(workflow, { ledger: [], assistants: [], start })!;
      return nodes.flatMap((node) => (node.isStart ? node.label : []));
    };
    expect([starts(null), starts(id)]).toEqual([[], [id]]);
  });

  it.each<Json>([
    null,
    [],
    { nodes: [], edges: [] },
    { nodes: [{ id: 'a', type: 'hangup' }], edges: [{ from: 'a', to: 'b' }] },
  ])('is not there for what is no workflow', (workflow) => {
    expect(workflowPicture(workflow)).toBeNull();
    const facts = { workflow, ledger: [], answers: {} };
    expect(pictureOfResult(facts, null)).toEqual({ workflow: '', squad: '' });
  });
});

const steps = (picture: ReturnType<typeof squadPicture>) =>
  picture?.edges.map(({ from, to, label }) => {
    const name = (id: string) => picture.nodes.find((node) => node.id === id)?.label;
    return `${name(from)} -> ${name(to)}: ${label}`;
  });
const member = (name: string, ...tools: Json[]): Json => ({
  assistant: { name, model: { tools } },
});
const handoff = (assistantName: string, description: string): Json => ({
  type: 'handoff',
  destinations: [{ type: 'assistant', assistantName, description }],
});

describe('the picture of a squad', () => {
  it.each(['squad', 'vapi'] as const)('is the same graph in the shape %s', (target) => {
    const { squad } = compiledPictures(goldenWorkflow('global-transfer'), { target });
    expect(steps(squad)?.sort()).toEqual([
      'damage -> +493012345678: the damage cannot wait; or there is fire or water damage right now',
      'damage -> end of call: ',
      'intake -> +493012345678: there is fire or water damage right now',
      'intake -> damage: something is broken',
      'intake -> rent: it is about the rent',
      'rent -> +493012345678: there is fire or water damage right now',
      'rent -> end of call: ',
    ]);
  });

  it('draws once what all other assistants have, but not what some have', () => {
    const { squad } = compiledPictures(goldenWorkflow('global-conversation'));
    expect(steps(squad)?.filter((step) => step.includes('opening-hours:'))).toEqual([
      'any assistant -> opening-hours: the caller asks when the shop is open',
    ]);
    expect(squad.edges.find(({ from }) => from === '#anywhere')?.pointers).toHaveLength(3);
    const transfer = (description: string): Json => ({
      type: 'transferCall',
      destinations: [{ type: 'number', number: '+491', description }],
    });
    const members = (last: Json) => {
      const alike = ['a', 'b', 'c'].map((name) => member(name, transfer('on fire')));
      return squadPicture({ members: [...alike, member('d', last)] });
    };
    expect(steps(members(transfer('on fire')))).toEqual(['any assistant -> +491: on fire']);
    expect(steps(members(transfer('flooded')))).toHaveLength(4);
  });

  it('says where a handoff leads out of the squad, and knows saved assistants', () => {
    const dynamic = { type: 'handoff', destinations: [{ type: 'dynamic', server: {} }] };
    const elsewhere = squadPicture({
      members: [member('a', handoff('b', 'x'), handoff('c', 'y'), dynamic), member('b')],
    });
    expect(steps(elsewhere)).toEqual(['a -> b: x', 'a -> c: y', 'a -> handoff: ']);
    const captions = elsewhere?.nodes.map(({ caption }) => caption);
    expect(captions).toEqual(['assistant', 'not in this squad', 'dynamic', 'assistant']);
    const short = { assistantName: 'b', description: 'short' };
    const saved = squadPicture({
      members: [
        {
          assistantId: 'id-1',
          assistantOverrides: { 'tools:append': [handoff('b', 'added')] },
          assistantDestinations: [short],
        },
        { assistantId: 'id-2', assistantOverrides: { name: 'b' } },
      ],
    });
    expect(steps(saved)).toEqual(['id-1 -> b: added', 'id-1 -> b: short']);
    expect(saved?.nodes[0]?.caption).toBe('saved assistant');
    expect(saved?.edges[1]?.id).toBe('/members/0/assistantDestinations/0');
  });

  it('is there for any members, and for nothing else', () => {
    expect(squadPicture(goldenWorkflow('worked-pattern'))).toBeNull();
    expect(squadPicture({ members: 3 })).toBeNull();
    const key = fc.constantFrom(
      ...['members', 'squad', 'assistant', 'model', 'tools', 'destinations', 'type', 'handoff'],
      ...['transferCall', 'assistantName', 'description', 'endCall', '__proto__', 'constructor'],
    );
    const { value } = fc.letrec<{ value: Json }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 8 },
        fc.constantFrom<Json>(null, 1, 'handoff', 'transferCall', '__proto__'),
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(key, tie('value'), { maxKeys: 5 }),
      ),
    }));
    fc.assert(
      fc.property(fc.array(value, { maxLength: 4 }), (members) => {
        const picture = squadPicture({ squad: { members } })!;
        const ids = new Set(picture.nodes.map(({ id }) => id));
        expect(ids.size).toBe(picture.nodes.length);
        expect(picture.edges.every(({ from, to }) => ids.has(from) && ids.has(to))).toBe(true);
      }),
      { seed, numRuns: runs(200) },
    );
  });
});

describe('what belongs together in both pictures', () => {
  const linksOf = (name: string) => {
    const workflow = goldenWorkflow(name);
    const pictures = compiledPictures(workflow);
    const { ledger } = compiledFacts(workflow).facts;
    const links = linksBetween(pictures.workflow, pictures.squad, ledger);
    return { pictures, of: (id: string) => [...(links.get(id) ?? [])].sort() };
  };

  it('is a node and its assistant, an edge and its destination, the ends of calls', () => {
    const { of } = linksOf('worked-pattern');
    expect(of('/nodes/0')).toEqual(['/squad/members/0']);
    expect(of('/squad/members/0')).toEqual(['/edges/0', '/nodes/0', '/nodes/1']);
    expect(of('/edges/1')).toEqual(['/squad/members/0/assistant/model/tools/0/destinations/0']);
    expect(of('/nodes/4')).toEqual(['/squad/members/1#end', '/squad/members/2#end']);
    expect(of('/edges/3')).toEqual(['/squad/members/1#ends']);
  });

  it('is a transfer and all tools that it became, a global node and what leads to it', () => {
    const { of } = linksOf('global-transfer');
    const tool = (index: number, at: number) =>
      `/squad/members/${index}/assistant/model/tools/${at}/destinations/0`;
    const tools = [tool(0, 1), tool(1, 0), tool(2, 0)];
    expect(of('/nodes/3')).toEqual(tools.flatMap((it) => [it, `${it}#to`]));
    expect(of('/nodes/3#anywhere')).toEqual(of('/nodes/3'));
    const global = linksOf('global-conversation');
    const [once, ...others] = global.of('/nodes/3#anywhere');
    expect(others).toEqual([]);
    expect(global.of(once!)).toContain('/nodes/3#anywhere');
  });

  it.each(['worked-pattern', 'global-transfer', 'global-conversation', 'vapi-export', 'ivr-tree'])(
    'is known for every element of %s, and only for what is drawn',
    (name) => {
      const { pictures, of } = linksOf(name);
      const elements = [...pictures.workflow.nodes, ...pictures.workflow.edges];
      const unlinked = elements.filter(({ id }) => of(id).length === 0).map(({ id }) => id);
      expect(unlinked.filter((id) => id !== '#anywhere')).toEqual([]);
      const { facts, squad } = compiledFacts(goldenWorkflow(name));
      const drawn = pictureOfResult(facts, squad);
      const all = (svg: string, mark: string) =>
        [...svg.matchAll(new RegExp(` ${mark}="([^"]*)"`, 'g'))].flatMap(([, id]) =>
          id!.split(' '),
        );
      const [left, right] = [drawn.workflow, drawn.squad];
      expect(new Set(all(right, 'data-id'))).toEqual(
        new Set([...all(right, 'data-id'), ...all(left, 'data-links')]),
      );
      expect(new Set(all(left, 'data-id'))).toEqual(
        new Set([...all(left, 'data-id'), ...all(right, 'data-links')]),
      );
    },
  );
});

const names = (count: number) => Array.from({ length: count }, (_, at) => `n${at}`);
const chain = (count: number) =>
  Array.from({ length: count - 1 }, (_, at): [number, number] => [at, at + 1]);

describe('a picture that is too large', () => {
  it('has a box for each assistant with the number of its nodes, and merged edges', () => {
    const picture = sketch(names(450), [...chain(450), [0, 449], [3, 448]], (at) => ({
      groups: [Math.floor(at / 150)],
    }));
    const { picture: drawn, standsFor } = condense({ ...picture, groups: ['a', 'b', 'c'] });
    expect(drawn.nodes.map(({ label, caption, groups }) => [label, caption, ...groups])).toEqual([
      ['a', '150 nodes', 0],
      ['b', '150 nodes', 1],
      ['c', '150 nodes', 2],
    ]);
    const [a, b, c] = drawn.nodes.map(({ id }) => id);
    expect(drawn.edges.map(({ from, to, label }) => [from, to, label])).toEqual([
      [a, b, ''],
      [b, c, ''],
      [a, c, '2 edges'],
    ]);
    expect([standsFor.get('/nodes/7'), standsFor.get('/edges/7')]).toEqual([a, a]);
    expect(drawn.nodes[0]?.isStart).toBe(true);
  });

  it('begins above 400 nodes, and is bounded for any graph, every node and edge in it', () => {
    const whole = sketch(names(limits.nodes), chain(limits.nodes));
    expect(condense(whole).picture).toBe(whole);
    const many = Array.from({ length: 4000 }, (_, at): [number, number] => [
      (at * 7) % 900,
      (at * 31) % 900,
    ]);
    for (const group of [undefined, 1, 4, 900]) {
      const parts = (at: number) => ({ groups: group === undefined ? [] : [at % group] });
      const picture = sketch(names(900), [...chain(900), ...many], parts);
      const { picture: drawn, standsFor } = condense(picture);
      expect(drawn.nodes.length).toBeLessThanOrEqual(limits.nodes);
      expect(drawn.edges.length).toBeLessThanOrEqual(limits.edges);
      expect(totalSpan(drawn)).toBeLessThanOrEqual(limits.span);
      const ids = new Set([...drawn.nodes, ...drawn.edges].map(({ id }) => id));
      const all = [...picture.nodes, ...picture.edges];
      expect(all.every(({ id }) => ids.has(standsFor.get(id) ?? id))).toBe(true);
    }
  });

  it('still links both sides', () => {
    const talk = (id: string) => ({ id, type: 'conversation', systemPrompt: id });
    const nodes = [...names(430).map(talk), { id: 'end', type: 'endCall' }];
    const edges = [
      ...chain(430).map(([from, to]) => ({ from: `n${from}`, to: `n${to}` })),
      { from: 'n0', to: 'end', condition: 'they leave' },
      { from: 'n429', to: 'end' },
    ];
    const { facts, squad } = compiledFacts({ name: 'long', nodes, edges });
    const drawn = pictureOfResult(facts, squad);
    expect(drawn.workflow).toContain('431 nodes');
    expect(drawn.squad).toContain('data-links="/nodes/0#box');
  });

  it('is told by the ranks that its edges cross, for a graph of any size', () => {
    const edges: [number, number][] = [
      [0, 1],
      [1, 2],
      [0, 2],
      [2, 0],
      [1, 1],
    ];
    expect(totalSpan(sketch(names(3), edges))).toBe(6);
    expect(totalSpan(sketch(names(50_000), chain(50_000)))).toBe(49_999);
  });
});

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** The straight parts of a line that run up or down. */
function verticals(
  path: string,
): { readonly x: number; readonly from: number; readonly to: number }[] {
  let [x, y] = [0, 0];
  return [...path.matchAll(/([MVC])([^MVC]*)/g)].flatMap(([, command, text]) => {
    const numbers = text!.trim().split(' ').map(Number);
    const from = y;
    if (command !== 'V') x = numbers.at(-2)!;
    y = numbers.at(-1)!;
    return command === 'V' ? [{ x, from, to: y }] : [];
  });
}

/** Whether two boxes share more than their borders. */
function overlap(a: Box, b: Box): boolean {
  const isApart = (key: 'x' | 'y', size: 'width' | 'height') =>
    Math.abs(a[key] - b[key]) >= (a[size] + b[size]) / 2 - 0.5;
  return !isApart('x', 'width') && !isApart('y', 'height');
}

function faultsOf({ nodes, edges, width, height }: Layout): string[] {
  const boxes: Box[] = [...nodes, ...edges.flatMap(({ label }) => label ?? [])];
  const found: string[] = [];
  for (const [at, box] of boxes.entries()) {
    const isIn = (middle: number, size: number, most: number) =>
      middle - size / 2 >= 0 && middle + size / 2 <= most;
    if (!(isIn(box.x, box.width, width) && isIn(box.y, box.height, height)))
      found.push(`${at} out`);
    for (const [other, its] of boxes.slice(at + 1).entries()) {
      if (overlap(box, its)) found.push(`${at} overlaps ${at + 1 + other}`);
    }
  }
  for (const [number, { path }] of edges.entries()) {
    const others = edges.flatMap(({ label }, its) => (its === number ? [] : (label ?? [])));
    for (const { x, from, to } of verticals(path)) {
      const part = { x, y: (from + to) / 2, width: 0, height: Math.abs(to - from) };
      for (const box of [...nodes, ...others]) {
        if (overlap(part, box)) found.push(`${number} cuts ${box.lines.join(' ')}`);
      }
    }
  }
  return found;
}

const anyPicture = fc.integer({ min: 1, max: 14 }).chain((count) => {
  const end = fc.nat(count - 1);
  const labels = fc.array(hostileLabel(), { minLength: count, maxLength: count });
  const edges = fc.array(fc.tuple(end, end, hostileLabel()), { maxLength: 18 });
  return fc.tuple(labels, edges).map(([all, lines]) => sketch(all, lines));
});

describe('the layout', () => {
  it('has nothing on anything else, whatever is drawn', () => {
    for (const name of ['worked-pattern', 'global-transfer', 'ivr-tree', 'retry-round-a-tool']) {
      expect(faultsOf(layOut(compiledPictures(goldenWorkflow(name)).workflow))).toEqual([]);
    }
    fc.assert(
      fc.property(anyPicture, (picture) => {
        expect(faultsOf(layOut(picture))).toEqual([]);
      }),
      { seed, numRuns: runs(40) },
    );
  });

  it('begins with the start on top', () => {
    const { workflow } = compiledPictures(goldenWorkflow('cycle-consolidated'));
    const { nodes } = layOut(workflow);
    expect(workflow.nodes[0]?.isStart).toBe(true);
    expect(nodes[0]!.y).toBe(Math.min(...nodes.map(({ y }) => y)));
  });

  it('leads each line from box to box, loops round their label, edges back upwards', () => {
    const lines: [number, number, string?][] = [
      [0, 1, 'x'],
      [0, 1, 'y'],
      [1, 1, 'again'],
      [1, 0],
    ];
    const layout = layOut(sketch(['a', 'b'], lines));
    expect(faultsOf(layout)).toEqual([]);
    const [a, b] = layout.nodes as readonly Box[] as readonly [Box, Box];
    const [first, second, loop, back] = layout.edges.map(({ path }) => path);
    expect(new Set([first, second]).size).toBe(2);
    const lower = a.y + a.height / 2;
    expect(first).toMatch(new RegExp(`^M[\\d.]+ ${lower}[CV]`));
    const right = b.x + b.width / 2;
    const [far] = /C([\d.]+)/.exec(loop!)!.slice(1).map(Number);
    const label = layout.edges[2]!.label!;
    expect(loop).toMatch(new RegExp(`^M${right} `));
    expect(Math.abs((right + 3 * far!) / 4 - label.x)).toBeLessThan(0.2);
    const [up] = verticals(back!);
    expect(up!.to).toBeLessThan(up!.from);
    expect(layout.edges[3]!.head).toMatch(new RegExp(`^M[\\d.]+ ${lower}L`));
  });

  it('is the same each time, and for any order of keys', () => {
    const workflow = goldenWorkflow('ivr-tree');
    const reversed = JSON.parse(JSON.stringify(workflow), (_key, value) =>
      typeof value === 'object' && value !== null && !Array.isArray(value)
        ? Object.fromEntries(Object.entries(value).reverse())
        : value,
    );
    const svg = (document: typeof workflow) => {
      const { workflow: picture } = compiledPictures(document);
      return renderSvg(picture, layOut(picture), { theme: 'auto' });
    };
    expect(svg(reversed)).toBe(svg(workflow));
  });
});

describe('the lines of a label', () => {
  const room = { width: 100, size: 13, lines: 3, cut: 'end' } as const;

  it('end at spaces, and behind signs that join words', () => {
    const words = ['collect the', 'number of the', 'order'];
    expect(wrapText('collect the number of the order', room)).toEqual(words);
    const parts = ['collect_', 'patient_', 'information'];
    expect(wrapText('collect_patient_information', room)).toEqual(parts);
    expect(wrapText(' \n\u200b', room)).toEqual([]);
    expect(wrapText(`a${'\u0301'.repeat(9)}b`, room)).toEqual(['a\u0301\u0301\u0301b']);
  });

  it('say that there is more, and keep the end where that tells names apart', () => {
    expect(wrapText('one two three '.repeat(20), room)[2]).toMatch(/…$/);
    const middle = { ...room, cut: 'middle' } as const;
    const long = (end: string) => wrapText(`${'collect_the_'.repeat(9)}${end}`, middle).at(-1);
    expect(long('name')).toMatch(/^c.*….*name$/);
    expect(long('date')).not.toBe(long('name'));
    expect(wrapText(`${'x'.repeat(9_000)}the end`, middle).at(-1)).toMatch(/….*end$/);
  });

  it('count wide characters as wide, and marks as nothing', () => {
    expect(textWidth('漢字', 13)).toBeGreaterThan(2 * 13);
    expect(textWidth('🙂', 13)).toBeGreaterThan(13);
    expect(textWidth('e\u0301', 13)).toBe(textWidth('e', 13));
    expect(textWidth('iii', 13)).toBeLessThan(textWidth('mmm', 13) / 2);
  });

  it('fit, whatever the text is', () => {
    fc.assert(
      fc.property(hostileLabel(), fc.constantFrom('middle', 'end'), (text, cut) => {
        const lines = wrapText(text, { ...room, cut });
        expect(lines.length).toBeLessThanOrEqual(room.lines);
        for (const line of lines) {
          expect(textWidth(line, room.size)).toBeLessThanOrEqual(room.width + 2 * room.size);
          expect(line).not.toMatch(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/u);
          expect(line.isWellFormed()).toBe(true);
        }
      }),
      { seed, numRuns: runs(300) },
    );
  });
});

describe('an SVG', () => {
  it('holds every text as a text, whatever it is', () => {
    const labels = fc.tuple(hostileLabel(), hostileLabel(), hostileLabel(), hostileLabel());
    fc.assert(
      fc.property(labels, ([title, a, b, condition]) => {
        const picture = { ...sketch([a, b], [[0, 1, condition]]), title, groups: [a] };
        const svg = renderSvg(picture, layOut(picture), { theme: 'auto' });
        const { texts } = readSvg(svg);
        const shown = texts.flatMap(({ element, text }) => (element === 'title' ? text : []));
        const isWhole = plainText(a).length <= 1900;
        if (isWhole) expect(shown).toContain(`${plainText(a)} (start · conversation)`.trim());
        expect(svg).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/u);
      }),
      { seed, numRuns: runs(100) },
    );
  });

  it('stands alone with its style, or is an element of a page without', () => {
    const { workflow } = compiledPictures(goldenWorkflow('vapi-export'));
    const svg = renderSvg(workflow, layOut(workflow), { theme: 'auto' });
    expect(svg).toMatch(/^<\?xml version="1\.0" encoding="UTF-8"\?>\n<svg [^>]* role="img"/);
    expect(svg).toContain('prefers-color-scheme:dark');
    expect(svg).not.toMatch(/url\(|@import|href|<script|\son[a-z]+=/);
    expect(svg.match(/https?:[^"]*/g)).toEqual(['http://www.w3.org/2000/svg']);
    const part = renderSvg(workflow, layOut(workflow), { theme: 'none' });
    expect(part).toMatch(/^<svg [^>]* role="group"/);
    expect(part).not.toMatch(/<style|style=|<\?xml/);
    expect(readSvg(part).count).toBeGreaterThan(10);
    for (const theme of ['light', 'dark'] as const) {
      expect(pictureCss(theme)).not.toContain('@media');
      expect(pictureCss('auto')).toContain(pictureCss(theme).slice(-200));
    }
  });

  it('can be read: WCAG AA for every text on what lies behind it', () => {
    for (let group = 0; group < toneCount; group += 1) {
      const { light, dark } = toneOf(group);
      expect(contrast('#ffffff', light[0])).toBeGreaterThan(4.5);
      expect(contrast('#52525b', light[1])).toBeGreaterThan(4.5);
      expect(contrast('#111114', dark[0])).toBeGreaterThan(4.5);
      expect(contrast('#b4b4c0', dark[1])).toBeGreaterThan(4.5);
    }
    for (const colour of ['#ffffff', '#52525b']) expect(pictureCss('light')).toContain(colour);
    for (const colour of ['#111114', '#b4b4c0']) expect(pictureCss('dark')).toContain(colour);
  });
});

function contrast(a: string, b: string): number {
  const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (high! + 0.05) / (low! + 0.05);
}

function luminance(colour: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const value = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
}

const hostilePicture = fc
  .tuple(hostileLabel(), hostileLabel(), hostileLabel(), hostileLabel())
  .map(([a, b, condition, name]) => ({
    ...sketch([a, b], [[0, 1, condition]], (at) => ({
      groups: at === 0 ? [0] : [],
      caption: name,
    })),
    title: name,
    groups: [name],
  }));

/** Letters, digits, harmless signs, and characters by their numbers. */
const text = String.raw`(?:[\p{L}\p{N}\p{M} ,'()?!/_…-]|#\d+;|<br/>)*`;

const mermaidLines = [
  'flowchart TD',
  String.raw`  subgraph g\d+\["${text}"\]`,
  '  end',
  String.raw` {2,4}n\d+(?:\("${text}"\)|\[\["${text}"\]\]|\(\["${text}"\]\)|\(\("${text}"\)\)|\["${text}"\])`,
  String.raw`  n\d+ (?:-->|-\.->)(?:\|"${text}"\|)? n\d+`,
  String.raw`  classDef t\d fill:#[\da-f]{6},stroke:#[\da-f]{6},color:#[\da-f]{6}`,
  String.raw`  class n\d+(?:,n\d+)* t\d`,
].map((line) => new RegExp(`^${line}$`, 'u'));

describe('a Mermaid flowchart', () => {
  it('has only lines of ours, whatever the labels are', () => {
    fc.assert(
      fc.property(hostilePicture, (picture) => {
        const lines = renderMermaid(picture).trimEnd().split('\n');
        expect(lines.filter((line) => !mermaidLines.some((form) => form.test(line)))).toEqual([]);
        expect(lines.filter((line) => /^\s*n\d+ -/.test(line))).toHaveLength(1);
      }),
      { seed, numRuns: runs(200) },
    );
  });

  it('writes by number what Mermaid would take for more than a text', () => {
    const picture = sketch(['"] %%{init: {}}%% `x` #quot; <b> 1. end_of-call -x_']);
    expect(renderMermaid(picture)).toContain(
      `n0("#34;#93; #37;#37;#123;init#58; #123;#125;#125;#37;#37; #96;x#96; #35;quot#59; ` +
        '#60;b#62; 1#46; end_of-call #45;x#95;<br/>start, conversation")',
    );
  });
});

/** What DOT is made of: a quoted string has no bare quote and no backslash but before a character. */
const dotToken =
  /\s+|"(?:[^"\\\n]|\\[\\"n])*"|[A-Za-z_][A-Za-z_0-9]*|\d+(?:\.\d+)?|->|[{}[\];,=]/uy;

function shapeOfDot(document: string): string[] {
  const tokens: string[] = [];
  for (dotToken.lastIndex = 0; dotToken.lastIndex < document.length; ) {
    const at = dotToken.lastIndex;
    const token = dotToken.exec(document)?.[0];
    if (token === undefined) throw new Error(`no DOT: ${document.slice(at, at + 60)}`);
    if (token.trim() !== '') tokens.push(token.startsWith('"') ? '""' : token);
  }
  return tokens;
}

describe('a DOT graph', () => {
  it('has the same shape, whatever the labels are', () => {
    fc.assert(
      fc.property(hostilePicture, (picture) => {
        const tame = {
          ...picture,
          title: 'x',
          groups: ['x'],
          nodes: picture.nodes.map((node) => ({ ...node, label: 'x', caption: 'x' })),
          edges: picture.edges.map((edge) => ({ ...edge, label: edge.label && 'x' })),
        };
        const isShown = picture.edges.every(({ label }) => /\p{L}/u.test(label));
        const shape = shapeOfDot(renderDot(picture));
        if (isShown) expect(shape).toEqual(shapeOfDot(renderDot(tame)));
        expect(shape.filter((token) => token === '->')).toHaveLength(1);
      }),
      { seed, numRuns: runs(200) },
    );
    const document = renderDot(sketch(['a "b" \\N &lt; c']));
    expect(document).toContain(String.raw`tooltip="a \"b\" \\N &amp;lt; c"`);
  });

  it('is read by Graphviz, where it is installed', ({ skip }) => {
    const document = renderDot(compiledPictures(goldenWorkflow('ivr-tree')).workflow);
    const { status, error, stderr } = spawnSync('dot', ['-Tplain'], { input: document });
    if (error !== undefined) skip('dot is not installed');
    expect([stderr.toString(), status]).toEqual(['', 0]);
  });
});

/** UPDATE_GOLDENS=1 writes the files anew; an expectation is a claim that they are right. */
it.each(['worked-pattern', 'global-transfer'])(
  'the pictures of %s are what is expected',
  (name) => {
    const files = new Map(
      Object.entries(compiledPictures(goldenWorkflow(name))).flatMap(([subject, picture]) => [
        [`${subject}.svg`, renderSvg(picture, layOut(picture), { theme: 'auto' })],
        [`${subject}.mmd`, renderMermaid(picture)],
        [`${subject}.dot`, renderDot(picture)],
      ]),
    );
    const folder = join('test/report/expected', name);
    if (wantsUpdate(process.env)) writeFiles(folder, files);
    compareFiles(folder, files);
    expect(readSvg(files.get('workflow.svg')!).count).toBeGreaterThan(10);
  },
);
