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
/** Of the workflow, or of an assistant around it, for the nodes that have no setting of their own. */
const settings =
  'voice|transcriber|model|backgroundSound|server|credentialIds|maxDurationSeconds|silenceTimeoutSeconds|(?:start|stop)SpeakingPlan';
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

/** What is lost; empty for a squad that keeps everything. Throws nothing. */
export function conserve(workflow: unknown, squad: unknown, options: ConserveOptions = {}): Loss[] {
  const normal = normalise(options.answers);
  const source = findSource(workflow as Json);
  const target = asObject(asObject(squad as Json)['squad'] ?? (squad as Json));
  if (source === null) return [];
  const shared = leavesOf(asObject(target['memberOverrides'] ?? target['membersOverrides'] ?? {}));
  const members = listOf(target['members']).map((member) => [...leavesOf(member), ...shared]);
  const parts = reachedParts(source, options, normal);
  const lost = parts.flatMap((part) => missingOf(part, members, normal));
  return [
    ...lost.map((it) => ({ ...it, rule: 'field', in: 'workflow' }) as const),
    ...strayTags(workflow, squad, normal),
  ];
}

/** The values of the part that its best assistant lacks. */
function missingOf(
  part: readonly Expected[],
  members: readonly (readonly Leaf[])[],
  normal: Normal,
) {
  if (part.length === 0) return [];
  const lacking = members.map((leaves) => part.filter((each) => !stands(each, leaves, normal)));
  const best = lacking.reduce<readonly Expected[]>(
    (least, each) => (each.length < least.length ? each : least),
    part,
  );
  return best.map(({ at, value }) => ({ at, value }));
}

/** Texts stand within longer ones; everything else stands alone. */
function stands(
  { path, value, place, isPlain }: Expected,
  leaves: readonly Leaf[],
  normal: Normal,
): boolean {
  const isWithin = place === 'said' || place === 'when';
  return leaves.some((leaf) => {
    if (!places[place].test(leaf.path)) return false;
    if (isPlain && lastKey(leaf.path) !== lastKey(path)) return false;
    const found = normal(leaf.value);
    return isWithin ? found.includes(value) : found === value;
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

/** The expected values of each node and edge that a call can reach; nothing if the start is unclear. */
function reachedParts(
  source: Source,
  { answers = {}, policies = {}, replaced = [] }: ConserveOptions,
  normal: Normal,
) {
  const { nodes, edges } = source;
  const ends = edges.map((edge) => {
    const { from, to, source: one, target } = asObject(edge);
    return [from ?? one ?? null, to ?? target ?? null] as const;
  });
  const exits = new Set(nodes.filter(isExit).map(idOf));
  const taken = ends.filter(([from, to]) => from !== to && !exits.has(from));
  const entered = new Set(taken.map(([, to]) => to));
  const marked = nodes.filter((node) => asObject(node)['isStart'] === true);
  const open = nodes.filter((node) => {
    return !isGlobal(node) && !isExit(node) && !entered.has(idOf(node));
  });
  const answered = answers['ambiguous-start:workflow']?.value;
  const starts =
    answered !== undefined
      ? nodes.filter((node) => idOf(node) === answered)
      : marked.length > 0
        ? marked
        : open;
  const unlinked = answers['missing-edges:workflow']?.choice ?? policies['missing-edges'];
  const isInOrder = edges.length === 0 && unlinked === 'in-order';
  if (starts.length !== 1 && nodes.length > 1 && !isInOrder) return [];
  const reached = new Set((isInOrder ? nodes : starts).map(idOf));
  for (const node of nodes) if (isGlobal(node)) reached.add(idOf(node));
  for (const from of reached) for (const [one, to] of taken) if (one === from) reached.add(to);
  // Where an answer chooses among the settings of several nodes, those of the others are lost.
  const chosen = [
    policies['conflicting-settings'],
    ...Object.entries(answers).flatMap(([id, { choice }]) =>
      id.startsWith('conflicting-settings:') ? choice : [],
    ),
  ];
  const isChosen = chosen.some((choice) => choice !== undefined && choice !== 'keep-split');
  const isReplacedSetting = (key: string) => replaced.includes(key);
  const parts: Expected[][] = [];
  for (const [index, node] of nodes.entries()) {
    if (!reached.has(idOf(node))) continue;
    const at = child(child(source.at, 'nodes'), index);
    const fields = ofNodes.filter(([, place]) => place !== 'setting' || !isChosen);
    const own = Object.entries(asObject(node));
    const used = own.filter(
      ([key]) => !isReplacedSetting(key) && !(isTalk(node) && ofOthers.includes(key)),
    );
    const isReplaced = ({ path }: Leaf) =>
      Object.keys(answers).some((id) => {
        const [kind = '', name] = id.split(/:(.*)/s);
        return name === idOf(node) && replacedBy[kind]?.test(path) === true;
      });
    for (const part of [
      expectedOf(Object.fromEntries(used), at, fields),
      isGlobal(node) ? expectedOf(node, at, ofGlobals) : [],
    ]) {
      parts.push(part.filter((leaf) => !isReplaced(leaf)));
    }
  }
  const talking = nodes.filter((node) => reached.has(idOf(node)) && isTalk(node));
  for (const [depth, [at, document]] of (isChosen ? [] : source.around).entries()) {
    // A node's own setting counts, else that of the nearest object around it.
    const nearer = source.around.slice(depth + 1).map(([, each]) => each);
    const needed = Object.entries(document).filter(([key]) => {
      const isNearest = nearer.every((each) => each[key] === undefined && each !== document[key]);
      if (isReplacedSetting(key)) return false;
      return isNearest && talking.some((node) => asObject(node)[key] === undefined);
    });
    parts.push(expectedOf(Object.fromEntries(needed), at, ofAll));
  }
  for (const [index, edge] of edges.entries()) {
    const [from] = ends[index]!;
    if (!reached.has(from) || exits.has(from)) continue;
    parts.push(expectedOf(edge, child(child(source.at, 'edges'), index), ofEdges));
  }
  return parts.map((part) => part.map((each) => ({ ...each, value: normal(each.value) })));
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

/** The tags of the squad, and its outputs that are more than a name, that no text of the source has. */
function strayTags(workflow: unknown, squad: unknown, normal: Normal): Loss[] {
  const texts = leavesOf(workflow as Json)
    .map((leaf) => normal(leaf.value))
    .filter((text) => /\{[{%]/.test(text));
  return leavesOf(squad as Json).flatMap(({ at, path, value }): Loss[] => {
    // What the platform evaluates is written by squadc, and read back elsewhere.
    if (/\/(?:rejectionPlan|aliases)\//.test(path)) return [];
    const said = normal(value);
    const stray = tagsOf(said).filter(
      ({ text }) => !texts.some((each) => each.includes(text) && said.includes(each)),
    );
    return stray.map(({ text }) => ({ rule: 'tag', in: 'squad', at, value: text }));
  });
}

function tagsOf(text: string): { readonly text: string }[] {
  const found = text.match(/\{%.*?%\}|\{\{.*?\}\}/gs) ?? [];
  const isOwn = (tag: string) =>
    /^\{%-? *(?:end)?raw *-?%\}$/.test(tag) || /^\{\{ ?[\p{L}_][\p{L}\p{N}_.-]* ?\}\}$/u.test(tag);
  return found.filter((tag) => !isOwn(tag)).map((tag) => ({ text: tag }));
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
