/**
 * What every rewriter of workflows works with: the names of the dialects, and how it chooses among
 * the forms in which a dialect says the same.
 */
import { wheel } from '../spec-workflow.js';

/**
 * The shapes that a workflow can be written in, beside that of the specification: as exports of the
 * platform hold it; with captures as a schema; as the API returns it; as older tasks; and any of
 * these inside of `{ workflow }`.
 */
export const dialects = ['export', 'schema', 'response', 'tasks', 'wrapped'] as const;
/** One of the shapes that a workflow can be written in. */
export type DialectName = (typeof dialects)[number];

/** Every dialect but the wrapper, which is one of these in a box. */
export type BareDialect = Exclude<DialectName, 'wrapped'>;

/** An object of the rewritten document. */
export type Written = Record<string, unknown>;

/** Draws among forms that mean the same: the form at a place depends on the numbers alone. */
export type Draw = <T>(forms: readonly T[], place: number) => T;

/** Without numbers the first form stands everywhere. */
export function drawing(numbers: readonly number[]): Draw {
  const drawn = numbers.length > 0 ? numbers : [0];
  return (forms, place) => forms[wheel(drawn, place) % forms.length]!;
}

/** The fields that say something; one that is missing stays missing. */
export function present(fields: Readonly<Written>): Written {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/** Where the platform's editor drew the thing; it means nothing. */
export function positionOf(index: number): Written {
  return { position: { x: 120 * index, y: 40 } };
}
