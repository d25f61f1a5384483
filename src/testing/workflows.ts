/**
 * Small valid workflows in the shape of spec/3, for fast-check.
 *
 * A workflow is a list of shapes hung on each other (see sketch.ts) and three lists of what its
 * nodes hold: features, captures, reads. Each list shrinks by leaving elements out, so a
 * counterexample ends with what it needs and little else. Every text names its node or edge, so
 * that a text can stand in one place of the source only; copies (`equals`) are the exception.
 */
import fc from 'fast-check';
import { dress, type Trimmings } from './dress.js';
import { draw, type Piece, type Shape } from './sketch.js';
import type { SpecWorkflow } from './spec-workflow.js';

/** What generated workflows may hold; everything but `hostile` unless told otherwise. */
export interface WorkflowShape {
  /** About how many nodes at most; the last shape may add two or three more. Default 9. */
  readonly size?: number;
  /** The older name of `size`. */
  readonly maxNodes?: number;
  readonly cycles?: boolean;
  readonly globals?: boolean;
  readonly tools?: boolean;
  readonly exits?: boolean;
  /** Captures, response variables and the texts that read them; `many`: several in each workflow. */
  readonly captures?: boolean | 'many';
  /** Conditions that are expressions (`alpha == 'x'`). */
  readonly logical?: boolean;
  /** Nodes with the texts, captures and edges of another node. */
  readonly equals?: boolean;
  /** Parts that cannot be reached, edges out of exits. */
  readonly dead?: boolean;
  /** Missing numbers, urls and auth headers, unknown variables, several starts. */
  readonly gaps?: boolean;
  /** Line breaks, quotes, Markdown, code points beyond the first plane, lone surrogates. */
  readonly unicode?: boolean;
  /** Names, global prompt, voice, model and fields that no rule knows. */
  readonly settings?: boolean;
  /**
   * Texts that look like pieces of a prompt or are parts of each other, blank texts, nodes that
   * look the same and go on elsewhere, awkward names and ids. Off unless asked for; texts may
   * stand in several places then.
   */
  readonly hostile?: boolean;
}

type Family = Exclude<keyof WorkflowShape, 'size' | 'maxNodes' | 'hostile'> | 'plain';

const families: Readonly<Record<Shape, readonly Family[]>> = {
  step: ['plain'],
  chain: ['plain'],
  branch: ['plain'],
  rejoin: ['plain'],
  forward: ['plain'],
  parallel: ['plain'],
  tool: ['tools'],
  'last-tool': ['tools'],
  'tool-diamond': ['tools'],
  'self-loop': ['cycles'],
  retry: ['cycles', 'tools'],
  cycle: ['cycles'],
  'long-cycle': ['cycles', 'tools'],
  back: ['cycles'],
  exit: ['exits'],
  'shared-exit': ['exits'],
  'after-exit': ['exits', 'dead'],
  'global-talk': ['globals'],
  'global-exit': ['globals', 'exits'],
  'global-tool': ['globals', 'tools'],
  island: ['dead'],
  'second-start': ['gaps'],
  equal: ['equals'],
  'equal-pair': ['equals'],
};

const weights: Readonly<Partial<Record<Shape, number>>> = {
  step: 4,
  branch: 4,
  forward: 3,
  tool: 3,
  'shared-exit': 3,
  rejoin: 2,
  exit: 2,
};

/** Small valid workflows, weighted to the shapes at which a conversion can go wrong. */
export function workflowArbitrary(shape: WorkflowShape = {}): fc.Arbitrary<SpecWorkflow> {
  const may = (family: Family): boolean => family === 'plain' || (shape[family] ?? true) !== false;
  const { size = shape.maxNodes ?? usualSize, captures, hostile = false } = shape;
  const far = Math.max(63, size);
  // A piece brings about two nodes; what does not fit any more is left out.
  const pieces = fc.array(pieceArbitrary(may, far), {
    minLength: Math.max(1, Math.floor(size / usualSize) - 1),
    maxLength: Math.max(7, size),
    ...(size > usualSize ? { size: 'max' as const } : {}),
  });
  return fc
    .record({
      toolFirst: may('tools') ? fc.nat(5).map((number) => number === 5) : fc.constant(false),
      pieces,
      trimmings: trimmingsArbitrary(may, {
        atLeast: captures === 'many' ? 3 : 0,
        size,
        far,
        hostile,
      }),
    })
    .map(({ toolFirst, pieces: hung, trimmings }) => dress(draw(toolFirst, hung, size), trimmings));
}

const usualSize = 9;

function pieceArbitrary(may: (family: Family) => boolean, far: number): fc.Arbitrary<Piece> {
  const allowed = (Object.keys(families) as Shape[]).filter((shape) => families[shape].every(may));
  const weighted = allowed.map((shape) => ({
    arbitrary: fc.constant(shape),
    weight: weights[shape] ?? 1,
  }));
  return fc.record({ shape: fc.oneof(...weighted), at: fc.nat(far), other: fc.nat(63) });
}

/** How much there is to be of everything. */
interface Extent {
  readonly atLeast: number;
  readonly size: number;
  /** Up to which number places are drawn. */
  readonly far: number;
  readonly hostile: boolean;
}

function trimmingsArbitrary(
  may: (family: Family) => boolean,
  { atLeast, size, far, hostile }: Extent,
): fc.Arbitrary<Trimmings> {
  const most = Math.max(6, Math.ceil(size / 2));
  const list = <T>(
    allowed: boolean,
    each: fc.Arbitrary<T>,
    minLength: number,
    maxLength: number,
  ) => (allowed ? fc.array(each, { minLength, maxLength, size: 'max' }) : fc.constant<T[]>([]));
  const some = (allowed: boolean): fc.Arbitrary<boolean> =>
    allowed ? fc.nat(3).map((number) => number === 3) : fc.constant(false);
  const places = [
    'node',
    'node',
    'node',
    'edge',
    ...(may('logical') ? (['expression'] as const) : []),
    ...(may('globals') ? (['global'] as const) : []),
  ] as const;
  // Captures stand early and share few names, or else they seldom reach a read.
  const early = fc.oneof(fc.nat(3), fc.nat(far));
  const variable = fc.oneof(fc.nat(1), fc.nat(2));
  return fc.record({
    features: fc.array(fc.nat(15), { maxLength: Math.max(12, size) }),
    gaps: list(may('gaps'), fc.record({ at: fc.nat(63), other: fc.nat(7) }), 0, 1),
    captures: list(
      may('captures'),
      fc.record({ at: early, variable, other: fc.nat(15) }),
      atLeast,
      most,
    ),
    reads: list(
      may('captures') || may('logical'),
      fc.record({
        at: fc.nat(far),
        place: fc.constantFrom(...places),
        variable,
        other: fc.nat(5),
      }),
      atLeast,
      most,
    ),
    settings: may('settings') ? fc.nat(63) : fc.constant(0),
    strange: some(may('unicode')),
    hostile: list(
      hostile,
      fc.record({ at: fc.nat(far), trick: fc.nat(199) }),
      1,
      Math.max(24, size),
    ),
  });
}
