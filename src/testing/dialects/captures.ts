/** What a node extracts and what a tool's response sets, in the forms of the platform. */
import type { SpecCapture, SpecResponse } from '../spec-workflow.js';
import { type Draw, present, type Written } from './dialect.js';

/** The older list; a variable without choices often has an empty list of them. */
export function captureList(captures: readonly SpecCapture[], draw: Draw): Written[] {
  return captures.map(({ name, type, description, enum: choices }, index) =>
    present({ title: name, type, description, enum: choices ?? draw([[], undefined], index) }),
  );
}

/** A schema with a property for each variable; `required` says nothing that an extraction keeps. */
export function captureSchema(captures: readonly SpecCapture[], draw: Draw): Written {
  const properties = captures.map(({ name, type, description, enum: choices }) => [
    name,
    present({ type, description, enum: choices }),
  ]);
  return present({
    type: 'object',
    properties: Object.fromEntries(properties),
    required: draw([undefined, captures.map(({ name }) => name)], captures.length),
  });
}

/** Variables that a tool sets from its response. */
export function responseAliases(responses: readonly SpecResponse[]): Written[] {
  return responses.map(({ name, path }) => ({
    key: name,
    value: `{{ $.${path.replace(/^\$\.?/, '')} }}`,
  }));
}
