/** Workflows and squads as pictures: what is drawn, how it is laid out, and what each format makes of it. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type CompileOptions, compile, type Json } from '../../src/index.js';
import { condense, limits } from '../../src/report/graph/condense.js';
import { layOut } from '../../src/report/graph/layout.js';
import { type Picture, type PictureNode, pictureNode } from '../../src/report/graph/picture.js';
import { drawPictures, picturesOf } from '../../src/report/graph/pictures.js';
import { renderSvg } from '../../src/report/graph/render-svg.js';
import { renderDot, renderMermaid } from '../../src/report/graph/render-text.js';
import { squadPicture } from '../../src/report/graph/squad-picture.js';
import { wrapText } from '../../src/report/graph/text.js';
import { workflowPicture } from '../../src/report/graph/workflow-picture.js';
import { runs, seed } from '../seed.js';
import { expectFiles, goldenText, hostileText, hostileTexts } from './example-run.js';

const golden = (name: string): Json => JSON.parse(goldenText(name));

function factsOf(workflow: Json, options: CompileOptions = {}) {
  const { ledger, output, draft } = compile(workflow, options);
  const answers = options.answers?.answers ?? {};
  return [{ workflow, ledger, answers }, output ?? draft] as const;
}

/** Both pictures of a golden case that compiles. */
function drawn(name: string, options: CompileOptions = {}): { workflow: Picture; squad: Picture } {
  const { workflow, squad } = picturesOf(...factsOf(golden(name), options));
  return { workflow: workflow!, squad: squad! };
}

/** Nodes by their labels, edges by the numbers of their ends. */
function sketch(
  labels: readonly string[],
  edges: readonly (readonly [from: number, to: number, label?: string])[] = [],
  more: (at: number) => Partial<PictureNode> = () => ({}),
): Picture {
  const nodes = labels.map((label, at) =>
    pictureNode({
      ...{ id: `/nodes/${at}`, label, caption: 'conversation', kind: 'talk', isStart: at === 0 },
      ...more(at),
    }),
  );
  const lines = edges.map(([from, to, label = ''], at) => {
    return { id: `/edges/${at}`, from: `/nodes/${from}`, to: `/nodes/${to}`, label, pointers: [] };
  });
  return { title: null, subject: 'workflow', nodes, edges: lines, groups: [] };
}

const signs = ['</svg><script>alert(1)</script>', ']]><!--', '" onload="alert(1)', '"]', '"|'];
const directives = ['%%{init: {}}%%', 'classDef t0 fill:#f00;', '\n  n0 --> n1\n', '\\"'];
const scripts = ['漢字かな', 'مرحبا', '👩‍👩‍👧‍👦', 'x'.repeat(400), '\u0301'.repeat(200)];
const anyText = fc.oneof(hostileText, fc.constantFrom(...signs, ...directives, ...scripts));
const hostile = fc.array(anyText, { maxLength: 4 }).map((parts) => parts.join(''));

const node = (id: string) => ({ id, type: 'conversation', systemPrompt: id });
const edge = (from: string, to: string, condition: string) => ({ from, to, condition });
const ambiguous = golden('ambiguous-start-open') as { nodes: { id: string }[] };
const to = (assistantName: string, description: string): Json => ({
  type: 'handoff',
  destinations: [{ type: 'assistant', assistantName, description }],
});
const dynamic = { type: 'handoff', destinations: [{ type: 'dynamic', server: {} }] };
const transfer = (description: string): Json => ({
  type: 'transferCall',
  destinations: [{ type: 'number', number: '+491', description }],
});
const member = (name: string, ...tools: Json[]): Json => ({
  assistant: { name, model: { tools } },
});
const alike = ['a', 'b', 'c'].map((name) => member(name, transfer('on fire')));
const saved = {
  assistantId: 'id-1',
  assistantOverrides: { 'tools:append': [to('b', 'added')] },
  assistantDestinations: [{ assistantName: 'b', description: 'short' }],
};

const names = (count: number) => Array.from({ length: count }, (_, at) => `n${at}`);
const chain = (count: number) =>
  Array.from({ length: count - 1 }, (_, at): [number, number] => [at, at + 1]);

/** What remains of too large a picture whose nodes are in groups. */
function condensed(groupOf: (at: number) => number, groups: readonly string[]): Picture {
  const edges = [...chain(450), [0, 449], [3, 448]] as const;
  const picture = sketch(names(450), edges, (at) => ({
    groups: [groupOf(at)],
    isGlobal: at === 3,
  }));
  return condense({ ...picture, groups }).picture;
}

/** Calls that end in two assistants, whatever the prompt of another says. */
const talks = ['Never end the call here.', 'b', 'c'];
const ending = {
  name: 'x',
  nodes: [...talks.map(node), { id: 'end', type: 'endCall' }],
  edges: talks.slice(1).flatMap((id) => [edge(talks[0]!, id, `wants ${id}`), edge(id, 'end', '')]),
};

/** Pictures whose content matters, but not their layout. */
const contents: Readonly<Record<string, Picture | null>> = {
  'names-of-programs': drawn('vapi-names-of-programs').workflow,
  ending: picturesOf(...factsOf(ending)).squad,
  condensed: condensed((at) => Math.floor(at / 150), ['a', 'b', 'c']),
  'start-open': workflowPicture(ambiguous as Json),
  'start-answered': workflowPicture(ambiguous as Json, [], [], ambiguous.nodes[1]!.id),
  handoffs: squadPicture({
    members: [member('a', to('b', 'x'), to('c', 'y'), dynamic), member('b', { type: 'endCall' })],
  }),
  saved: squadPicture({
    members: [saved, { assistantId: 'id-2', assistantOverrides: { name: 'b' } }],
  }),
  'all-members': squadPicture({ members: alike }),
  'some-members': squadPicture({ members: [...alike, member('d', transfer('flooded'))] }),
};

it('pictures contain what is expected', () => {
  const all = Object.entries(contents);
  expectFiles(
    'contents',
    Object.fromEntries(all.map(([name, picture]) => [`${name}.dot`, renderDot(picture!)])),
  );
});

it.each<Json>([null, [], { nodes: [] }, { nodes: [{ id: 'a', type: 'hangup' }], edges: [{}] }])(
  'of %j there is no picture',
  (workflow) => {
    const facts = { workflow, ledger: [], answers: {} };
    expect(drawPictures(facts, { members: 3 })).toEqual({ workflow: '', squad: '' });
  },
);

/** The attributes of a picture by id. */
const linksIn = (svg: string) =>
  new Map(
    [...svg.matchAll(/ data-id="([^"]*)"(?: data-links="([^"]*)")?/g)].map(([, id, links]) => {
      return [id!, (links ?? '').split(' ').filter((link) => link !== '')] as const;
    }),
  );

/** Too large to be drawn whole. */
const long = {
  name: 'long',
  nodes: [...names(430).map(node), { id: 'end', type: 'endCall' }],
  edges: [
    ...chain(430).map(([from, to]) => edge(`n${from}`, `n${to}`, '')),
    edge('n0', 'end', 'they leave'),
    edge('n429', 'end', ''),
  ],
};

it.each<[name: string, workflow: Json]>([
  ...['worked-pattern', 'global-transfer', 'global-conversation', 'vapi-export', 'ivr-tree'].map(
    (name): [string, Json] => [name, golden(name)],
  ),
  ['a long workflow', long],
])('every shape of %s has partners in the other picture', (_, given) => {
  const { workflow, squad } = drawPictures(...factsOf(given));
  const [left, right] = [linksIn(workflow), linksIn(squad)];
  const lonely = [...left].filter(([id, links]) => links.length === 0 && id !== '#anywhere');
  expect(lonely).toEqual([]);
  expect([...left.values()].flat().filter((id) => !right.has(id))).toEqual([]);
  expect([...right.values()].flat().filter((id) => !left.has(id))).toEqual([]);
});

describe('a picture that is too large', () => {
  it.each([900, 4])('is within the limits, with every node and edge (%i groups)', (group) => {
    const pairs = Array.from(
      { length: 4000 },
      (_, at) => [(at * 7) % 900, (at * 31) % 900] as const,
    );
    const edges = [...chain(900), ...pairs];
    const picture = sketch(names(900), edges, (at) => ({ groups: [at % group] }));
    const { picture: small, standsFor } = condense(picture);
    expect(small.nodes.length).toBeGreaterThan(1);
    expect(small.nodes.length).toBeLessThanOrEqual(limits.nodes);
    expect(small.edges.length).toBeLessThanOrEqual(limits.edges);
    const ids = new Set([...small.nodes, ...small.edges].map(({ id }) => id));
    const all = [...picture.nodes, ...picture.edges];
    expect(all.every(({ id }) => ids.has(standsFor.get(id) ?? id))).toBe(true);
  });

  it('is whole up to the limit, unless its edges are many or long', () => {
    const whole = sketch(names(limits.nodes), chain(limits.nodes));
    expect(condense(whole).picture).toBe(whole);
    const parallel = Array.from({ length: limits.edges + 1 }, () => [0, 1] as const);
    expect(condense(sketch(names(3), parallel)).picture.edges).toHaveLength(1);
    const back = chain(400).map(([, to]) => [to, 0] as const);
    const { picture } = condense(sketch(names(400), [...chain(400), ...back]));
    expect(picture.nodes.length).toBeLessThan(400);
  });

  it('has boxes of two assistants where there are too many', () => {
    const { nodes } = condensed((at) => 449 - at, names(450));
    expect(nodes).toHaveLength(225);
    expect(nodes.slice(0, 2)).toMatchObject([
      { label: 'n448 and 1 more', groups: [448, 449], isStart: true, isGlobal: false },
      { label: 'n446 and 1 more', groups: [446, 447], isStart: false, isGlobal: true },
    ]);
  });
});

type Box = Readonly<Record<'x' | 'y' | 'width' | 'height', number>>;

/** Whether two boxes share more than their borders. */
function overlap(a: Box, b: Box): boolean {
  const isApart = (key: 'x' | 'y', size: 'width' | 'height') =>
    Math.abs(a[key] - b[key]) >= (a[size] + b[size]) / 2 - 0.5;
  return !isApart('x', 'width') && !isApart('y', 'height');
}

/** Boxes on top of each other, or outside of the picture. */
function faultsOf(picture: Picture): string[] {
  const { nodes, edges, ...frame } = layOut(picture);
  const labels = edges.map(({ label }) => label);
  const boxes = [...nodes, ...labels.filter(({ lines }) => lines.length > 0)];
  const isIn = ({ x, y, width, height }: Box) =>
    x - width / 2 >= frame.x &&
    x + width / 2 <= frame.x + frame.width &&
    y - height / 2 >= frame.y &&
    y + height / 2 <= frame.y + frame.height;
  const found = boxes.filter((box) => !isIn(box)).map(({ lines }) => `${lines.join()} is outside`);
  for (const [at, box] of boxes.entries()) {
    const other = boxes.slice(at + 1).find((each) => overlap(box, each));
    if (other !== undefined) found.push(`${box.lines.join()} overlaps ${other.lines.join()}`);
  }
  return found;
}

it('no box or label is drawn on another', () => {
  for (const name of ['worked-pattern', 'global-transfer', 'ivr-tree', 'retry-round-a-tool']) {
    expect(faultsOf(drawn(name).workflow)).toEqual([]);
  }
  const drawing = fc.integer({ min: 1, max: 14 }).chain((count) => {
    const end = fc.nat(count - 1);
    const labels = fc.array(hostile, { minLength: count, maxLength: count });
    const edges = fc.array(fc.tuple(end, end, hostile), { maxLength: 18 });
    return fc.tuple(labels, edges).map(([all, lines]) => sketch(all, lines));
  });
  fc.assert(
    fc.property(drawing, (picture) => {
      expect(faultsOf(picture)).toEqual([]);
    }),
    { seed, numRuns: runs(40) },
  );
});

const room = { width: 100, size: 13, lines: 3, cut: 'end' } as const;
const middle = { ...room, cut: 'middle' } as const;

it.each([
  ['collect the number of the order', room, ['collect the', 'number of the', 'order']],
  ['collect_patient_information', room, ['collect_', 'patient_', 'information']],
  [' \n\u200b', room, []],
  [`a${'\u0301'.repeat(9)}b`, room, ['a\u0301\u0301\u0301b']],
  ['one two three '.repeat(20), room, ['one two three', 'one two three', 'one two thre…']],
  [`${'collect_the_'.repeat(9)}name`, middle, ['collect_the_', 'collect_the_', 'collect…name']],
  [`${'x'.repeat(9_000)}the end`, middle, ['xxxxxxxxxxxxx', 'xxxxxxxxxxxxx', 'xxxxx…e end']],
  ['漢字'.repeat(9), room, ['漢字漢字漢', '字漢字漢字', '漢字漢字漢…']],
])('the lines of the label %j', (text, given, lines) => {
  expect(wrapText(text, given)).toEqual(lines);
});

/** Parallel edges, a loop, an edge that leads back, and texts that would be more than texts. */
const corners = sketch(
  ['a "b" \\N &lt; c', '"] %%{init: {}}%% `x` #quot; <b> 1. end_of-call -x_'],
  [
    [0, 1, signs.join(' ')],
    [0, 1, directives.join(' ')],
    [1, 1, 'again'],
    [1, 0],
  ],
);
const texts = sketch(hostileTexts, [], (at) => ({ groups: [at], caption: hostileTexts[at]! }));
const hostilePicture = { ...texts, title: signs.join(), groups: hostileTexts };

it.each<[name: string, pictures: Record<string, Picture>]>([
  ['worked-pattern', { ...drawn('worked-pattern') }],
  ['global-transfer', { ...drawn('global-transfer') }],
  ['corners', { corners, texts: hostilePicture }],
])('the pictures of %s are as expected, and what belongs together in them', (name, pictures) => {
  const files: Record<string, string> = {};
  for (const [subject, picture] of Object.entries(pictures)) {
    files[`${subject}.svg`] = renderSvg(picture);
    files[`${subject}.mmd`] = renderMermaid(picture);
    files[`${subject}.dot`] = renderDot(picture);
  }
  if (name !== 'corners') {
    const both = Object.values(drawPictures(...factsOf(golden(name)))).flatMap((svg) => [
      ...linksIn(svg),
    ]);
    const links = both.map(([id, partners]) => `${[id, ...partners].join('\n  ')}\n`);
    files['links.txt'] = links.join('');
  }
  expectFiles(name, files);
});
