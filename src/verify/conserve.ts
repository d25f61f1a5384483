/**
 * What a workflow says, asks for, sends and sets must stand in its squad.
 *
 * This is the place to begin for whoever does not trust the rest: it shares nothing with the compiler
 * and reads both documents as they are. Three rules:
 *
 * 1. *Fields.* Each value of what a call can reach, in a field of the table (conserve-fields.ts),
 *    stands word for word where the table says; all values of one node together in one assistant at
 *    least, those of one tool in one tool. Fields that are not in the table are not expected.
 * 2. *Answers.* What an answer replaces, renames or adds is expected as the answer gives it.
 * 3. *Tags.* Every Liquid tag of the squad, every output that is more than a name, and every template
 *    of an alias stands in a text of the source. Only `raw` pairs are squadc's own: around an output
 *    of what the assistant finds out itself, or around a whole condition.
 *
 * It does not say which assistant a node belongs to, in which order things happen, or what else a
 * prompt says.
 */
import { asObject, isObject, type Json } from '../text/json.js';
import type { JsonPointer } from '../text/pointer.js';
import {
  type Expected,
  type Leaf,
  leavesOf,
  listOf,
  type Part,
  type Place,
  places,
} from './conserve-fields.js';
import { append, createSearch, rarest, wordsIn } from './conserve-search.js';
import { type ConserveOptions, listParts, readSource, type Source } from './conserve-source.js';

export type { ConserveOptions } from './conserve-source.js';

/** A value of the workflow that the squad lacks, or a tag of the squad that the workflow lacks. */
export interface Loss {
  readonly rule: 'field' | 'tag';
  readonly in: 'workflow' | 'squad';
  readonly at: JsonPointer;
  readonly value: string;
}

/**
 * What is lost; empty for a squad that keeps everything, and for a workflow whose start is unclear.
 * Both documents may be anything, at most 200 levels deep.
 */
export function conserve(workflow: unknown, squad: unknown, options: ConserveOptions = {}): Loss[] {
  const source = readSource(workflow as Json, options);
  if (source === null) return [];
  const found = listParts(source, options);
  const set = isSetByTool(options) ? null : new Set(found.flatMap(({ sets }) => sets));
  const { ofSource, ofSquad } = normalise(source, set);
  const parts = found.map((part) => mapPart(part, ofSource));
  const members = readMembers(squad as Json, ofSquad);
  const saved = new Set(source.nodes.map(({ value }) => value['assistantId']));
  // What is outside the document may have anything.
  const isOpen = toolsWithin(squad as Json, false).some(leadsOutside);
  const find = createFinder(members, saved, isOpen);
  const lost: Expected[] = [];
  const choices = new Map<string, (readonly Expected[])[]>();
  /** Variables, and the members that have all of a node which sets them. */
  const setBy = new Map<string, Set<number>>();
  for (const part of parts) {
    const { lacking, owners } = find(part);
    if (part.choice === undefined) lost.push(...lacking);
    else choices.set(part.choice, [...(choices.get(part.choice) ?? []), lacking]);
    for (const name of part.sets) setBy.set(name, new Set([...(setBy.get(name) ?? []), ...owners]));
  }
  for (const each of choices.values())
    if (each.every((it) => it.length > 0)) lost.push(...each[0]!);
  const texts = leavesOf(workflow as Json).map(({ value }) => value);
  /** An answer may add a capture, which is a text. */
  const isAdded = set === null || /captured-at/.test(JSON.stringify(options.answers ?? {}));
  const isSetIn = (name: string, member: number) =>
    set === null || setBy.get(name)?.has(member) === true;
  return [
    ...lost.map(({ at, value }): Loss => ({ rule: 'field', in: 'workflow', at, value })),
    ...oddProperties(squad as Json, workflow as Json, source, ofSource, ofSquad, isAdded),
    ...strayTags(squad as Json, texts, parts, { ofSource, ofSquad }, isSetIn),
  ];
}

/** Finds the members that have all of a part, or what the nearest of them lacks. */
function createFinder(
  members: readonly Member[],
  saved: ReadonlySet<Json | undefined>,
  isOpen: boolean,
) {
  const byWord = new Map<string, number[]>();
  for (const [index, { words }] of members.entries()) {
    for (const word of words) append(byWord, word, index);
  }
  // An assistant that only the platform knows may have anything.
  const isUnseen = ({ savedAs }: Member) => savedAs !== null && !saved.has(savedAs);
  const all = [...members.keys()];
  const unseen = all.filter((it) => isUnseen(members[it]!));
  return (
    part: Part,
  ): { readonly lacking: readonly Expected[]; readonly owners: readonly number[] } => {
    const lackingOf = (among: readonly number[]) =>
      among.map((it) => (isUnseen(members[it]!) ? [] : lackingIn(part, members[it]!)));
    const whole: readonly Expected[] = [...part.values, ...part.tools.flat()];
    if (part.isEverywhere === true) {
      const some = lackingOf(all.filter((it) => members[it]!.savedAs === null));
      return { lacking: some.find((it) => it.length > 0) ?? [], owners: [] };
    }
    const rare = whole.map(({ value }) => rarest(value, byWord)?.found ?? all);
    const few = rare.reduce((least, it) => (it.length < least.length ? it : least), all);
    const near = [...new Set([...unseen, ...few])];
    const lacking = lackingOf(near);
    const owners = near.filter((_, at) => lacking[at]!.length === 0);
    if (owners.length > 0 || isOpen) return { lacking: [], owners };
    return {
      lacking: lackingOf(all).reduce((least, it) => (it.length < least.length ? it : least), whole),
      owners,
    };
  };
}

/** Properties that bear the name of a variable and are not as its captures say. */
function oddProperties(
  squad: Json,
  workflow: Json,
  { reached }: Source,
  ofSource: Normal,
  ofSquad: Normal,
  isAdded: boolean,
): Loss[] {
  const captures = groupByName([...reached].flatMap(({ sets }) => sets));
  const own = new Set(
    leavesOf(workflow).map(({ path, value }) => `${lastKeys(path)}=${ofSource(value)}`),
  );
  return leavesOf(squad).flatMap(({ at, path, value: given }): Loss[] => {
    const [, name = '', key = ''] =
      /\/properties\/([^/]+)\/(type|description|enum)(?:\/#)?$/.exec(path) ?? [];
    const all = captures.get(name) ?? [];
    const value = ofSquad(given);
    if (all.length === 0 || /\/function\/parameters\/properties\/destination\//.test(path))
      return [];
    if (own.has(`${lastKeys(path)}=${value}`)) return [];
    const isMixed =
      value === 'string' && (isAdded || new Set(all.map(({ type }) => type)).size > 1);
    const isKnown = all.some(({ type, description, choices }) =>
      key === 'type'
        ? value === type || isMixed
        : key === 'enum'
          ? choices.map(ofSource).includes(value)
          : value === name || (description !== '' && value.includes(ofSource(description))),
    );
    return isKnown ? [] : [{ rule: 'field', in: 'squad', at, value: given }];
  });
}

const lastKeys = (path: string) => path.replace(/\/#$/, '').split('/').slice(-2).join('/');

function groupByName<T extends { readonly name: string }>(all: readonly T[]): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const it of all) append(groups, it.name, it);
  return groups;
}

/** A tool that an answer names may set any variable that a condition reads. */
const isSetByTool = ({ answers = {}, policies = {} }: ConserveOptions) =>
  [...Object.values(answers).map(({ choice }) => choice), ...Object.values(policies)].includes(
    'tool',
  );

interface Member {
  /** The id of a saved assistant. */
  readonly savedAs: Json;
  /** By place, whether its texts contain one. */
  readonly contains: Readonly<Record<Place, (text: string) => boolean>>;
  readonly words: ReadonlySet<string>;
  readonly isWorded: boolean;
  /** `path=value` of its settings, and of each of its tools and their destinations. */
  readonly settings: ReadonlySet<string>;
  readonly tools: readonly ReadonlySet<string>[];
}

const keyOf = ({ path, value }: Pick<Leaf, 'path' | 'value'>) => `${plainPath(path)}=${value}`;

/** The same path for all forms of a field of a tool, and of an assistant. */
function plainPath(path: string): string {
  return path
    .replace(/^\/(?:assistant(?:Overrides)?|function|server)(?=\/)/, '')
    .replace(/^\/serverUrl$/, '/url')
    .replace(/^\/serverUrlSecret$/, '/headers/X-Vapi-Secret')
    .replace(/^\/(?:destination|number|sipUri|phoneNumber)$/, '/address')
    .replace(/^\/(?:model\/)?(?:toolIds?(?:\/#)?|toolRefs\/#\/toolId)$/, '/toolId')
    .replace(/^(?:\/(?:model\/)?toolRefs\/#)?\/version$/, '/toolVersion')
    .replaceAll('/properties/', '/')
    .replace(/^\/(?:body|parameters)\//, '/sent/')
    .replace(/\/(?:value|const|default|enum\/#|enum)$/, '');
}

function readMembers(document: Json, normal: Normal): Member[] {
  const squad = asObject(asObject(document)['squad'] ?? document);
  const at = squad === document ? '' : '/squad';
  const read = (value: Json | undefined, place: JsonPointer) =>
    leavesOf(value, place).map((leaf) => ({ ...leaf, value: normal(leaf.value) }));
  const key = ['memberOverrides', 'membersOverrides'].find((it) => squad[it] !== undefined) ?? '';
  const shared = read(squad[key], `${at}/${key}`);
  return listOf(squad['members']).map((member, index): Member => {
    const leaves = [...read(member, `${at}/members/${index}`), ...shared];
    const tools = [member, squad[key]].flatMap((it) => toolsWithin(it ?? null, false));
    const textsAt = ([place, paths]: readonly [string, RegExp]) => {
      const all = leaves
        .filter(({ path }) => paths.test(path))
        .map(({ value }) => value)

        .map((it) => `\0${it}\0`)
        .join('');
      return [place, createSearch(place === 'named' ? mapOutputs(all, () => '\0') : all)];
    };
    return {
      savedAs: asObject(member)['assistantId'] ?? null,
      contains: Object.fromEntries(Object.entries(places).map(textsAt)) as Member['contains'],
      words: new Set(leaves.flatMap(({ value }) => Array.from(wordsIn(value), ([word]) => word))),
      isWorded: leaves.some(({ path, value }) => places.told.test(path) && worded.test(value)),
      settings: new Set(leaves.map(keyOf)),
      tools: tools.map(
        (tool) =>
          new Set(leavesOf(tool).map(({ path, value }) => keyOf({ path, value: normal(value) }))),
      ),
    };
  });
}

/** Whether a destination leads to what is no member: a server decides, or it is described within. */
function leadsOutside(destination: Json): boolean {
  const { type, assistant } = asObject(destination);
  return type === 'dynamic' || type === 'squad' || isObject(assistant);
}

/** The tools within a value, and the destinations of tools. */
function toolsWithin(value: Json, isTool: boolean): Json[] {
  const own = isTool ? [value] : [];
  if (Array.isArray(value)) return value.flatMap((it: Json) => toolsWithin(it, isTool));
  const inside = Object.entries(asObject(value)).flatMap(([key, it]) =>
    toolsWithin(it, /^(?:tools(?::append)?|destinations)$/.test(key)),
  );
  return [...own, ...inside];
}

/** What of the part a member lacks; the tools are those that come nearest. */
function lackingIn({ values, tools }: Part, member: Member): Expected[] {
  const lost = values.filter((it) => !stands(it, member));
  const missing = tools.flatMap((tool) => {
    const each = member.tools.map((fields) => tool.filter((it) => !isSent(it, fields)));
    return each.reduce((least, it) => (it.length < least.length ? it : least), [...tool]);
  });
  return [...lost, ...missing];
}

/** Sentences that only prompts of squadc have. */
const worded =
  /^(?: {2}Then: .*|- (?:When done|Otherwise, when done): .*\.|- Find out .* \((?:string|number|integer|boolean|array|object)\)(?:[:;].*)?)$/m;

function stands(
  { path, value, place }: Expected,
  { contains, settings, isWorded }: Member,
): boolean {
  if (place === 'set') return settings.has(keyOf({ path, value }));
  if (!isWorded) return place === 'asked' || contains[place](value);
  if (place === 'when') {
    const isDescribed = ['\0', '; or '].some((it) => contains.described(`${it}${value}`));
    return isDescribed || contains.told(`If: ${value}`);
  }
  if (place !== 'said') return contains[place](value);
  return contains.heard(value) || ['Say: ', 'say '].some((it) => contains.told(`${it}"${value}"`));
}

/** What a schema of the platform cannot say stands in a description. */
function isSent(it: Expected, fields: ReadonlySet<string>): boolean {
  if (fields.has(keyOf(it))) return true;
  const says = [JSON.stringify(it.value), `: ${it.value}`];
  const isKeyword = /\/(?:enum\/#|required\/#|value|title)$/.test(it.path);
  if (isKeyword && !/^(?:-?\d|true|false)/.test(it.value)) return false;
  if (!it.path.startsWith('/body') && !it.path.includes('parameters')) return false;
  return [...fields].some(
    (each) => /^[^=]*\/description=/.test(each) && says.some((it) => each.includes(it)),
  );
}

const mapPart = (part: Part, normal: Normal): Part => {
  const map = (all: readonly Expected[]) => all.map((it) => ({ ...it, value: normal(it.value) }));
  return { ...part, values: map(part.values), tools: part.tools.map(map) };
};

type Normal = (text: string) => string;
/** The tags and outputs of a text, in time that grows with its length. */
function* liquidIn(text: string): Iterable<{ readonly 0: string; readonly index: number }> {
  const last = { '%': text.lastIndexOf('%}'), '{': text.lastIndexOf('}}') };
  for (let at = text.indexOf('{'); at >= 0; ) {
    const kind = text[at + 1];
    const isOpen = (kind === '%' || kind === '{') && at + 2 <= last[kind];
    const end = isOpen ? text.indexOf(kind === '%' ? '%}' : '}}', at + 2) + 2 : at + 1;
    if (isOpen) yield { 0: text.slice(at, end), index: at };
    at = text.indexOf('{', end);
  }
}

/** The text with its outputs replaced. */
function mapOutputs(text: string, map: (output: string) => string): string {
  let [mapped, end] = ['', 0];
  for (const { index, 0: found } of liquidIn(text)) {
    mapped += text.slice(end, index) + (found.startsWith('{{') ? map(found) : found);
    end = index + found.length;
  }
  return mapped + text.slice(end);
}

/**
 * Texts are compared without `raw` pairs and without white space at the ends of outputs, which has no
 * meaning. An answer may rename a variable: in Liquid, one that nothing sets has only the new name;
 * elsewhere either name counts, because only some reads are renamed.
 */
function normalise({ names }: Source, set: ReadonlySet<string> | null) {
  const last = (
    word: string,
    isKnown: (name: string) => boolean,
    seen: readonly string[] = [],
  ): string => {
    const next = isKnown(word) && !seen.includes(word) ? names.get(word) : undefined;
    return next === undefined ? word : last(next, isKnown, [...seen, word]);
  };
  const inWords = (text: string, isKnown: (name: string) => boolean) =>
    names.size === 0
      ? text
      : text.replaceAll(/(?<![.$\p{L}\p{N}_-])[\p{L}_][\p{L}\p{N}_-]*/gu, (word) =>
          last(word, isKnown),
        );
  const plain = (text: string) =>
    mapOutputs(text.replaceAll(/\{%-? *(?:end)?raw *-?%\}/g, ''), (output) => {
      const inside = output.slice(2, -2).trim();
      return inside === '' ? output : `{{${inside}}}`;
    });
  return {
    ofSource: (text: string) => inWords(plain(text), () => true),
    ofSquad: (text: string) => {
      let end = 0;
      const kept: string[] = [];
      const all = plain(text);
      for (const { index, 0: tag } of liquidIn(all)) {
        kept.push(
          inWords(all.slice(end, index), () => true),
          inWords(tag, (name) => set?.has(name) ?? true),
        );
        end = index + tag.length;
      }
      return kept.join('') + inWords(all.slice(end), () => true);
    },
  };
}
type Normals = ReturnType<typeof normalise>;

/**
 * The Liquid of the squad that is in no text of the source: a tag, an output that is more than a name,
 * a template of an alias; and what stands in a `raw` pair though it has to be rendered.
 */
function strayTags(
  squad: Json,
  texts: readonly string[],
  parts: readonly Part[],
  { ofSource, ofSquad }: Normals,
  isSetIn: (name: string, member: number) => boolean,
): Loss[] {
  const known = new Map<string, string[]>();
  for (const text of new Set(texts.map(ofSource)))
    for (const tag of new Set(tagsIn(text))) append(known, tag, text);
  const values = parts.flatMap((part) => [...part.values, ...part.tools.flat()]);
  const templates = new Set(values.map(({ value }) => value));
  const whole = new Set(
    values.filter(({ place }) => place === 'when' || place === 'read').map(({ value }) => value),
  );
  return leavesOf(squad).flatMap(({ at, path, value }): Loss[] => {
    const text = ofSquad(value);
    const member = Number(/^(?:\/squad)?\/members\/(\d+)/.exec(at)?.[1] ?? -1);
    const lose = (tags: readonly string[]) =>
      tags.map((tag): Loss => ({ rule: 'tag', in: 'squad', at, value: tag }));
    if (path.includes('/rejectionPlan/')) return [];
    if (/\/aliases\/[^/]+$/.test(path)) {
      const isKnown = templates.has(text) || /^\{\{\$\.[\p{L}_][\p{L}\p{N}_]*\}\}$/u.test(text);
      return lose(isKnown ? [] : [value]);
    }
    const count = (tag: RegExp) => value.match(tag)?.length ?? 0;
    const isClosed = count(/\{%-? *raw *-?%\}/g) === count(/\{%-? *endraw *-?%\}/g);
    const raw = [...value.matchAll(/\{%-? *raw *-?%\}(.*?)\{%-? *endraw *-?%\}/gs)].filter(
      ([pair, inside = '']) => {
        const [, name = null] =
          /^\{\{-?\s*([\p{L}_][\p{L}\p{N}_-]*)[^{}|]*\}\}$/u.exec(inside) ?? [];
        const isTold = name !== null && isSetIn(name, member);
        return !isTold && !whole.has(ofSquad(inside)) && !texts.some((it) => it.includes(pair));
      },
    );
    return lose([
      ...(isClosed ? [] : ['{% raw %}']),
      ...raw.map(([pair]) => pair),
      ...uncovered(text, known),
    ]);
  });
}

/** The tags of a text that stand in none of the known ones, by tag. */
function uncovered(text: string, known: ReadonlyMap<string, readonly string[]>): string[] {
  const tags = [...liquidIn(text)].filter((it) => !isPlain(it[0]));
  const isCovered = (tag: string, index: number) =>
    (known.get(tag) ?? []).some((each) => {
      for (let at = each.indexOf(tag); at !== -1; at = each.indexOf(tag, at + 1)) {
        if (index >= at && text.startsWith(each, index - at)) return true;
      }
      return false;
    });
  return tags.filter((it) => !isCovered(it[0], it.index)).map((it) => it[0]);
}

const isPlain = (tag: string) => /^\{\{[\p{L}_][\p{L}\p{N}_.-]*\}\}$/u.test(tag);
const tagsIn = (text: string) =>
  Array.from(liquidIn(text), (it) => it[0]).filter((tag) => !isPlain(tag));
