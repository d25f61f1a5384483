/**
 * Which tool of an assistant is which of those that it is to have.
 *
 * A tool is known by its name or the number that it leads to where no other shares it. Of the rest
 * those that do what is wanted, on the ways that are wanted, are paired first, then those that agree
 * in less and less, so that a tool with a fault is known for what it is meant to be. Linear: each
 * round is one pass over an index.
 */
import { type Member, type Tool, textOf } from '../squad-reading.js';
import { descriptionOf, nameOfTool } from '../tool-keys.js';
import { contentOf, refusalsOf, type WantedTool } from '../wanted-tools.js';
import { type Content, contentOfTool, destinationField, keyOf } from './content.js';
import { keyOfDescription, keyOfWays } from './descriptions.js';
import { givenRefusals } from './guards.js';

export interface GivenTool {
  readonly tool: Tool;
  readonly content: Content;
}

export interface Pair {
  readonly wanted: WantedTool;
  readonly given: GivenTool;
}

export interface Pairing {
  readonly pairs: readonly Pair[];
  readonly missing: readonly WantedTool[];
  readonly leftOver: readonly GivenTool[];
}

export function pairTools(
  member: Member,
  wanted: readonly WantedTool[],
  wrapped: boolean,
): Pairing {
  const tools = member.tools.filter(({ type }) => type !== 'handoff');
  if (wanted.length + tools.length === 0) return { pairs: [], missing: [], leftOver: [] };
  const assistant = member.name ?? '';
  const left: Left = {
    wanted: wanted.map((it) => traitsOfWanted(it, assistant)),
    given: tools.map((tool) =>
      traitsOfGiven({ tool, content: contentOfTool(tool, wrapped, member.compiled) }, assistant),
    ),
  };
  const pairs: Pair[] = [];
  for (const { likeness, only } of likenesses) {
    if (left.wanted.length === 0 || left.given.length === 0) break;
    pairBy(likeness, only, left, pairs);
  }
  return {
    pairs,
    missing: left.wanted.map(({ of }) => of),
    leftOver: left.given.map(({ of }) => of),
  };
}

/** What tools are known by. */
interface Traits<Of> {
  readonly of: Of;
  readonly type: string;
  readonly name: string;
  /** Where it leads: the number of a transfer, the url of a request. */
  readonly address: string;
  /** What it does, in full, and when. Few tools need this to be known. */
  readonly content: () => string;
  readonly ways: () => string;
  readonly refusals: () => string;
}

/** What a tool is known by; null where there is nothing to be known by. */
type Likeness = (traits: Traits<unknown>) => string | null;

const byName: Likeness = ({ type, name }) => (name === '' ? null : `${type}\n${name}`);
const byAddress: Likeness = ({ type, address }) => (address === '' ? null : `${type}\n${address}`);
const byWays: Likeness = (it) => `${it.content()}\n${it.ways()}\n${it.refusals()}`;

/** From the surest to the vaguest; `only`: where no other tool is known by the same. */
const likenesses: readonly { readonly likeness: Likeness; readonly only: boolean }[] = [
  { likeness: byName, only: true },
  { likeness: (it) => (it.name === '' ? byAddress(it) : null), only: true },
  { likeness: (it) => `${byWays(it)}\n${it.name}`, only: false },
  { likeness: (it) => (it.name === '' ? null : `${it.content()}\n${it.name}`), only: false },
  { likeness: byWays, only: false },
  { likeness: ({ content }) => content(), only: false },
  { likeness: byName, only: false },
  { likeness: byAddress, only: false },
  { likeness: (it) => (it.name === '' ? `${it.type}\n${it.ways()}` : null), only: false },
];

function traitsOfWanted(wanted: WantedTool, assistant: string): Traits<WantedTool> {
  const content = contentOf(wanted);
  return {
    of: wanted,
    type: content.type,
    name: wanted.kind.name?.form ?? '',
    address: addressOf(content),
    content: () => keyOf(content),
    ways: () => keyOfWays(wanted.ways, assistant),
    refusals: () => refusalsOf(wanted),
  };
}

function traitsOfGiven(given: GivenTool, assistant: string): Traits<GivenTool> {
  const { tool, content } = given;
  return {
    of: given,
    type: content.type,
    name: nameOfTool(tool.value),
    address: addressOf(content),
    content: () => keyOf(content),
    ways: () => keyOfDescription(textOf(descriptionOf(tool)) ?? '', assistant),
    refusals: () => givenRefusals(tool.value),
  };
}

function addressOf({ type, fields }: Content): string {
  if (type !== 'transferCall') return fields.get('url') ?? '';
  const [number, uri] = [`${destinationField}/number`, `${destinationField}/sipUri`];
  return fields.get(number) ?? fields.get(uri) ?? '';
}

interface Left {
  wanted: readonly Traits<WantedTool>[];
  given: readonly Traits<GivenTool>[];
}

function pairBy(likeness: Likeness, only: boolean, left: Left, pairs: Pair[]): void {
  const wanted = groupBy(left.wanted, likeness);
  const given = groupBy(left.given, likeness);
  const taken = new Set<Traits<unknown>>();
  for (const [key, ours] of wanted) {
    const theirs = given.get(key) ?? [];
    if (only && (ours.length > 1 || theirs.length > 1)) continue;
    theirs.slice(0, ours.length).forEach((it, at) => {
      taken.add(ours[at]!).add(it);
      pairs.push({ wanted: ours[at]!.of, given: it.of });
    });
  }
  left.wanted = left.wanted.filter((it) => !taken.has(it));
  left.given = left.given.filter((it) => !taken.has(it));
}

function groupBy<Of>(
  all: readonly Traits<Of>[],
  likeness: Likeness,
): ReadonlyMap<string, Traits<Of>[]> {
  const groups = new Map<string, Traits<Of>[]>();
  for (const traits of all) {
    const key = likeness(traits);
    if (key === null) continue;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [traits]);
    else group.push(traits);
  }
  return groups;
}
