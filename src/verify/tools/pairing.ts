/**
 * Which tool of an assistant is which of those that it is to have.
 *
 * A tool is known by its name or the number that it leads to where no other shares it. Of the rest
 * those that do what is wanted, on the ways that are wanted, are paired first, then those that agree
 * in less and less, so that a tool with a fault is known for what it is meant to be. Linear: each
 * round is one pass over an index.
 */
import { elements, type Member, objectOf, type Tool, textOf } from '../squad-reading.js';
import { descriptionOf, nameOfTool } from '../tool-keys.js';
import { contentOf, refusalsOf, type WantedTool } from '../wanted-tools.js';
import { keyOf } from './content.js';
import { keyOfDescription, keyOfWays } from './descriptions.js';
import { contentOfTool } from './given-content.js';
import { givenRefusals } from './guards.js';

export interface Pair {
  readonly wanted: WantedTool;
  readonly tool: Tool;
}

export interface Pairing {
  readonly pairs: readonly Pair[];
  readonly missing: readonly WantedTool[];
  readonly leftOver: readonly Tool[];
}

export function pairTools(
  member: Member,
  given: readonly Tool[],
  wanted: readonly WantedTool[],
  wrapped: boolean,
): Pairing {
  const tools = given.filter(({ type }) => type !== 'handoff');
  const left: Left = { wanted, tools };
  const pairs: Pair[] = [];
  const scene = { member, assistant: member.name ?? '', wrapped };
  for (const likeness of likenesses) {
    if (left.wanted.length === 0 || left.tools.length === 0) break;
    pairBy(likeness, scene, left, pairs);
  }
  return { pairs, missing: left.wanted, leftOver: left.tools };
}

interface Scene {
  readonly member: Member;
  readonly assistant: string;
  readonly wrapped: boolean;
}

/** What tools are known by; null where there is nothing to be known by. */
interface Likeness {
  readonly ofWanted: (tool: WantedTool, scene: Scene) => string | null;
  readonly ofGiven: (tool: Tool, scene: Scene) => string | null;
  /** Whether it only counts where no other tool is known by the same. */
  readonly alone?: boolean;
}

const byName: Likeness = {
  ofWanted: ({ kind }) => (kind.name === null ? null : `${kind.type}\n${kind.name.form}`),
  ofGiven: ({ type, value }) => `${type}\n${nameOfTool(value)}`,
};

/** Transfers lead to a number, requests to a url. */
const byAddress: Likeness = {
  ofWanted: ({ kind: { type, node } }) => {
    const destination = node?.transfer?.destination?.value;
    const number = destination?.type === 'sip' ? destination.sipUri : destination?.number;
    return addressOf(type, number ?? node?.request?.url?.value);
  },
  ofGiven: ({ type, value }) => {
    const { number, sipUri } = objectOf(elements(value['destinations'])[0]);
    return addressOf(type, textOf(number ?? sipUri ?? value['url']));
  },
};

function addressOf(type: string, address: string | null | undefined): string | null {
  return address == null ? null : `${type}\n${address}`;
}

const byContent: Likeness = {
  ofWanted: (tool, { wrapped }) => keyOf(contentOf(tool), wrapped),
  ofGiven: (tool, { member, wrapped }) =>
    keyOf(contentOfTool(tool, wrapped, member.compiled), wrapped),
};

const byWays: Likeness = {
  ofWanted: (tool, { assistant }) =>
    `${tool.kind.type}\n${keyOfWays(tool.ways, assistant)}\n${refusalsOf(tool)}`,
  ofGiven: (tool, { assistant }) => {
    const description = textOf(descriptionOf(tool)) ?? '';
    return `${tool.type}\n${keyOfDescription(description, assistant)}\n${givenRefusals(tool.value)}`;
  },
};

/** From the surest to the vaguest. */
const likenesses: readonly Likeness[] = [
  { ...byName, alone: true },
  { ...both(byAddress, nameless()), alone: true },
  both(byContent, byName, byWays),
  both(byContent, byName),
  both(byContent, byWays),
  byContent,
  byName,
  byAddress,
  both(byWays, nameless()),
];

function both(...likenesses: readonly Likeness[]): Likeness {
  const joined = (keys: readonly (string | null)[]) =>
    keys.includes(null) ? null : keys.join('\n');
  return {
    ofWanted: (tool, scene) => joined(likenesses.map((it) => it.ofWanted(tool, scene))),
    ofGiven: (tool, scene) => joined(likenesses.map((it) => it.ofGiven(tool, scene))),
  };
}

/** Tools that the model calls by their type. */
function nameless(): Likeness {
  return {
    ofWanted: ({ kind }) => (kind.name === null ? '' : null),
    ofGiven: ({ value }) => (nameOfTool(value) === '' ? '' : null),
  };
}

interface Left {
  wanted: readonly WantedTool[];
  tools: readonly Tool[];
}

function pairBy({ ofWanted, ofGiven, alone }: Likeness, scene: Scene, left: Left, pairs: Pair[]) {
  const wanted = groupBy(left.wanted, (tool) => ofWanted(tool, scene));
  if (wanted.size === 0) return;
  const given = groupBy(left.tools, (tool) => ofGiven(tool, scene));
  const taken = new Set<WantedTool | Tool>();
  for (const [key, ours] of wanted) {
    const theirs = given.get(key) ?? [];
    if (alone === true && (ours.length > 1 || theirs.length > 1)) continue;
    for (let at = 0; at < Math.min(ours.length, theirs.length); at += 1) {
      const pair = { wanted: ours[at]!, tool: theirs[at]! };
      taken.add(pair.wanted).add(pair.tool);
      pairs.push(pair);
    }
  }
  if (taken.size === 0) return;
  left.wanted = left.wanted.filter((it) => !taken.has(it));
  left.tools = left.tools.filter((it) => !taken.has(it));
}

function groupBy<T>(
  all: readonly T[],
  keyOf: (element: T) => string | null,
): ReadonlyMap<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const element of all) {
    const key = keyOf(element);
    if (key === null) continue;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [element]);
    else group.push(element);
  }
  return groups;
}
