/**
 * What a workflow says, by what it says it of. Answers are not applied: where one has changed a
 * text, the text is not known here, and the operators leave it alone.
 */
import { isJsonObject, type Json } from '../../compiler/ir/json.js';

export interface SourceTexts {
  /** Conditions of edges and of global nodes. */
  readonly conditions: ReadonlySet<string>;
  /** How many edges and global nodes have this condition. */
  readonly countOf: (condition: string) => number;
  readonly globalConditions: ReadonlySet<string>;
  readonly instructions: ReadonlySet<string>;
  readonly globalPrompt: string | null;
  /** Names of captures and of response variables. */
  readonly variables: readonly string[];
  /** Every text that goes over several lines, so that lines of it can be told from structure. */
  readonly multiline: readonly string[];
  /** Paths of response variables into the responses. */
  readonly responsePaths: ReadonlySet<string>;
  /** Whether the workflow has this text somewhere. */
  readonly has: (text: string) => boolean;
  /** How many global nodes have no condition. */
  readonly openGlobals: number;
  /** Providers and models that the workflow or its nodes name. */
  readonly models: ReadonlySet<string>;
  /** Whether some node has two edges without a condition. */
  readonly forksOpenly: boolean;
  /** A word that neither the workflow nor the squad holds. */
  readonly word: string;
}

export function readSourceTexts(workflow: unknown, squad: Json): SourceTexts {
  const found = listTexts(workflow as Json);
  const all = new Set(found.map(({ text }) => text));
  const under = (...keys: string[]) =>
    found.filter(({ key }) => keys.includes(key)).map(({ text }) => text);
  const conditions = found.filter(isCondition).map(({ text }) => text);
  const { globalPrompt } = partsOf(workflow);
  return {
    conditions: new Set(conditions),
    countOf: (condition) => conditions.filter((text) => text === condition).length,
    globalConditions: new Set(
      partsOf(workflow).nodes.flatMap(({ isGlobal, condition }) =>
        isGlobal === true && typeof condition === 'string' ? [condition] : [],
      ),
    ),
    instructions: new Set(under('systemPrompt', 'prompt')),
    globalPrompt: typeof globalPrompt === 'string' ? globalPrompt : null,
    variables: [
      ...new Set(
        found.flatMap(({ text, key, list }) =>
          key === 'name' && /^(?:extract|response)Variables$/.test(list) ? [text] : [],
        ),
      ),
    ],
    multiline: [...all].filter((text) => text.includes('\n')),
    has: (text) => all.has(text),
    openGlobals: partsOf(workflow).nodes.filter(
      ({ isGlobal, condition }) => isGlobal === true && condition === undefined,
    ).length,
    responsePaths: new Set(under('path')),
    models: new Set(found.filter(({ list }) => list === 'model').map(({ text }) => text)),
    forksOpenly: forksOpenly(partsOf(workflow).edges),
    word: freshWord(`${[...all].join('\n')}\n${JSON.stringify(squad)}`),
  };
}

interface Found {
  readonly text: string;
  /** The key that the text stands under. */
  readonly key: string;
  /** The key of the list or object that holds what holds it. */
  readonly list: string;
}

function isCondition({ key, list }: Found): boolean {
  return key === 'condition' || (list === 'condition' && key === 'prompt');
}

/** All texts of a value, in the order in which they stand there. */
function listTexts(root: Json): Found[] {
  const found: Found[] = [];
  const pending: { value: Json; key: string; list: string }[] = [
    { value: root, key: '', list: '' },
  ];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { value, key, list } = next;
    if (typeof value === 'string') found.push({ text: value, key, list });
    else if (Array.isArray(value)) {
      for (const part of value.toReversed()) pending.push({ ...next, value: part });
    } else if (isJsonObject(value)) {
      for (const [name, part] of Object.entries(value).reverse()) {
        pending.push({ value: part, key: name, list: key });
      }
    }
  }
  return found;
}

interface Parts {
  readonly nodes: readonly Readonly<Record<string, unknown>>[];
  readonly edges: readonly Readonly<Record<string, unknown>>[];
  readonly globalPrompt: unknown;
}

function partsOf(workflow: unknown): Parts {
  const { nodes, edges, globalPrompt } = objectOf(workflow);
  return { nodes: listOf(nodes).map(objectOf), edges: listOf(edges).map(objectOf), globalPrompt };
}

function forksOpenly(edges: Parts['edges']): boolean {
  const open = edges.filter(({ condition }) => condition === undefined).map(({ from }) => from);
  return new Set(open).size < open.length;
}

function freshWord(texts: string): string {
  for (let number = 0; ; number += 1) {
    const word = `zebra${number === 0 ? '' : number}`;
    if (!texts.includes(word)) return word;
  }
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
