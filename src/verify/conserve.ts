/**
 * What a workflow says, asks for, sends and sets must stand in its squad.
 *
 * This is the place to begin for whoever does not trust the rest: it shares nothing with the compiler
 * and reads both documents as they are. Three rules:
 *
 * 1. *Fields.* Each value of a node or an edge that a call can reach, in a field of the table below,
 *    stands word for word in a field of the squad that the table names; all values of one node stand
 *    together in at least one assistant. Fields that are not in the table are not expected.
 * 2. *Answers.* What an answer replaces or renames is expected as the answer gives it.
 * 3. *Tags.* Every Liquid tag of the squad, and every output that is more than a name, stands inside a
 *    text of the source. Only `raw` pairs are squadc's own.
 *
 * It does not say which assistant a node belongs to, in which order things happen, or what else a
 * prompt says.
 */
import { asObject, isObject, type Json, type JsonObject } from '../text/json.js';
import { child, type JsonPointer } from '../text/pointer.js';

/** A value of the workflow that the squad lacks, or a tag of the squad that the workflow lacks. */
export interface Loss {
  readonly rule: 'field' | 'tag';
  readonly in: 'workflow' | 'squad';
  readonly at: JsonPointer;
  readonly value: string;
}

/** The answers and options that change what is expected. */
export interface ConserveOptions {
  readonly answers?: Readonly<
    Record<string, { readonly choice: string; readonly value?: unknown }>
  >;
  readonly policies?: Readonly<Record<string, unknown>>;
  /** The settings of the workflow that options replace, such as `model`. */
  readonly replaced?: readonly string[];
}

/** Where values stand in an assistant, or in what all of them share; positions in lists are `#`. */
const places = {
  /** What is said, or told to the model. */
  said: /\/(?:firstMessage|content|message|description|text|enum\/#|title|endCallMessage)$/,
  /** When something happens. */
  when: /\/(?:description|content)$/,
  /** What a tool is and sends, as it is. */
  tool: /\/tools(?::append)?\/#\/|\/tool(?:Ids|Refs)\//,
  /** Settings of an assistant, as they are. */
  setting: /^(?!\/(?:assistant\/)?model\/(?:messages|tools)\/)/,
} as const;

type Place = keyof typeof places;

/** Paths within a node, an edge or the workflow, and where their values stand. */
type Fields = readonly (readonly [paths: RegExp, place: Place])[];

const texts = '(?:text|message|content|description|title|enum\\/#)';

const ofNodes: Fields = [
  [/^\/(?:messagePlan\/)?firstMessage$|^\/(?:systemPrompt|prompt|text|message)$/, 'said'],
  [/^\/systemPrompt\/#$|^\/(?:model|assistant\/model)\/messages\/#\/content$/, 'said'],
  [/^\/extractVariables\/(?:#|[^/]+)\/(?:name|variableName|description|enums?\/#)$/, 'said'],
  [new RegExp(`^\\/(?:output|variableExtractionPlan)\\/.*\\/${texts}$`), 'said'],
  [new RegExp(`^\\/(?:tools?(?:\\/#)?|destination|transferPlan)\\/.*${texts}$`), 'said'],
  [/^\/destination$|^\/(?:tool|tools\/#|destination)\/(?!type$|.*\/type$|.*\/?name$)/, 'tool'],
  [/^\/(?:url|method|timeoutSeconds|headers\/.*|body\/.*|toolId|toolIds\/#|toolRefs\/.*)$/, 'tool'],
  [/^\/(?:voice|transcriber)\/|^\/model\/(?!messages|tools|workflow)/, 'setting'],
  [/^\/assistant\/(?:firstMessage|endCallMessage)$/, 'said'],
  [/^\/assistant\/(?!model\/(?:messages|tools)|name$)|^\/assistantId$/, 'setting'],
];
const ofEdges: Fields = [[/^\/condition(?:\/prompt|\/liquid|\/matches\/#|\/expression)?$/, 'when']];
const ofGlobals: Fields = [[/^\/condition$|^\/globalNodePlan\/enterCondition$/, 'when']];
const settings =
  'voice|transcriber|model|backgroundSound|server|credentialIds|maxDurationSeconds|silenceTimeoutSeconds|(?:start|stop)SpeakingPlan';
/** Of the workflow, or of an assistant around it, for the nodes that have no setting of their own. */
const ofAll: Fields = [
  [/^\/globalPrompt$/, 'said'],
  [new RegExp(`^\\/(?!model\\/(?:messages|tools|workflow))(?:${settings})(?:\\/|$)`), 'setting'],
];

/** By kind of question, the fields of its node that an answer replaces. */
const replacedBy: Readonly<Record<string, RegExp>> = {
  'missing-endpoint': /\/(?:url|method)$/,
  'missing-destination': /\/(?:destination|number|sipUri)$/,
  'missing-condition': /\/(?:condition|enterCondition)$/,
};

/** What a talk node has no use for. */
const ofOthers = [
  'url',
  'method',
  'headers',
  'body',
  'timeoutSeconds',
  'destination',
  'transferPlan',
];

interface Leaf {
  readonly at: JsonPointer;
  /** The path within its node, edge or member, list positions as `#`. */
  readonly path: string;
  readonly value: string;
  /** A number or a flag, which may stand anywhere by chance. */
  readonly isPlain: boolean;
}

interface Expected extends Leaf {
  readonly place: Place;
}

/**
 * What is lost; empty for a squad that keeps everything, and for a workflow whose start is unclear.
 * Both documents may be anything, at most 200 levels deep.
 */
export function conserve(workflow: unknown, squad: unknown, options: ConserveOptions = {}): Loss[] {
  const normal = normalise(options.answers);
  const normalLeaves = (value: Json) =>
    leavesOf(value).map((leaf) => ({ ...leaf, value: normal(leaf.value) }));
  const source = findSource(workflow as Json);
  if (source === null) return [];
  const target = asObject(asObject(squad as Json)['squad'] ?? (squad as Json));
  const shared = normalLeaves(target['memberOverrides'] ?? target['membersOverrides'] ?? null);
  const members = listOf(target['members']).map((it) => [...normalLeaves(it), ...shared]);
  const lost = partsOf(source, options).flatMap((part) => {
    const expected = part.map((leaf) => ({ ...leaf, value: normal(leaf.value) }));
    return leastLacking(expected, members);
  });
  return [
    ...lost.map(({ at, value }): Loss => ({ rule: 'field', in: 'workflow', at, value })),
    ...strayTags(normalLeaves(workflow as Json), normalLeaves(squad as Json)),
  ];
}

/** The values of a part that its best assistant lacks. */
function leastLacking(part: readonly Expected[], members: readonly (readonly Leaf[])[]) {
  const lacking = members.map((leaves) => part.filter((each) => !stands(each, leaves)));
  return lacking.reduce((least, each) => (each.length < least.length ? each : least), [...part]);
}

/** Texts stand within longer ones; everything else stands alone. */
function stands({ path, value, place, isPlain }: Expected, leaves: readonly Leaf[]): boolean {
  const isWithin = place === 'said' || place === 'when';
  return leaves.some((leaf) => {
    if (!places[place].test(leaf.path)) return false;
    if (isPlain && lastKey(leaf.path) !== lastKey(path)) return false;
    return isWithin ? leaf.value.includes(value) : leaf.value === value;
  });
}

const lastKey = (path: string) => path.slice(path.lastIndexOf('/'));

type Normal = (text: string) => string;

/**
 * Texts are compared without `raw` pairs and without white space within outputs, which has no meaning.
 * A variable that an answer renames may have either name, because only some of its reads are renamed.
 */
function normalise(answers: ConserveOptions['answers'] = {}): Normal {
  const names = new Map(
    Object.entries(answers).flatMap(([id, { choice, value }]) => {
      const [kind, name = ''] = id.split(/:(.*)/s);
      return kind === 'undefined-variable' && choice === 'rename' ? [[name, `${value}`]] : [];
    }),
  );
  /** The last name of a chain of renames. */
  const last = (word: string, seen: ReadonlySet<string> = new Set()): string => {
    const next = names.get(word);
    return next === undefined || seen.has(word) ? word : last(next, new Set([...seen, word]));
  };
  return (text) => {
    const plain = text
      .replaceAll(/\{%-? *(?:end)?raw *-?%\}/g, '')
      .replaceAll(/\{\{\s*(\S.*?)\s*\}\}/g, '{{$1}}')
      .trim();
    if (names.size === 0) return plain;
    return plain.replaceAll(/[\p{L}_][\p{L}\p{N}_-]*/gu, (word) => last(word));
  };
}

/** A field that is exactly one output may have become an argument of its tool. */
const isOutput = (text: string) => /^\{\{ *[\p{L}_][\p{L}\p{N}_.-]* *\}\}$/u.test(text);

interface Source {
  readonly at: JsonPointer;
  /** The objects around the nodes, the outermost first. */
  readonly around: readonly (readonly [JsonPointer, JsonObject])[];
  readonly nodes: readonly Json[];
  readonly edges: readonly Json[];
}

/** The object with nodes, at the root or within what an export wraps it in. */
function findSource(
  document: Json,
  at: JsonPointer = '',
  outside: Source['around'] = [],
): Source | null {
  if (!isObject(document)) return null;
  const { nodes, edges } = document;
  const around = [...outside, [at, document] as const];
  if (Array.isArray(nodes)) return { at, around, nodes, edges: listOf(edges) };
  for (const key of ['workflow', 'model', 'data']) {
    const found =
      document[key] === undefined ? null : findSource(document[key], child(at, key), around);
    if (found !== null) return found;
  }
  return null;
}

const idOf = (node: Json) => asObject(node)['id'] ?? asObject(node)['name'] ?? null;

function isGlobal(node: Json): boolean {
  const { isGlobal: flag, globalNodePlan } = asObject(node);
  return flag === true || asObject(globalNodePlan)['enabled'] === true;
}

const isTalk = (node: Json) => /^(?:conversation|gather)$/.test(`${asObject(node)['type']}`);

function isExit(node: Json): boolean {
  const { type, tool } = asObject(node);
  const exit = /^(?:transfer|transferCall|endCall|end|hangup)$/;
  return exit.test(`${type}`) || (type === 'tool' && exit.test(`${asObject(tool)['type']}`));
}

/** The ends of each edge. */
function endsOf({ edges }: Source) {
  return edges.map((edge) => {
    const { from, to, source, target } = asObject(edge);
    return { from: from ?? source ?? null, to: to ?? target ?? null };
  });
}

/** The ids of the nodes that a call can reach; null if it is unclear where a call starts. */
function reach(source: Source, { answers = {}, policies = {} }: ConserveOptions) {
  const { nodes, edges } = source;
  const exits = new Set(nodes.filter(isExit).map(idOf));
  const ends = endsOf(source).filter(({ from, to }) => from !== to && !exits.has(from));
  const entered = new Set(ends.map(({ to }) => to));
  const isOpen = (it: Json) => !isGlobal(it) && !isExit(it) && !entered.has(idOf(it));
  const answer = answers['ambiguous-start:workflow']?.value;
  const marked = nodes.filter((it) => asObject(it)['isStart'] === true);
  const unmarked = marked.length > 0 ? marked : nodes.filter(isOpen);
  const named = nodes.filter((it) => idOf(it) === answer);
  const starts = answer === undefined ? unmarked : named;
  const linked = answers['missing-edges:workflow']?.choice ?? policies['missing-edges'];
  const isInOrder = edges.length === 0 && linked === 'in-order';
  if (starts.length !== 1 && nodes.length > 1 && !isInOrder) return null;
  const reached = new Set([...(isInOrder ? nodes : starts), ...nodes.filter(isGlobal)].map(idOf));
  for (const from of reached) for (const it of ends) if (it.from === from) reached.add(it.to);
  return { reached, exits };
}

/** Returns true where an answer chooses among the settings of several nodes: the others are lost. */
function areSettingsChosen({ answers = {}, policies = {} }: ConserveOptions): boolean {
  const ids = Object.keys(answers).filter((id) => id.startsWith('conflicting-settings:'));
  const choices = [policies['conflicting-settings'], ...ids.map((id) => answers[id]!.choice)];
  return choices.some((choice) => choice !== undefined && choice !== 'keep-split');
}

/** The expected values, by what has to stand together: of a node, of an edge, of the workflow. */
function partsOf(source: Source, options: ConserveOptions): Expected[][] {
  const found = reach(source, options);
  if (found === null) return [];
  const { reached, exits } = found;
  const { answers = {}, replaced = [] } = options;
  const isChosen = areSettingsChosen(options);
  const ofNode = isChosen ? ofNodes.filter(([, place]) => place !== 'setting') : ofNodes;
  const nodes = source.nodes.flatMap((node, index) => {
    if (!reached.has(idOf(node))) return [];
    const at = child(child(source.at, 'nodes'), index);
    const own = Object.entries(asObject(node)).filter(
      ([key]) => !replaced.includes(key) && !(isTalk(node) && ofOthers.includes(key)),
    );
    const fields = Object.keys(answers).flatMap((id) => {
      const [kind = '', name] = id.split(/:(.*)/s);
      return name === idOf(node) ? (replacedBy[kind] ?? []) : [];
    });
    const parts = [
      expectedOf(Object.fromEntries(own), at, ofNode),
      isGlobal(node) ? expectedOf(node, at, ofGlobals) : [],
    ];
    return parts.map((part) => part.filter(({ path }) => !fields.some((it) => it.test(path))));
  });
  const talking = source.nodes.filter((node) => reached.has(idOf(node)) && isTalk(node));
  const around = source.around.map(([at, document], depth) => {
    // A node's own setting counts, else that of the nearest object around it.
    const nearer = source.around.slice(depth + 1).map(([, each]) => each);
    const needed = Object.entries(document).filter(
      ([key, value]) =>
        !replaced.includes(key) &&
        nearer.every((each) => each[key] === undefined && each !== value) &&
        talking.some((node) => asObject(node)[key] === undefined),
    );
    return isChosen ? [] : expectedOf(Object.fromEntries(needed), at, ofAll);
  });
  const edges = endsOf(source).flatMap(({ from }, index) => {
    if (!reached.has(from) || exits.has(from)) return [];
    return [expectedOf(source.edges[index]!, child(child(source.at, 'edges'), index), ofEdges)];
  });
  return [...nodes, ...around, ...edges];
}

function expectedOf(value: Json, at: JsonPointer, fields: Fields): Expected[] {
  return leavesOf(value, at).flatMap((leaf) => {
    const field = fields.find(([path]) => path.test(leaf.path));
    const text = leaf.value.trim();
    return field === undefined || text === '' || (field[1] === 'tool' && isOutput(text))
      ? []
      : [{ ...leaf, value: text, place: field[1] }];
  });
}

/** The tags of the squad, and its outputs that are more than a name, that are in no text of the source. */
function strayTags(workflow: readonly Leaf[], squad: readonly Leaf[]): Loss[] {
  const texts = workflow.map(({ value }) => value).filter((text) => tagsIn(text).length > 0);
  texts.sort((one, other) => other.length - one.length);
  return squad.flatMap(({ at, path, value }): Loss[] => {
    // What the platform evaluates is written by squadc, and read back elsewhere.
    if (/\/(?:rejectionPlan|aliases)\//.test(path) || tagsIn(value).length === 0) return [];
    const rest = texts.reduce((left, text) => left.replaceAll(text, '\0'), value);
    return tagsIn(rest).map((tag) => ({ rule: 'tag', in: 'squad', at, value: tag }));
  });
}

function tagsIn(text: string): string[] {
  const found = text.match(/\{%.*?%\}|\{\{.*?\}\}/gs) ?? [];
  return found.filter((tag) => !/^\{\{[\p{L}_][\p{L}\p{N}_.-]*\}\}$/u.test(tag));
}

/** The texts, numbers and flags within a value. */
function leavesOf(value: Json, at: JsonPointer = '', path = ''): Leaf[] {
  if (Array.isArray(value)) {
    return value.flatMap((each: Json, index) => leavesOf(each, child(at, index), `${path}/#`));
  }
  if (!isObject(value))
    return value === null
      ? []
      : [{ at, path, value: String(value), isPlain: typeof value !== 'string' }];
  return Object.entries(value).flatMap(([key, each]) =>
    leavesOf(each, child(at, key), `${path}/${key.replaceAll('/', '~1')}`),
  );
}

function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}
