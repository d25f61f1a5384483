/**
 * What a voice assistant may do with an operation of a service, as data, and the words in which the
 * tables of it are written.
 *
 * Three readers have it in common: the compiler, which turns a request into a tool of an operation;
 * the handler, which answers the tool's calls; and people, who want to know what a tool can do. None
 * of them adds to it.
 *
 * Example: `bills.get` has the tool `get_bill` with the parameter `idBill` in the path, said by the
 * caller; it only reads, and of the bill it says number, amount, due date and status.
 */
import { schemaDocuments } from '../../schemas/tools-documents.generated.js';
import type { Method, Operation, Repeat } from '../http/operation.js';

/** What an assistant may do with an operation: how it is called, and what may be said of it. */
export interface ToolDefinition {
  /** The operation, with its service before it: `bills.get`, `documents.extractRuns.get`. */
  readonly operation: string;
  /** Legal on the platform, and no other tool's: letters, digits and `_`, at most 40. */
  readonly name: string;
  /** For the model that calls it: what it does, when to call it, what to ask first. */
  readonly description: string;
  readonly method: Method;
  /** Below the base address of the service; `{name}` stands for one segment. */
  readonly path: string;
  readonly parameters: readonly ToolParameter[];
  /** `reads` leaves everything as it is, `processes` makes something new, `changes` alters records. */
  readonly effect: Effect;
  readonly repeat: Repeat;
  /** Whether the platform can call the service itself: a read that answers with JSON. */
  readonly direct: boolean;
  /** All of the answer that may be said; everything else stays with the handler. */
  readonly sayable: readonly Sayable[];
}

/** What a call leaves behind in the service. */
export type Effect = 'reads' | 'processes' | 'changes';

/** One parameter of a tool: who gives it, and where it goes in the request. */
export interface ToolParameter {
  readonly name: string;
  /** `caller`: a parameter of the tool. `binding`: fixed by configuration, never seen by the model. */
  readonly from: 'caller' | 'binding';
  readonly required: boolean;
  /** Another parameter of the tool that takes the place of this one where it is bound. */
  readonly unless?: string;
  /** For the model, or for whoever writes the configuration. */
  readonly description: string;
  /**
   * JSON Schema (draft 2020-12) of the value, bounded. One with `const` leaves no choice: the value
   * goes out with every call, bound or not.
   */
  readonly schema: ValueSchema;
  readonly in: 'path' | 'query' | 'header' | 'body';
  /**
   * In a body: the JSON Pointer of the place (the empty one is all of it). In a query: what is sent
   * as the name (`status(eq)`), where it is another. In the others the name is the place.
   */
  readonly at?: string;
}

/** A JSON Schema (draft 2020-12) of one value. */
export type ValueSchema = Readonly<Record<string, unknown>>;

/** A value of the answer that may be said. */
export interface Sayable {
  /** What a variable of it would be called: letters, digits and `_`. */
  readonly name: string;
  /** JSON Pointer into the answer; `*` stands for each entry of a list. */
  readonly at: string;
  readonly as: SaidAs;
}

/**
 * What a value is, and so how it is said. say.ts holds the values to it.
 * - `count`: how many, as a whole number or as a list of that many;
 * - `status`: a word or number of the service's own: where something stands, or why it failed;
 * - `identifier`: given by the service, or a kind of document that its configuration names;
 * - `sign`: a number or sign that people gave something, like the number printed on a bill.
 */
export type SaidAs =
  | 'count'
  | 'number'
  | 'amount'
  | 'date'
  | 'flag'
  | 'status'
  | 'identifier'
  | 'sign';

/** A tool of an operation: what the table of operations tells, and what is written for assistants. */
export function toolOf(
  { id, method, path, repeat }: Operation,
  written: Pick<ToolDefinition, 'name' | 'description' | 'effect' | 'parameters' | 'sayable'>,
): ToolDefinition {
  return { operation: id, method, path, repeat, direct: written.effect === 'reads', ...written };
}

/** The values of tools with what they are for, as published in schemas/tools.schema.json. */
const values = schemaDocuments['tools']!['properties'] as Readonly<
  Record<string, ValueSchema & { readonly description: string }>
>;

/** The name under which a value stands there. */
export function valueName({
  name,
  in: place,
  at = name,
}: Pick<ToolParameter, 'name' | 'in'> & { readonly at?: string | undefined }): string {
  return place === 'query' ? at : name;
}

const parameterFrom =
  (from: ToolParameter['from']) =>
  (
    name: string,
    place: ToolParameter['in'],
    more: Partial<Pick<ToolParameter, 'required' | 'unless' | 'at'>> = {},
  ): ToolParameter => {
    const at = place === 'body' && { at: `/${name}` };
    const parameter = { name, from, required: place === 'path', in: place, ...at, ...more };
    const { description, ...schema } = values[valueName(parameter)]!;
    return { ...parameter, description, schema };
  };

/** What a caller may say. */
export const said = parameterFrom('caller');

/** What the configuration fixes. */
export const fixed = parameterFrom('binding');

/** Sayable values of one kind: their names, and where they stand below a place. */
export function saying(
  as: Sayable['as'],
  below: string,
  keys: Readonly<Record<string, string>>,
): Sayable[] {
  return Object.entries(keys).map(([name, key]) => ({ name, at: `${below}/${key}`, as }));
}
