/**
 * The law of replay: over all sequences of names up to length 6, exactly the images of walks fit, and
 * the record that is named is the first whose beginning is no image.
 *
 * The images are listed by walking the raw workflow, with nothing of squadc.
 */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { replay } from '../../src/index.js';
import { runs, seed } from '../seed.js';

const longest = 6;

interface Node {
  readonly labels: readonly string[];
  /** Whether a record may leave it out. */
  readonly isSilent: boolean;
  readonly next: readonly number[];
}

/** Every text of labels that a walk from the start leaves behind: each visit once or more. */
function imagesOf(nodes: readonly Node[], start: number, letters: readonly string[]): Set<string> {
  const images = new Set(['']);
  const met = new Set<string>();
  const visit = (at: number, image: readonly string[]): void => {
    const key = `${at}: ${image}`;
    if (met.has(key)) return;
    met.add(key);
    const { labels, isSilent, next } = nodes[at]!;
    const after = (left: readonly string[]) => {
      images.add(left.join());
      for (const to of next) visit(to, left);
    };
    if (isSilent) after(image);
    for (const label of labels.filter((it) => letters.includes(it))) {
      for (let times = 1; image.length + times <= longest; times += 1) {
        after([...image, ...Array<string>(times).fill(label)]);
      }
    }
  };
  visit(start, []);
  return images;
}

/** All sequences up to the length, the shorter first. */
function sequences(letters: readonly string[]): string[][] {
  const all: string[][] = [[]];
  for (const each of all)
    if (each.length < longest) all.push(...letters.map((it) => [...each, it]));
  return all;
}

const callOf = (names: readonly string[]) => ({
  artifact: { nodes: names.map((nodeName) => ({ nodeName })) },
});

/** How many sequences fit, and how many do not. */
function holdLaw(workflow: unknown, images: ReadonlySet<string>, letters: readonly string[]) {
  const replayer = replay(workflow, null);
  const seen = { fit: 0, misfit: 0 };
  for (const names of sequences(letters).filter((it) => it.length > 0)) {
    const first = names.findIndex((_, at) => !images.has(names.slice(0, at + 1).join()));
    const { misfit } = replayer.add(callOf(names));
    if ((misfit?.record ?? -1) !== first)
      throw new Error(`${names}: ${misfit?.record}, not ${first}`);
    seen[first === -1 ? 'fit' : 'misfit'] += 1;
  }
  return seen;
}

const kinds = ['talk', 'talk', 'act', 'line', 'exit', 'global'] as const;
const drawn = fc.record({
  nodes: fc.array(
    fc.record({ kind: fc.constantFrom(...kinds), name: fc.constantFrom('A', 'B', 'C', null) }),
    {
      minLength: 2,
      maxLength: 5,
    },
  ),
  edges: fc.array(fc.tuple(fc.nat(5), fc.nat(5), fc.boolean()), { minLength: 1, maxLength: 9 }),
  letters: fc.uniqueArray(fc.constantFrom('A', 'B', 'C', 'n0', 'n1', 'n2', '?'), {
    minLength: 3,
    maxLength: 3,
  }),
});

/** A workflow, and the same for the reference. */
function build({
  nodes: given,
  edges: pairs,
}: typeof drawn extends fc.Arbitrary<infer T> ? T : never) {
  // The start talks or calls a tool; a line that is said in passing has one way on.
  const nodes = given.map((it, at) =>
    at === 0 && it.kind !== 'act' ? { ...it, kind: 'talk' as const } : it,
  );
  const isExit = (at: number) => nodes[at]!.kind === 'exit';
  const edges = [[0, 1, true] as const, ...pairs].flatMap(([one, other, isIf], at) => {
    const [from, to] = [one % nodes.length, other % nodes.length];
    if (isExit(from) || nodes[from]!.kind === 'line') return [];
    return { from: `n${from}`, to: `n${to}`, ...(isIf && { condition: `case ${at}` }) };
  });
  for (const [at, { kind }] of nodes.entries()) {
    if (kind === 'line') edges.push({ from: `n${at}`, to: 'n0' });
  }
  const typed = {
    talk: { type: 'conversation', systemPrompt: 'Talk.' },
    global: { type: 'conversation', systemPrompt: 'Help.', isGlobal: true, condition: 'help' },
    act: { type: 'apiRequest', url: 'https://api.example.com', method: 'GET', headers: {} },
    line: { type: 'conversation', firstMessage: 'One moment.' },
    exit: { type: 'endCall' },
  };
  const workflow = {
    nodes: nodes.map(({ kind, name }, at) => ({
      ...{ id: `n${at}`, ...typed[kind], ...(at === 0 && { isStart: true }) },
      ...(name !== null && { name }),
    })),
    edges,
  };
  const globals = nodes.flatMap(({ kind }, at) => (kind === 'global' ? at : []));
  const reference = nodes.map(
    ({ kind, name }, at): Node => ({
      labels: [...new Set([`n${at}`, name ?? `n${at}`])],
      isSilent: kind !== 'talk' && kind !== 'global',
      next: isExit(at)
        ? []
        : [
            ...edges.filter(({ from }) => from === `n${at}`).map(({ to }) => Number(to.slice(1))),
            ...globals.filter((it) => it !== at),
          ],
    }),
  );
  return { workflow, reference };
}

it('exactly the images of walks fit, in generated workflows', () => {
  const seen = { fit: 0, misfit: 0 };
  fc.assert(
    fc.property(drawn, (draw) => {
      const { workflow, reference } = build(draw);
      const images = imagesOf(reference, 0, draw.letters);
      const { fit, misfit } = holdLaw(workflow, images, draw.letters);
      seen.fit += fit;
      seen.misfit += misfit;
    }),
    { seed, numRuns: runs(40) },
  );
  if (runs(40) > 40) console.log(seen);
  expect(Math.min(seen.fit, seen.misfit)).toBeGreaterThan(1000);
});
