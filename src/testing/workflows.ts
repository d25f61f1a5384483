/**
 * Small valid workflows in the shape of spec/3, for fast-check.
 *
 * A workflow is a list of shapes hung on each other (sketch.ts) and lists of what its nodes hold
 * (dress.ts): features, captures, reads. Each list shrinks by leaving elements out, so a
 * counterexample ends with what it needs and little else. Every text names its node or edge, so that
 * a text can stand in one place of the source only; copies (`equals`) are the exception.
 */
import fc from 'fast-check';
import type { SpecWorkflow } from '../simulator/spec-workflow.js';
import { dress, type Trimmings } from './dress.js';
import { draw, type Family, type Shape, shapes } from './sketch.js';

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

const usualSize = 9;

/** Small valid workflows, weighted to the shapes at which a conversion can go wrong. */
export function workflowArbitrary(shape: WorkflowShape = {}): fc.Arbitrary<SpecWorkflow> {
  const { size = shape.maxNodes ?? usualSize } = shape;
  const far = Math.max(63, size);
  const may = (family: Family): boolean => shape[family] !== false;
  const allowed = (Object.keys(shapes) as Shape[]).filter((name) => shapes[name][1].every(may));
  const weighted = allowed.map((name) => ({
    arbitrary: fc.constant(name),
    weight: shapes[name][0],
  }));
  const piece = fc.record({ shape: fc.oneof(...weighted), at: fc.nat(far), other: fc.nat(63) });
  // A piece brings about two nodes; what does not fit any more is left out.
  const pieces = fc.array(piece, {
    minLength: Math.max(1, Math.floor(size / usualSize) - 1),
    maxLength: Math.max(7, size),
    ...(size > usualSize ? { size: 'max' as const } : {}),
  });
  const toolFirst = sometimes(may('tools'), 5);
  return fc
    .record({ toolFirst, pieces, trimmings: trimmings(shape, size, far) })
    .map((drawn) => dress(draw(drawn.toolFirst, drawn.pieces, size), drawn.trimmings));
}

/** True once in so many times and one more, where it may be. */
function sometimes(allowed: boolean, times: number): fc.Arbitrary<boolean> {
  return allowed ? fc.nat(times).map((number) => number === times) : fc.constant(false);
}

function trimmings(shape: WorkflowShape, size: number, far: number): fc.Arbitrary<Trimmings> {
  const { captures = true, logical = true, globals = true, gaps = true, hostile = false } = shape;
  const list = <T>(allowed: boolean, each: fc.Arbitrary<T>, minLength: number, most: number) =>
    allowed
      ? fc.array(each, { minLength, maxLength: most, size: 'max' as const })
      : fc.constant<T[]>([]);
  const places = [
    ...(['node', 'node', 'node', 'edge'] as const),
    ...(logical ? (['expression'] as const) : []),
    ...(globals ? (['global'] as const) : []),
  ];
  // Captures stand early and share few names, or else they seldom reach a read.
  const early = fc.oneof(fc.nat(3), fc.nat(far));
  const variable = fc.oneof(fc.nat(1), fc.nat(2));
  const place = fc.constantFrom(...places);
  const capture = fc.record({ at: early, variable, other: fc.nat(15) });
  const read = fc.record({ at: fc.nat(far), place, variable, other: fc.nat(5) });
  const atLeast = captures === 'many' ? 3 : 0;
  const most = Math.max(6, Math.ceil(size / 2));
  return fc.record({
    features: fc.array(fc.nat(15), { maxLength: Math.max(12, size) }),
    gaps: list(gaps, fc.record({ at: fc.nat(63), other: fc.nat(7) }), 0, 1),
    captures: list(captures !== false, capture, atLeast, most),
    reads: list(captures !== false || logical, read, atLeast, most),
    settings: shape.settings === false ? fc.constant(0) : fc.nat(63),
    strange: sometimes(shape.unicode !== false, 3),
    hostile: list(
      hostile,
      fc.record({ at: fc.nat(far), trick: fc.nat(199) }),
      1,
      Math.max(24, size),
    ),
  });
}
