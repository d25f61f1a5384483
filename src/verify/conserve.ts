/**
 * What a workflow says, asks for, sends and sets must stand in its squad.
 *
 * This is the place to begin for whoever does not trust the rest: it shares nothing with the compiler
 * and reads both documents as they are. Five rules:
 *
 * 1. *Fields.* Each value of a node or an edge that a call can reach, in a field of the table below,
 *    stands word for word in a field of the squad that the table names; all values of one node stand
 *    together in at least one assistant. Fields that are not in the table are not expected.
 * 2. *Answers.* What an answer replaces or renames is expected as the answer gives it.
 * 3. *Captures.* What a schema of the squad asks for under the name of a capture has its type, its
 *    description and its choices.
 * 4. *Tags.* Every Liquid tag of the squad, and every output that is more than a name, stands inside a
 *    text of the source. Only `raw` pairs are squadc's own.
 *
 * It does not say which assistant a node belongs to, in which order things happen, or what else a
 * prompt says.
 */
import { groupBy } from '../graph/lists.js';
import { asObject, type Json } from '../text/json.js';
import { child, type JsonPointer } from '../text/pointer.js';
import * as table from './conserve-fields.js';
import { type Expected, expectedOf, type Leaf, lastKey, leavesOf } from './conserve-fields.js';
import {
  areSettingsChosen,
  type ConserveOptions,
  constant,
  endsOf,
  findSource,
  idOf,
  isEnd,
  isExit,
  isGlobal,
  isTalk,
  listOf,
  reach,
  type Source,
} from './conserve-source.js';

/** A value of the workflow that the squad lacks, or a tag of the squad that the workflow lacks. */
export interface Loss {
  readonly in: 'workflow' | 'squad';
  readonly at: JsonPointer;
  readonly value: string;
}

/**
 * What is lost; empty for a squad that keeps everything, and for a workflow whose start is unclear.
 * Both documents may be anything, at most 200 levels deep.
 */
export function conserve(workflow: unknown, squad: unknown, options: ConserveOptions = {}): Loss[] {
  const source = findSource(workflow as Json);
  if (source === null) return [];
  const normal = normalise(options.answers);
  const normalLeaves = (value: Json) =>
    leavesOf(value).map((leaf) => ({ ...leaf, value: normal(leaf.value) }));
  const target = asObject(asObject(squad as Json)['squad'] ?? (squad as Json));
  const shared = normalLeaves(target['memberOverrides'] ?? target['membersOverrides'] ?? null);
  const members = listOf(target['members']).map((it) => hold([...normalLeaves(it), ...shared]));
  const { reported = [], answers = {}, overrides = {}, read } = options;
  const places = reported.map((it) => it.replace(/(\/(?:nodes|edges)\/\d+)\/data\//, '$1/'));
  const isReported = ({ at }: Leaf) => places.some((it) => at === it || at.startsWith(`${it}/`));
  const expected = partsOf(source, options).map((part) => part.filter((it) => !isReported(it)));
  const parts = expected.map((part) => part.map((it) => ({ ...it, value: normal(it.value) })));
  const answered = JSON.stringify(answers);
  const given = [...table.askedIn(target), ...(read?.captures ?? [])];
  const asked = given.filter(({ name }) => !answered.includes(`"undefined-variable:${name}"`));
  const captures = table.askedIn(source.nodes as Json, `${source.at}/nodes`);
  const otherwise = table.askedOtherwise(captures, asked, normal);
  const isChosen = areSettingsChosen(options);
  const isOpen = ({ place }: Expected) => isChosen && place === 'setting';
  const sure = parts.map((part) => part.filter((it) => !isOpen(it)));
  const lost = lackingOf(sure, members, options.isProse === true);
  const keyOf = ({ path }: Leaf) => path.split('/')[1];
  // Of the settings that an answer chooses from, one stands.
  for (const key of new Set(parts.flat().filter(isOpen).map(keyOf))) {
    const each = parts.map((part) => part.filter((it) => isOpen(it) && keyOf(it) === key));
    const lacking = each.flatMap((it) => (it.length === 0 ? [] : [lackingOf([it], members, true)]));
    if (lacking.every(({ length }) => length > 0)) lost.push(...lacking[0]!);
  }
  const misread = table.misread(expected.flat(), captures, read?.texts ?? []);
  const all = [...lost, ...otherwise, ...misread];
  return [
    ...all.map(({ at, value }): Loss => ({ in: 'workflow', at, value })),
    ...strayTags(normalLeaves([workflow, answers, overrides] as Json), normalLeaves(squad as Json)),
  ];
}

/** What stands in an assistant, by where it may stand: the values, or `key\0value` of what is exact. */
type Texts = Readonly<Record<table.Place, string>>;
/** And in each of its tools. */
type Held = Texts & { readonly tools: readonly string[] };

const isExact = (place: table.Place) => place === 'tool' || place === 'setting';

function hold(leaves: readonly Leaf[]): Held {
  const textIn = (place: table.Place, some = leaves) => {
    const texts = some.flatMap(({ path, value }) => {
      if (!table.places[place].test(path)) return [];
      return isExact(place) ? [lastKey(path), value] : [value];
    });
    return `\0${texts.join('\0')}\0`;
  };
  const byTool = groupBy(leaves, ({ at }) => /^.*?\/tools(?::append)?\/\d+\//.exec(at)?.[0]);
  byTool.delete(undefined);
  const tools = Array.from(byTool.values(), (own) => textIn('tool', own));
  const all = Object.keys(table.places) as table.Place[];
  return { ...(Object.fromEntries(all.map((it) => [it, textIn(it)])) as Texts), tools };
}

/**
 * The values that an assistant lacks. A text may stand within a longer one, but, outside of prose, not
 * within another one that is expected.
 */
function lackingIn(part: readonly Expected[], held: Held, isProse: boolean): Expected[] {
  const missing = part.filter((it) => !stands(it, held));
  missing.push(...(missing.length === 0 ? apart(part, held) : []));
  if (isProse || missing.length > 0) return missing;
  const texts = new Map(part.flatMap((it) => (it.place === 'said' ? [[it.value, it]] : [])));
  const longestFirst = [...texts.values()].sort((a, b) => b.value.length - a.value.length);
  let left = held.said;
  return longestFirst.filter(({ value }) => {
    const isLost = !left.includes(value);
    left = left.replace(value, () => '\0');
    return isLost;
  });
}

/** The values of a tool that no tool of the assistant has together. */
function apart(part: readonly Expected[], held: Held): readonly Expected[] {
  const toolOf = ({ at, place }: Expected) =>
    place === 'tool' ? /^.*\/(?:tool|tools\/\d+)\//.exec(at)?.[0] : undefined;
  const byTool = groupBy(part, toolOf);
  byTool.delete(undefined);
  return Array.from(byTool.values(), (own) => {
    const lackedBy = (tool: string) => own.filter((it) => !stands(it, { ...held, tool }));
    return fewest(held.tools.map(lackedBy), own);
  }).flat();
}

const fewest = (all: readonly Expected[][], most: readonly Expected[]) =>
  all.reduce((least, each) => (each.length < least.length ? each : least), most);

/** Texts stand within longer ones; everything else stands alone, numbers and flags under their key. */
function stands({ path, value, place, isPlain }: Expected, held: Held): boolean {
  if (place === 'free') return true;
  if (!isExact(place)) return held[place].includes(value);
  const key = lastKey(path);
  const isKeyed = isPlain || key === '/required/#' || /\/type$|\/.+\/description$/.test(key);
  if (held[place].includes(isKeyed ? `\0${key}\0${value}\0` : `\0${value}\0`)) return true;
  if (!/\/(?:body|headers|parameters)\//.test(path)) return false;
  // A field of a body may have become a value of a parameter.
  if (/\/body\/[^/]+$/.test(path) && held.tool.includes(`\0/value\0${value}\0`)) return true;
  // A description goes on with what a capture says, and with keywords that the platform's schemas
  // lack, such as `(minimum: 1)`.
  if (key.endsWith('/description')) return held.tool.includes(`\0${key}\0${value}`);
  const [, keyword] = key.split('/');
  return held.tool.includes(`${keyword}: `) && held.tool.includes(value);
}

/** By part, the values that its best assistant lacks. Parts near each other are mostly in the same one. */
function lackingOf(
  parts: readonly (readonly Expected[])[],
  members: readonly Held[],
  isProse: boolean,
) {
  let [first = null] = members;
  return parts.flatMap((part) => {
    const holds = (held: Held) => lackingIn(part, held, isProse).length === 0;
    if (part.length === 0 || (first !== null && holds(first))) return [];
    const found = members.find(holds);
    if (found === undefined) {
      return fewest(
        members.map((held) => lackingIn(part, held, isProse)),
        part,
      );
    }
    first = found;
    return [];
  });
}

/**
 * Texts are compared without `raw` pairs and without white space within outputs, which has no meaning.
 * A variable that an answer renames may have either name, because only some of its reads are renamed.
 */
function normalise(answers: ConserveOptions['answers'] = {}): (text: string) => string {
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
    const bare = text.replaceAll(/\{%-? *(?:end)?raw *-?%\}/g, '');
    const outputs = piecesOf(bare).filter(({ piece }) => piece.startsWith('{{'));
    let plain = '';
    let from = 0;
    for (const { at, piece } of outputs) {
      plain += `${bare.slice(from, at)}{{${piece.slice(2, -2).trim()}}}`;
      from = at + piece.length;
    }
    plain = `${plain}${bare.slice(from)}`.trim();
    if (names.size === 0) return plain;
    return plain.replaceAll(/[\p{L}_][\p{L}\p{N}_-]*/gu, (word) => last(word));
  };
}

/** The expected values, by what has to stand together: of a node, of an edge, of the workflow. */
function partsOf(source: Source, options: ConserveOptions): Expected[][] {
  const found = reach(source, options);
  if (found === null) return [];
  const { reached, exits } = found;
  const { answers = {}, policies = {}, overrides = {} } = options;
  const marks = source.nodes.filter((it) => asObject(it)['type'] === 'start');
  const startMarks = new Set(marks.map(idOf));
  const lost: Expected[][] = [];
  const conditions = new Map<Json, Expected[]>();
  for (const [index, { from, to }] of endsOf(source).entries()) {
    if (!reached.has(from) || exits.has(from)) continue;
    const at = child(child(source.at, 'edges'), index);
    const value = `${from} → ${to}`;
    const isLost = options.followed?.has(value) === false && !startMarks.has(from);
    if (isLost) lost.push([{ at, path: '', value, place: 'tool', isPlain: true }]);
    const said = isLost ? [] : expectedOf(source.edges[index]!, at, table.ofEdges);
    const own = conditions.get(from) ?? [];
    own.push(...said.filter((it) => !constant.test(it.value)));
    conditions.set(from, own);
  }
  /** Whether there is another node from which a call can enter a global one. */
  const hasOther = (node: Json) =>
    source.nodes.some((it) => it !== node && reached.has(idOf(it)) && !isExit(it));
  const nodes = source.nodes.flatMap((node, index) => {
    if (!reached.has(idOf(node))) return [];
    const at = child(child(source.at, 'nodes'), index);
    const unused = isTalk(node) ? table.ofOthers : table.ofTalk;
    const isOwn = (key: string) => !Object.hasOwn(overrides, key) && !unused.test(key);
    const own = Object.entries(asObject(node)).filter(([key]) => isOwn(key));
    const opening = { [`two-openings:${idOf(node)}`]: { choice: policies['two-openings'] } };
    const answered = Object.entries({ ...opening, ...answers }).flatMap(([id, it]) => {
      const { choice, value = null }: { choice: unknown; value?: unknown } = it;
      const [kind = '', name] = id.split(/:(.*)/s);
      const known = table.replacedBy[kind] ?? table.replacedBy[`${kind} ${choice}`];
      const replaced = name === idOf(node) ? known : undefined;
      // An operation is bound before the workflow is compiled.
      const isFree = choice === 'operation' || isTalk(node);
      return replaced === undefined ? [] : [{ replaced, value: isFree ? null : value }];
    });
    const isReplaced = ({ path }: Leaf) => answered.some(({ replaced }) => replaced.test(path));
    // The model says the line of a tool that ends the call.
    const fields = isEnd(node) ? table.ofNodes.filter(([, it]) => it === 'said') : table.ofNodes;
    const parts = [
      [...expectedOf(Object.fromEntries(own), at, fields), ...(conditions.get(idOf(node)) ?? [])],
      isGlobal(node) && hasOther(node) ? expectedOf(node, at, table.ofGlobals) : [],
    ];
    const given = answered.map(({ value }) =>
      expectedOf((value ?? null) as Json, '', table.ofAnswers).map((it) => ({ ...it, at })),
    );
    return [...parts.map((part) => part.filter((it) => !isReplaced(it))), ...given];
  });
  const hasMore = (node: Json) =>
    Object.entries(asObject(node)).some(([key, it]) => it !== null && !table.ofLines.test(key));
  const talking = source.nodes.filter((it) => reached.has(idOf(it)) && isTalk(it) && hasMore(it));
  const [opening] = Object.entries(answers).filter(([id]) => id.startsWith('two-openings:'));
  const spoken = opening?.[1].choice ?? policies['two-openings'];
  const around = source.around.map(([at, document], depth) => {
    // A node's own setting counts, else that of the nearest object around it.
    const nearer = source.around.slice(depth + 1).map(([, each]) => each);
    const needed = Object.entries(document).filter(
      ([key, value]) =>
        !Object.hasOwn(overrides, key) &&
        !(key.startsWith('serverUrl') && (document['server'] ?? !document['serverUrl'])) &&
        !(key === 'firstMessage' && spoken === 'workflow') &&
        nearer.every((each) => each[key] === undefined && each !== value) &&
        talking.some((node) => asObject(node)[key] === undefined),
    );
    return expectedOf(Object.fromEntries(needed), at, table.ofAll);
  });
  return [...nodes, ...around, ...lost];
}

/** The tags of the squad, and its outputs that are more than a name, that are in no text of the source. */
function strayTags(workflow: readonly Leaf[], squad: readonly Leaf[]): Loss[] {
  const pairs = workflow.flatMap(({ value }) => tagsIn(value).map((tag) => ({ tag, value })));
  const bearers = groupBy(pairs, ({ tag }) => tag);
  return squad.flatMap(({ at, path, value }): Loss[] => {
    // What the platform evaluates is written by squadc, and read back elsewhere.
    if (/\/(?:rejectionPlan|aliases)\//.test(path)) return [];
    const near = tagsIn(value).flatMap((tag) => (bearers.get(tag) ?? []).map((it) => it.value));
    const longestFirst = [...new Set(near)].sort((one, other) => other.length - one.length);
    const rest = longestFirst.reduce((left, text) => left.replaceAll(text, '\0'), value);
    return tagsIn(rest).map((tag) => ({ in: 'squad', at, value: tag }));
  });
}

/** The tags and outputs of a text, each once through; what is not closed is none. */
function piecesOf(text: string): { readonly at: number; readonly piece: string }[] {
  const found: { at: number; piece: string }[] = [];
  const opening = /\{[{%]/g;
  const closed = { '{': true, '%': true };
  for (let it = opening.exec(text); it !== null; it = opening.exec(text)) {
    const kind = it[0][1] as '{' | '%';
    const end = closed[kind] ? text.indexOf(kind === '{' ? '}}' : '%}', it.index + 2) : -1;
    closed[kind] = end >= 0;
    if (end < 0) continue;
    found.push({ at: it.index, piece: text.slice(it.index, end + 2) });
    opening.lastIndex = end + 2;
  }
  return found;
}

function tagsIn(text: string): string[] {
  const found = piecesOf(text).map(({ piece }) => piece);
  return found.filter((tag) => !/^\{\{[\p{L}_][\p{L}\p{N}_.-]*\}\}$/u.test(tag));
}
