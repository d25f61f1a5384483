/** Source and squad → the comparison: members matched to nodes, then what is said and called. */
import type { JsonObject } from '../compiler/ir/json.js';
import type { Settled, Target } from '../compiler/ir/options.js';
import type { Comparison, Pairing } from './comparison.js';
import type { Passage, Settlement } from './expected.js';
import { computeCrossings } from './expected-crossings.js';
import { listEdgePassages, listGlobalPassages } from './expected-graph.js';
import { type CallNames, type ExpectedPrompts, expectPrompts } from './expected-prompts.js';
import { expectTools } from './expected-tools.js';
import { areSame } from './json.js';
import { type Match, matchNodes } from './owners.js';
import { groupPassages, matchDestinations } from './passages.js';
import { listCarried, listCrossing } from './plans.js';
import { comparePrompt, compareProse, type Difference } from './prompts.js';
import { readSquad, type Squad } from './squad.js';
import { nameOfRequest, toolName } from './texts.js';
import { pairTools } from './tools.js';

export function compare(
  settlement: Settlement,
  document: JsonObject,
  options: Settled,
  stated: Target | null = options.target,
): Comparison {
  const { graph, variables, grouping, dialogue } = settlement;
  const named = graph.order.flatMap((it) => graph.nodeAt(it).assistant?.savedAs?.value ?? []);
  const squad = readSquad(document, new Set(named));
  const { members } = squad;
  const match = matchNodes(graph, grouping, squad);
  const { owners } = match;
  // How a saved assistant hands off is not to be seen, unless the squad alone can make it.
  const isSeen = ({ member }: Passage) => !members[member]!.unseen;
  const edgePassages = listEdgePassages(graph, owners).filter(isSeen);
  const globalPassages = listGlobalPassages(graph, owners, members.length).filter(isSeen);
  const passages = [...edgePassages, ...globalPassages];
  const crossings = computeCrossings(graph, variables, owners, passages);
  const prompts = expectPrompts(graph, squad, match, passages);
  const crossways = groupPassages(passages, owners.standsFor, prompts.sayWhen);
  const standing = matchDestinations(squad, crossways, (destination, { passages: ways }) => {
    return areSame([...listCarried(destination)], listCrossing({ crossings }, ways));
  });
  const expectedTools = expectTools(graph, squad, match, passages);
  const pairings = members.map((it) => pairTools(it, expectedTools.of(it.index), squad.wrapped));
  const names = nameCalls(pairings, owners.standsFor);
  return {
    ...settlement,
    document,
    squad,
    options,
    stated,
    open: dialogue.open,
    waivers: grouping.decisions
      .filter(({ choice }) => choice === 'keep-split' || choice === 'group')
      .map(({ inquiry }) => inquiry.question.id),
    match,
    owners,
    edgePassages,
    globalPassages,
    crossings,
    crossways,
    standing,
    expectedTools,
    pairings,
    differences: compareSayings(settlement, squad, match, prompts, names),
  };
}

/** The prompt calls a tool by the name that it has, else by the one that it is to have. */
function nameCalls(
  pairings: readonly Pairing[],
  standsFor: Match['owners']['standsFor'],
): CallNames {
  const named = pairings.map(
    ({ pairs }) => new Map(pairs.map(([{ key }, tool]) => [key, tool.name])),
  );
  return (member, it) => {
    const nameOf = (key: string, wanted: string) => named[member]!.get(key) || wanted;
    if ('tool' in it) {
      if (it.node !== null) return [nameOf(`node ${standsFor(it.node)}`, it.tool)];
      return [nameOf(`custom ${toolName(it.tool)}`, toolName(it.tool))];
    }
    const { request, tools, index } = it;
    if (request !== null) return [nameOf(`node ${standsFor(index)}`, nameOfRequest(it))];
    // What the platform calls a tool that it keeps is not to be seen, so the node's name stands for it.
    return tools.map(({ name, value }) => (value === null ? toolName(name) : name));
  };
}

function compareSayings(
  { graph }: Settlement,
  { members }: Squad,
  { owners }: Match,
  prompts: ExpectedPrompts,
  names: CallNames,
): Difference[] {
  return members.flatMap((member) => {
    if (member.unseen) return [];
    const expected = prompts.of(member.index, names);
    if (member.ours) return comparePrompt(graph, owners, member, expected);
    return compareProse(graph, owners, member, expected, names);
  });
}
