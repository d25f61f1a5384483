/**
 * Which tool of an assistant is which of those that it is to have.
 *
 * Tools that do what is wanted, under the name that is wanted and on the ways that are wanted, are
 * paired first; then those that agree in less and less, so that a tool with a fault is known for
 * what it is meant to be. Linear: each round is one pass over an index.
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
  const given = tools.map((tool) => ({
    tool,
    content: contentOfTool(tool, wrapped, member.compiled),
  }));
  const assistant = member.name ?? '';
  const left = {
    wanted: wanted.map((it) => traitsOfWanted(it, assistant)),
    given: given.map((it) => traitsOfGiven(it, assistant)),
  };
  const pairs: Pair[] = [];
  for (const likeness of likenesses) {
    if (left.wanted.length === 0 || left.given.length === 0) break;
    pairBy(likeness, left, pairs);
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
  readonly content: string;
  readonly name: string;
  readonly ways: string;
  readonly refusals: string;
  /** Where it leads: the number of a transfer, the url of a request. */
  readonly address: string;
}

type Likeness = (traits: Traits<unknown>) => string | null;

/** From the surest to the vaguest; null where there is nothing to be known by. */
const likenesses: readonly Likeness[] = [
  (it) => JSON.stringify([it.content, it.name, it.ways, it.refusals]),
  (it) => (it.name === '' ? null : JSON.stringify([it.content, it.name])),
  (it) => JSON.stringify([it.content, it.ways, it.refusals]),
  (it) => it.content,
  (it) => (it.name === '' ? null : JSON.stringify([it.type, it.name])),
  (it) => (it.address === '' ? null : JSON.stringify([it.type, it.address])),
  (it) => (it.name === '' ? JSON.stringify([it.type, it.ways]) : null),
];

function traitsOfWanted(wanted: WantedTool, assistant: string): Traits<WantedTool> {
  const content = contentOf(wanted);
  return {
    of: wanted,
    type: content.type,
    content: keyOf(content),
    name: wanted.kind.name?.form ?? '',
    ways: keyOfWays(wanted.ways, assistant),
    refusals: refusalsOf(wanted),
    address: addressOf(content),
  };
}

function traitsOfGiven(given: GivenTool, assistant: string): Traits<GivenTool> {
  const { tool, content } = given;
  return {
    of: given,
    type: content.type,
    content: keyOf(content),
    name: nameOfTool(tool.value),
    ways: keyOfDescription(textOf(descriptionOf(tool)) ?? '', assistant),
    refusals: givenRefusals(tool.value),
    address: addressOf(content),
  };
}

function addressOf({ fields }: Content): string {
  const at = ['url', `${destinationField}/number`, `${destinationField}/sipUri`];
  return at.map((field) => fields.get(field) ?? '').join('');
}

interface Left {
  wanted: readonly Traits<WantedTool>[];
  given: readonly Traits<GivenTool>[];
}

function pairBy(likeness: Likeness, left: Left, pairs: Pair[]): void {
  const waiting = new Map<string, Traits<GivenTool>[]>();
  for (const given of [...left.given].reverse()) {
    const key = likeness(given);
    if (key === null) continue;
    const known = waiting.get(key);
    if (known === undefined) waiting.set(key, [given]);
    else known.push(given);
  }
  const taken = new Set<Traits<GivenTool>>();
  left.wanted = left.wanted.filter((wanted) => {
    const key = likeness(wanted);
    const given = key === null ? undefined : waiting.get(key)?.pop();
    if (given === undefined) return true;
    taken.add(given);
    pairs.push({ wanted: wanted.of, given: given.of });
    return false;
  });
  left.given = left.given.filter((it) => !taken.has(it));
}
