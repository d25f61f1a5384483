/** What a call can reach in a workflow, and what answers change of it. Part of conserve.ts. */
import { asObject, isObject, type Json, type JsonObject, textOf } from '../text/json.js';
import { child, type JsonPointer, valueAt } from '../text/pointer.js';
import {
  type Expected,
  expect,
  type Kind,
  kindOf,
  type Leaf,
  leavesOf,
  listOf,
  type Part,
  type Variable,
  valuesOf,
  variablesOf,
} from './conserve-fields.js';

interface Answer {
  readonly choice: string;
  readonly value?: unknown;
}

/** The answers and options that change what is expected. */
export interface ConserveOptions {
  readonly answers?: Readonly<Record<string, Answer>>;
  readonly policies?: Readonly<Record<string, unknown>>;
  /** The settings of the workflow that options replace, such as `model`. */
  readonly replaced?: readonly string[];
}

interface Node {
  readonly at: JsonPointer;
  readonly id: Json;
  readonly kind: Kind;
  readonly value: JsonObject;
  readonly isGlobal: boolean;
  readonly sets: readonly Variable[];
}

interface Edge {
  readonly from: Node | undefined;
  readonly to: Node | undefined;
  readonly conditions: readonly Expected[];
}

export interface Source {
  /** The objects around the nodes, the outermost first. */
  readonly around: readonly (readonly [JsonPointer, JsonObject])[];
  readonly nodes: readonly Node[];
  readonly leaving: ReadonlyMap<Node, readonly Edge[]>;
  readonly reached: ReadonlySet<Node>;
  readonly start: Node;
  /** New names of variables; those that nothing sets have no other. */
  readonly names: ReadonlyMap<string, string>;
}

const isFalse = ({ value }: Leaf) => value.trim() === 'false';

/** Null for what is no workflow, and where it is unclear where calls begin. */
export function readSource(document: Json, options: ConserveOptions): Source | null {
  const around: (readonly [JsonPointer, JsonObject])[] = [];
  let inner: Json | undefined = document;
  for (let at = ''; isObject(inner); ) {
    around.push([at, inner]);
    if (inner['nodes'] !== undefined) break;
    const key = isObject(inner['workflow']) ? '/workflow' : '/model/workflow';
    at += key;
    inner = valueAt(inner, key);
  }
  const [at, workflow] = around.at(-1) ?? ['', {}];
  const listed = workflow['nodes'];
  const entries: readonly JsonObject[] = Array.isArray(listed)
    ? listed.map((it: Json) => asObject(it))
    : Object.entries(asObject(listed)).map(([name, it]) => ({ name, ...asObject(it) }));
  const keys = Array.isArray(listed) ? [...listed.keys()] : Object.keys(asObject(listed));
  const nodes = entries.map((value, index): Node => {
    const place = child(child(at, 'nodes'), keys[index]!);
    const plan = asObject(value['globalNodePlan']);
    const isGlobal = /^true$/i.test(
      textOf((isObject(value['globalNodePlan']) ? plan['enabled'] : value['isGlobal']) ?? ''),
    );
    return {
      at: place,
      id: value['id'] ?? value['name'] ?? null,
      kind: kindOf(value),
      value,
      isGlobal,
      sets: variablesOf(value, place),
    };
  });
  const reversed = nodes.toReversed();
  const byName = new Map<Json | undefined, Node>([
    ...reversed.map((it) => [it.value['name'], it] as const),
    ...reversed.map((it) => [it.id, it] as const),
  ]);
  const given = listOf(workflow['edges']).map((edge, index): Edge => {
    const { from, source, to, target } = asObject(edge);
    const conditions = conditionsOf(
      asObject(edge)['condition'],
      `${child(at, 'edges')}/${index}/condition`,
    );
    return { from: byName.get(from ?? source), to: byName.get(to ?? target), conditions };
  });
  const plain = nodes.filter(({ isGlobal }) => !isGlobal);
  const isInOrder =
    given.length === 0 && answerTo(options, 'missing-edges', 'workflow')?.choice === 'in-order';
  const all = isInOrder
    ? plain.slice(1).map((to, index): Edge => ({ from: plain[index], to, conditions: [] }))
    : given;
  const edges = all.filter(
    ({ from, conditions }) =>
      from !== undefined && !isExit(from) && !(conditions.length > 0 && conditions.every(isFalse)),
  );
  const start = findStart(nodes, edges, answerTo(options, 'ambiguous-start', 'workflow')?.value);
  if (start === null) return null;
  const reached = new Set([start, ...nodes.filter(({ isGlobal }) => isGlobal)]);
  const leaving = new Map<Node, Edge[]>(nodes.map((node) => [node, []]));
  for (const edge of edges) leaving.get(edge.from!)!.push(edge);
  for (const node of reached) for (const { to } of leaving.get(node)!) if (to) reached.add(to);
  return { around, nodes, leaving, reached, start, names: renames(options) };
}

const isExit = ({ kind }: Node) => kind === 'transfer' || kind === 'end';

function findStart(nodes: readonly Node[], edges: readonly Edge[], answer: unknown): Node | null {
  const marked = nodes.filter(({ value }) => /^true$/i.test(textOf(value['isStart'] ?? '')));
  if (marked.length === 1) return marked[0]!;
  const typed = nodes.find(({ value }) => /^start$/i.test(textOf(value['type'] ?? '')));
  if (marked.length === 0 && typed !== undefined) return typed;
  const entered = new Set(edges.flatMap(({ from, to }) => (from === to ? [] : to)));
  const open = nodes.filter((it) => !it.isGlobal && !isExit(it) && !entered.has(it));
  return open.length === 1 ? open[0]! : (nodes.find(({ id }) => id === answer) ?? null);
}

/** The texts of a condition that are any; `matches` are several, each of which is enough. */
function conditionsOf(condition: Json | undefined, at: JsonPointer): Expected[] {
  const { type, matches, ...fields } = asObject(condition);
  if (/^(?:always|none|default|unconditional|fail.*|error)$/i.test(textOf(type ?? ''))) return [];
  const texts = ['prompt', 'liquid', 'expression', 'condition', 'text', 'description', 'value'];
  const listed = leavesOf(matches, child(at, 'matches')).filter(({ value }) => value.trim() !== '');
  const [own = []] = texts
    .map((key) => leavesOf(fields[key], child(at, key)))
    .filter((it) => it.length > 0);
  const found = isObject(condition) ? (listed.length > 0 ? listed : own) : leavesOf(condition, at);
  return found
    .filter(({ value }) => !/^\s*(?:true)?\s*$/.test(value))
    .map((it) => ({ ...it, path: '', place: 'when' }));
}

/** The answer to one question; a policy answers all of its kind. */
function answerTo(
  { answers = {}, policies = {} }: ConserveOptions,
  kind: string,
  subject: Json,
): Answer | undefined {
  const policy = policies[kind];
  return (
    answers[`${kind}:${subject}`] ??
    (typeof policy === 'string' ? { choice: policy } : (policy as Answer | undefined))
  );
}

function renames({ answers = {} }: ConserveOptions): Map<string, string> {
  return new Map(
    Object.entries(answers).flatMap(([id, { choice, value }]) =>
      id.startsWith('undefined-variable:') && choice === 'rename'
        ? [[id.slice(19), `${value}`]]
        : [],
    ),
  );
}

/** The names and paths of a response, as the aliases that a squad has for them. */
function responsesOf({ at, value }: Node): Expected[] {
  const tool = isObject(value['tool']) ? value['tool'] : value;
  const base = tool === value ? at : child(at, 'tool');
  return ['responseVariables', 'output'].flatMap((field) =>
    listOf(tool[field]).flatMap((each, index): Expected[] => {
      const { target, name, key, path } = asObject(each);
      const called = (field === 'output' ? target : null) ?? name ?? key ?? null;
      const found = textOf(path ?? key ?? name ?? '').replace(/^\$\.?/, '');
      const template = `{{ $${found.startsWith('[') ? '' : '.'}${found} }}`;
      const place = `${child(base, field)}/${index}/path`;
      return called === null
        ? []
        : [expect('sent', place, template, `/variableExtractionPlan/aliases/${called}`)];
    }),
  );
}

/** The line of a node; of a tool that ends the call, also what the tool says first. */
function lineOf({ at, kind, value }: Node): Expected[] {
  const isEnd = kind === 'transfer' || kind === 'end';
  const holder = kind === 'assistant' ? asObject(value['assistant']) : value;
  const base = kind === 'assistant' ? child(at, 'assistant') : at;
  const lines = ['firstMessage', 'exact', 'text', 'message', ...(isEnd ? ['endMessage'] : [])];
  const messages = isEnd ? listOf(asObject(value['tool'])['messages']) : [];
  const first = messages.findIndex((it) =>
    /^request-(?:start|complete)$/.test(textOf(asObject(it)['type'] ?? 'request-start')),
  );
  const all = [
    ...leavesOf(
      asObject(holder['messagePlan'])['firstMessage'],
      `${base}/messagePlan/firstMessage`,
    ),
    ...lines.flatMap((key) =>
      isObject(holder[key]) ? [] : leavesOf(holder[key], child(base, key)),
    ),
    ...leavesOf(asObject(messages[first])['content'], `${at}/tool/messages/${first}/content`),
  ];
  const [line] = all.filter(
    ({ value: text, at: place }) => text !== '' && !place.endsWith('/type'),
  );
  return line === undefined || line.value.trim() === '' ? [] : [{ ...line, place: 'said' }];
}

/** What answers add to a node, and which of its fields they replace. */
function answered(node: Node, options: ConserveOptions, part: Part): Part {
  const ask = (kind: string) => answerTo(options, kind, node.id);
  const { values, tools } = part;
  const [unit = [], ...others] = tools;
  const put = (path: string, value: unknown) =>
    expect('sent', node.at, (value ?? '') as Json, path);
  if (node.kind === 'transfer') {
    const answer = ask('missing-destination');
    const isGiven = unit.some(
      ({ path, value }) =>
        /^\/(?:destination|number|sipUri|phoneNumber)$/.test(path) && value.trim() !== '',
    );
    if (answer === undefined || isGiven) return part;
    return { ...part, tools: [[...unit, put('/number', answer.value)], ...others] };
  }
  if (node.kind !== 'request') return part;
  let sent = [...unit, ...responsesOf(node)];
  const endpoint = ask('missing-endpoint');
  const isCallable =
    ['/url', '/method'].every((path) => sent.some((it) => it.path === path)) &&
    sent.some(({ path, value }) => path === '/url' && /^\s*(?:https?:\/\/|\{\{|\{%)/i.test(value));
  if (endpoint !== undefined && !isCallable && isObject(endpoint.value as Json)) {
    const given = leavesOf(endpoint.value as Json, node.at);
    const fields = new Set(['url', 'method', ...Object.keys(endpoint.value as JsonObject)]);
    sent = [
      ...sent.filter(({ path }) => !fields.has(path.split('/')[1]!)),
      ...given.map((it): Expected => ({ ...it, at: node.at, place: 'sent' })),
    ];
  }
  const isSafe = sent.some(
    ({ path }) =>
      path === '/credentialId' ||
      /^\/headers\/.*(?:key|token|secret|auth|password|cookie)/i.test(path),
  );
  const auth = isSafe ? undefined : ask('missing-auth');
  const { header, secret, credentialId } = asObject(auth?.value as Json);
  if (auth?.choice === 'header') sent.push(put(`/headers/${header}`, `{{${secret}}}`));
  if (auth?.choice === 'credential') sent.push(put('/credentialId', credentialId));
  return { ...part, values, tools: [sent, ...others] };
}

/** Returns true where an answer chooses among the settings of several nodes: the others are lost. */
function areSettingsChosen({ answers = {}, policies = {} }: ConserveOptions): boolean {
  const ids = Object.keys(answers).filter((id) => id.startsWith('conflicting-settings:'));
  const choices = [policies['conflicting-settings'], ...ids.map((id) => answers[id]!.choice)];
  return choices.some((choice) => choice !== undefined && choice !== 'keep-split');
}

export function listParts(source: Source, options: ConserveOptions): Part[] {
  const { replaced = [], answers = {} } = options;
  const areChosen = areSettingsChosen(options);
  const isLost = (it: Expected) => it.place === 'set' && replaced.includes(keyOf(it));
  /** Of settings among which an answer chooses, those of one node have to stand. */
  const isChosen = (it: Expected) =>
    areChosen && it.place === 'set' && /^(?:voice|transcriber|model)$/.test(keyOf(it));
  const captured = Object.entries(answers).filter(
    ([id, { choice }]) => id.startsWith('undefined-variable:') && choice === 'captured-at',
  );
  const nodes = [...source.reached].map((node): Part => {
    const { at, kind, value, sets } = node;
    const isSaved = kind === 'assistant' && typeof value['assistantId'] === 'string';
    const leaving = source.leaving.get(node)!.flatMap(({ conditions }) => conditions);
    if (isSaved)
      return {
        values: valuesOf(value, at, kind).values.filter(({ path }) =>
          /^\/assistant(?:Id|Version)$/.test(path),
        ),
        tools: [],
        sets: [],
      };
    const asked = captured.filter(([, it]) => it.value === node.id).map(([id]) => id.slice(19));
    const part = answered(node, options, valuesOf(value, at, kind));
    const isTalk = kind === 'talk';
    return {
      ...part,
      values: [
        ...part.values.filter((it) => !isLost(it) && !isChosen(it)),
        ...lineOf(node),
        ...leaving,
        ...(isTalk ? sets : []).flatMap((it) => [
          expect('named', it.at, it.name),
          expect('asked', it.at, it.line),
        ]),
        ...asked.flatMap((name) => [
          expect('named', at, name),
          expect('asked', at, `- Find out ${name} (string): ${name}\n`),
        ]),
      ],
      sets: [
        ...sets.map(({ name }) => name),
        ...asked,
        ...part.tools
          .flat()
          .flatMap(({ path }) => /\/(?:aliases|schema\/properties)\/([^/]+)/.exec(path)?.[1] ?? []),
      ],
    };
  });
  const entering = [...source.reached].map(
    (node): Part => ({
      values:
        node.isGlobal && [...source.reached].some((it) => it !== node && !isExit(it))
          ? enteringOf(node, options)
          : [],
      tools: [],
      sets: [],
    }),
  );
  const talking = [...source.reached].filter(({ kind }) => kind === 'talk' || kind === 'assistant');
  const around = source.around.map(([at, value]) => [value, at, 'all'] as const);
  const own = talking.map(({ value, at, kind }) => [value, at, kind] as const);
  const choices = ['voice', 'transcriber', 'model'].flatMap((key) => {
    const all = [own, around].map((holders) =>
      holders.map(([value, at, kind]): Part => {
        const values = valuesOf(value, at, kind).values.filter((it) => keyOf(it) === key);
        const chosen = values.filter((it) => isChosen(it) && !isLost(it));
        return { values: chosen, tools: [], sets: [], choice: key };
      }),
    );
    const [ofNodes, ofAll] = all.map((each) => each.filter(({ values }) => values.length > 0));
    // The answer may have chosen a node that sets nothing.
    const isSure = ofAll!.length > 0 || ofNodes!.length === talking.length;
    return isSure ? [...ofNodes!, ...ofAll!] : [];
  });
  return [
    ...nodes,
    ...entering,
    ...choices,
    ...partsAround(source, (it) => isLost(it) || isChosen(it)),
  ];
}

/** The name of a setting. */
const keyOf = ({ path }: Leaf) => path.replace(/^\/assistant(?=\/)/, '').split('/')[1]!;

/** When a global node is entered. */
function enteringOf({ id, at, value }: Node, options: ConserveOptions): Expected[] {
  const isPlanned = isObject(value['globalNodePlan']);
  const given = isPlanned
    ? asObject(value['globalNodePlan'])['enterCondition']
    : value['condition'];
  const own = conditionsOf(
    given,
    isPlanned ? `${at}/globalNodePlan/enterCondition` : child(at, 'condition'),
  );
  const answer =
    asObject(answerTo(options, 'missing-condition', id)?.value as Json)['condition'] ?? '';
  return own.length > 0 ? own : conditionsOf(answer, at);
}

/** What stands around the nodes: settings for nodes that have none of their own; texts for all. */
function partsAround(
  { around, reached, start }: Source,
  isLost: (it: Expected) => boolean,
): Part[] {
  const talking = [...reached].filter(({ kind }) => kind === 'talk');
  const [, outer] = around[0]!;
  const isSpoken = around.length > 1 && start.kind === 'talk' && lineOf(start).length === 0;
  const line = isSpoken ? leavesOf(outer['firstMessage'], '/firstMessage') : [];
  const parts = around.flatMap(([at, object], depth): Part[] => {
    const isWrapper = depth < around.length - 1;
    const { values, tools } = valuesOf(object, at, 'all');
    const isNeeded = (it: Expected) => {
      const key = it.path.split('/')[1]!;
      const isNearer = around.slice(depth + 1).some(([, nearer]) => nearer[key] !== undefined);
      return !isLost(it) && !isNearer && talking.some(({ value }) => value[key] === undefined);
    };
    const told = values.filter(({ place, path }) => {
      return place === 'told' && !(isWrapper && path === '/globalPrompt');
    });
    const others = values.filter(
      (it) => it.place !== 'told' && (it.place !== 'set' || isNeeded(it)),
    );
    return [
      { values: told, tools: [], sets: [], isEverywhere: true },
      { values: others, tools: talking.length > 0 ? tools : [], sets: [] },
    ];
  });
  const said = line.map((it): Expected => ({ ...it, place: 'said' }));
  return [...parts, { values: said, tools: [], sets: [] }];
}
