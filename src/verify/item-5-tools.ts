/**
 * Item 5. "apiRequest, transferCall and tool nodes are attached to the correct assistant."
 *
 * Every assistant has the tools of its nodes and of answers, each once, and no others. A tool does
 * exactly what the source or an answer says, is called what they call it where that is a name, and
 * says when it is called where nothing else does. Tools in the platform's own words are as the source
 * has them. Two tools of one assistant under one name could not be told apart. What the platform is to refuse it refuses, and nothing else. In squads that
 * squadc did not make, names are free, and descriptions need only hold the conditions.
 */
import type { Capture } from '../compiler/ir/workflow.js';
import { ofTools } from '../diagnostics/checklist.js';
import type { Comparison } from './comparison.js';
import {
  checkGivenTools,
  type GivenCheck,
  listLostToolNodes,
  nothingGiven,
} from './given-tools.js';
import { type Finding, finding, type Judgement, judge } from './item.js';
import type { Member, Tool } from './squad-reading.js';
import { nameOfTool } from './tool-keys.js';
import { checkPair } from './tools/faults.js';
import { checkHandoffGuards } from './tools/handoff-guards.js';
import { judgeNames } from './tools/naming.js';
import { type Pairing, pairTools } from './tools/pairing.js';
import { listWantedTools, type WantedTool, type WantedTools } from './wanted-tools.js';

export function checkTools(comparison: Comparison): Judgement {
  const { squad } = comparison;
  const wanted = listWantedTools(comparison);
  const checkGiven = checkGivenTools(comparison);
  const paired: Paired[] = [];
  for (const member of squad.members) {
    // What a saved assistant has is not to be seen.
    if (member.unseen && member.tools.length + member.toolIds.length === 0) continue;
    const pairing = pair(member, checkGiven(member), wanted.of(member.index), squad.wrapped);
    if (pairing !== null) paired.push(pairing);
  }
  const all = [
    // Most squads have no tools but those that hand off.
    ...(paired.length === 0 ? nothing : checkPaired(comparison, paired)),
    ...listHomeless(comparison, wanted),
    ...checkHandoffGuards(comparison),
  ];
  return judge(5, all.length > 0 ? all : [finding(true, ofTools.none(), [], [])], comparison);
}

const nothing: readonly Finding[] = [];

function checkPaired(comparison: Comparison, paired: readonly Paired[]): readonly Finding[] {
  const { wrapped } = comparison.squad;
  const isNamedIn = judgeNames(paired);
  const capturesOf = indexCaptures(comparison);
  return paired.flatMap((pairing) => {
    const { member } = pairing;
    const assistant = comparison.nameOf(member.index);
    const isNamed = isNamedIn(pairing);
    const scene = { member, assistant, wrapped, isNamed, capturesOf };
    return [
      ...pairing.given.findings,
      ...pairing.pairs.flatMap((pair) => checkPair(scene, pair)),
      ...listUnpaired(assistant, member, pairing),
      ...findSharedNames(assistant, member),
    ];
  });
}

/** Nodes whose tool no assistant has, or is to have. */
function listHomeless(comparison: Comparison, { homeless }: WantedTools): readonly Finding[] {
  const lost = listLostToolNodes(comparison);
  if (homeless.length + lost.length === 0) return nothing;
  const isUnseen = comparison.squad.members.some(({ unseen }) => unseen);
  return [...homeless, ...lost].map(({ id, at }) =>
    isUnseen
      ? finding(true, () => ofTools.unseen(id), [at], [])
      : finding(false, () => ofTools.nowhere(id), [at], []),
  );
}

interface Paired extends Pairing {
  readonly member: Member;
  readonly given: GivenCheck;
}

/** Null where the assistant has no tools but one that hands off, and is to have none. */
function pair(
  member: Member,
  given: GivenCheck,
  wanted: readonly WantedTool[],
  wrapped: boolean,
): Paired | null {
  const { tools } = member;
  const isPlain = tools.length === 0 || (tools.length === 1 && tools[0]!.type === 'handoff');
  if (isPlain && wanted.length === 0 && given === nothingGiven) return null;
  const free = tools.filter((tool) => !given.carried.has(tool));
  // A tool of the source that ends the call is the one that the assistant is to have.
  const others = wanted.filter(({ kind }) => !(given.endsCall && kind.type === 'endCall'));
  return { member, given, ...pairTools(member, free, others, wrapped) };
}

function listUnpaired(
  assistant: string,
  member: Member,
  { missing, leftOver }: Pairing,
): Finding[] {
  const lacks = missing.map(({ kind }) => {
    // What a saved assistant has is not to be seen.
    const text = () =>
      member.unseen ? ofTools.unseen(kind.label) : ofTools.lacks(assistant, kind.label);
    return finding(member.unseen, text, [kind.at], [member.at]);
  });
  const tooMany = leftOver.map((tool) => {
    const name = nameOfTool(tool.value) || tool.type;
    return finding(false, () => ofTools.leftOver(assistant, name), [], [tool.at]);
  });
  return [...lacks, ...tooMany];
}

function findSharedNames(assistant: string, { tools }: Member): Finding[] {
  if (tools.length < 2) return [];
  const seen = new Map<string, Tool>();
  return tools.flatMap((tool) => {
    const name = nameOfTool(tool.value);
    if (name === '') return [];
    const earlier = seen.get(name);
    seen.set(name, tool);
    if (earlier === undefined) return [];
    return [finding(false, () => ofTools.sharedName(assistant, name), [], [earlier.at, tool.at])];
  });
}

/** The captures of a variable; put together when a custom tool first asks. */
function indexCaptures({ graph }: Comparison): (variable: string) => readonly Capture[] {
  let index: Map<string, Capture[]> | null = null;
  return (variable) => {
    if (index === null) {
      index = new Map();
      for (const capture of graph.order.flatMap((it) => graph.nodeAt(it).captures)) {
        const known = index.get(capture.name);
        if (known === undefined) index.set(capture.name, [capture]);
        else known.push(capture);
      }
    }
    return index.get(variable) ?? [];
  };
}
