/** Pictures of workflows as the real compiler sees them. */
import { readFileSync } from 'node:fs';
import { type CompileOptions, compile, type Json } from '../../../src/index.js';
import type { Picture, PictureEdge, PictureNode } from '../../../src/report/graph/picture.js';
import { picturesOf } from '../../../src/report/graph/pictures.js';

export function goldenWorkflow(name: string): Json {
  return JSON.parse(readFileSync(`golden/${name}/input.json`, 'utf8'));
}

/** What a picture needs of a result, and the squad. */
export function compiledFacts(workflow: Json, options: CompileOptions = {}) {
  const { ledger, output, draft } = compile(workflow, options);
  const answers = options.answers?.answers ?? {};
  return { facts: { workflow, ledger, answers }, squad: output ?? draft };
}

/** Both pictures; of a workflow that compiles. */
export function compiledPictures(
  workflow: Json,
  options: CompileOptions = {},
): { readonly workflow: Picture; readonly squad: Picture } {
  const { facts, squad } = compiledFacts(workflow, options);
  const pictures = picturesOf(facts, squad);
  if (pictures.workflow === null || pictures.squad === null) throw new Error('nothing is drawn');
  return { workflow: pictures.workflow, squad: pictures.squad };
}

/** A picture of nodes by their labels, and of edges `[from, to, label]` by position. */
export function sketch(
  labels: readonly string[],
  edges: readonly (readonly [from: number, to: number, label?: string])[] = [],
  parts: (at: number) => Partial<PictureNode> = () => ({}),
): Picture {
  const nodes = labels.map(
    (label, at): PictureNode => ({
      id: `/nodes/${at}`,
      label,
      caption: 'conversation',
      kind: 'talk',
      isStart: at === 0,
      isGlobal: false,
      groups: [],
      pointers: [`/nodes/${at}`],
      ...parts(at),
    }),
  );
  const drawn = edges.map(
    ([from, to, label = ''], at): PictureEdge => ({
      id: `/edges/${at}`,
      from: nodes[from]!.id,
      to: nodes[to]!.id,
      label,
      pointers: [`/edges/${at}`],
    }),
  );
  return { title: null, subject: 'workflow', nodes, edges: drawn, groups: [] };
}
