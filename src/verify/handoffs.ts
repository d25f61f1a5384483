/**
 * Item 3. "Every retained edge is a handoff destination whose description captures the condition."
 *
 * An edge is retained where it leads from one assistant to another. Its destination names the
 * assistant that owns its end, and holds its condition word for word; so does that of a global node.
 * The passages of one node to one member share a destination, and so do all global ones; what the
 * platform judges stays apart from what the model judges. The other way round, every destination
 * stands for such an edge or global node.
 *
 * Item 6. "endCall and hangup behavior is folded into terminal prompts." A prompt in other prose has
 * to say so in a sentence; one in the wording of squadc is compared as a whole.
 */
import type { NodeIndex } from '../compiler/ir/ids.js';
import type { JsonObject } from '../compiler/ir/json.js';
import { withoutRaw } from '../compiler/ir/tokens.js';
import type { WorkflowNode } from '../compiler/ir/workflow.js';
import { ofEndings, ofHandoffs } from '../diagnostics/checklist.js';
import { append, groupBy } from '../graph/lists.js';
import {
  type Comparison,
  type Crossway,
  type Finding,
  type Fit,
  fact,
  fault,
} from './comparison.js';
import type { Crossings } from './expected/crossings.js';
import type { Owners, Passage } from './expected/source.js';
import { areSame, inOrder, isSame } from './json.js';
import { listCarried } from './plans.js';
import { endsCall } from './prompts.js';
import type { Destination, Squad } from './squad.js';

/**
 * The passages that share a destination, those that say the same in the order of the steps that they
 * leave. Passages to a node that no single assistant owns are in none; they fail as handoffs.
 */
export function groupPassages(
  passages: readonly Passage[],
  standsFor: Owners['standsFor'],
  sayWhen: (passage: Passage) => string,
  numberOf: (member: number, node: NodeIndex) => number,
): Crossway[] {
  const groups = groupBy(
    passages.filter(({ target }) => target !== null),
    ({ member, from, target, condition }) =>
      `${member} ${from === null ? '' : standsFor(from)} ${target} ${condition?.routing === 'guard'}`,
  );
  const crossways = Array.from(groups.values(), (together) => {
    const { member, from, target, condition } = together[0]!;
    return {
      member,
      target: target!,
      isGuarded: condition?.routing === 'guard',
      step: from === null ? Number.MAX_VALUE : numberOf(member, standsFor(from)),
      passages: together,
      parts: [...new Set(together.map(sayWhen))],
      matched: null,
    };
  });
  return crossways.sort((one, other) => one.member - other.member || one.step - other.step);
}

/**
 * Finds the destination of each crossway: by where it leads and what it says; among several that say
 * the same, by what it carries. One that reads otherwise or leads elsewhere is only taken where it
 * is nobody's. Out: by destination, the passages that it stands for.
 */
export function matchDestinations(
  { members, destinations }: Squad,
  crossways: readonly Crossway[],
  crossings: Crossings,
): ReadonlyMap<Destination, readonly Passage[]> {
  const standing = new Map<Destination, Passage[]>();
  const endsOf = ({ member, target, isGuarded }: Crossway) => `${member} ${target} ${isGuarded}`;
  const byMember = groupBy(destinations, ({ member }) => member);
  const [byEnds, byWords] = [new Map<string, Destination[]>(), new Map<string, Destination[]>()];
  for (const destination of destinations) {
    const { member, leadsTo, description, tool } = destination;
    const ends = `${member} ${leadsTo} ${Object.hasOwn(tool?.value ?? {}, 'rejectionPlan')}`;
    append(byEnds, ends, destination);
    append(byWords, `${ends} ${inOrder(description)}`, destination);
  }
  const isFree = (it: Destination) => !standing.has(it);
  let open = crossways;
  const settle = (fit: Fit, find: (crossway: Crossway) => Destination | undefined): void => {
    for (const crossway of open) {
      const destination = find(crossway);
      if (destination === undefined) continue;
      standing.set(destination, [...(standing.get(destination) ?? []), ...crossway.passages]);
      crossway.matched = { destination, fit };
    }
    open = open.filter(({ matched }) => matched === null);
  };
  settle('exact', (it) => {
    const alike = byWords.get(`${endsOf(it)} ${inOrder(it.parts.join('; or '))}`) ?? [];
    const free = alike.filter(isFree);
    if (free.length < 2) return free[0];
    const crossing = it.passages.flatMap(crossings).map(({ variable }) => variable.name);
    return free.find((each) => areSame([...listCarried(each)], crossing)) ?? free[0];
  });
  const between = (it: Crossway) => byEnds.get(endsOf(it)) ?? [];
  const saysAll = (it: Destination, { passages }: Crossway) =>
    passages.every((way) => says(it, way));
  settle('exact', (it) =>
    members[it.member]!.ours ? undefined : between(it).find((each) => saysAll(each, it)),
  );
  settle('described-otherwise', (it) => between(it).find(isFree));
  settle('leads-elsewhere', (it) =>
    byMember.get(it.member)?.find((each) => isFree(each) && saysAll(each, it)),
  );
  return standing;
}

/** Whether the description holds the condition, whatever else it says. */
function says({ description }: Destination, { condition }: Passage): boolean {
  if (condition === null) return description.trim() !== '';
  return withoutRaw(description).includes(withoutRaw(condition.value));
}

export function checkHandoffs(comparison: Comparison): Finding[] {
  const { squad, crossways, passages, standing } = comparison;
  const missing = (passage: Passage): Finding => {
    const member = squad.members[passage.member]!;
    const text = ofHandoffs.missing(member.called, passage.condition?.value ?? null);
    return fault(text, [passage], [member]);
  };
  const findings: Finding[] = [];
  for (const it of crossways) {
    if (it.matched === null) findings.push(...it.passages.map(missing));
    else compareCrossway(comparison, it, it.matched, findings);
  }
  for (const it of passages) if (it.target === null) findings.push(missing(it));
  for (const it of squad.destinations) {
    const isItself = it.leadsTo === it.member;
    if (!isItself && standing.has(it)) continue;
    const { called } = squad.members[it.member]!;
    const other = it.target ?? '';
    const text = isItself ? ofHandoffs.toItself(called) : ofHandoffs.leftOver(called, other);
    findings.push(fault(text, [], [it]));
  }
  return findings;
}

function compareCrossway(
  { squad, options }: Comparison,
  { member, target, passages, parts }: Crossway,
  { destination, fit }: NonNullable<Crossway['matched']>,
  findings: Finding[],
): void {
  const { description, value } = destination;
  const { called: from, ours } = squad.members[member]!;
  const to = squad.members[target]!.called;
  let isSaid = true;
  for (const passage of passages) {
    const condition = passage.condition?.value ?? null;
    const isThere = fit !== 'leads-elsewhere' && says(destination, passage);
    isSaid &&= isThere;
    const wrong = fit === 'leads-elsewhere' ? ofHandoffs.misled : ofHandoffs.undescribed;
    const text = (isThere ? ofHandoffs.licensed : wrong)(from, to, condition);
    findings.push((isThere ? fact : fault)(text, [passage], [destination]));
  }
  const invented: string[] = [];
  if (fit === 'described-otherwise' && isSaid) invented.push(description);
  if (fit === 'exact' && !ours) {
    // Alternatives that hold none of the conditions; in prose a way without one may say anything.
    const isFree =
      passages.some(({ condition }) => condition === null) ||
      parts.some((it) => it.includes('; or '));
    const alternatives = isFree ? [] : description.split('; or ');
    invented.push(...alternatives.filter((it) => !parts.some((part) => it.includes(part))));
  }
  for (const words of invented) {
    findings.push(fault(ofHandoffs.saysMore(from, to, words), passages, [destination]));
  }
  if (!isSame(value['contextEngineeringPlan'], options.context as unknown as JsonObject)) {
    findings.push(fault(ofHandoffs.otherContext(from, to), [], [destination]));
  }
}

export function checkEndings({ graph, owners, squad, differences }: Comparison): Finding[] {
  const isEnd = ({ type }: WorkflowNode) => type === 'endCall' || type === 'hangup';
  const anywhere = graph.globalNodes.filter(isEnd).map(({ at }) => at);
  const ending = squad.members.map((): string[] => []);
  for (const { at, from } of graph.edges.filter((it) => isEnd(graph.nodeAt(it.to)))) {
    for (const member of owners.of(from)) ending[member]!.push(at);
  }
  const said = groupBy(
    differences.filter(({ item }) => item === 6),
    ({ output }) => output[0],
  );
  return squad.members.flatMap((member): Finding[] => {
    const { index, called, ours, prompt, promptAt, tools, saved, unseen } = member;
    const faults = [...(said.get(saved ? member.at : promptAt) ?? [])];
    const source = [...ending[index]!, ...anywhere];
    if (source.length === 0) return faults;
    const hasTool = squad.wrapped || tools.some(({ type }) => type === 'endCall');
    if (saved && prompt === '' && (unseen || hasTool)) {
      return [fact(ofEndings.unseen(called), source, [member])];
    }
    if (!ours && !endsCall(prompt))
      faults.push(fault(ofEndings.endsNot(called), source, [promptAt]));
    if (!hasTool) faults.push(fault(ofEndings.lacksTool(called), source, [member]));
    return faults.length > 0 ? faults : [fact(ofEndings.ends(called), source, [promptAt])];
  });
}
