/**
 * Items 6 to 9, which concern an assistant or the document as a whole.
 *
 * 6: "endCall and hangup behavior is folded into terminal prompts." A prompt in other prose has to
 * say so in a sentence; one in squadc's wording is compared as a whole. 7: names are unique, and
 * every handoff names a member. 8: the document is valid by the schema of its target, names of
 * assistants have at most 40 characters, and the first message of a model is the system message.
 * 9: no key is workflowId, unless the workflow itself has that name, which is carried over.
 */
import { unraw } from '../../call/prompt.js';
import type { Member } from '../../call/squad.js';
import { createAssistantNames } from '../../compiler/ir/names.js';
import type { WorkflowNode } from '../../compiler/ir/workflow.js';
import { targetOf, targets } from '../../compiler/targets.js';
import { ofCallers, ofEndings, ofNames, ofShape } from '../../diagnostics/checklist.js';
import { groupBy } from '../../graph/lists.js';
import { asObject, isObject, type Json } from '../../text/json.js';
import { elements, findPlaces } from '../../text/parts.js';
import { valueAt } from '../../text/pointer.js';
import type { Comparison } from '../comparison.js';
import { doubt, type Finding, fact, fault, part } from '../finding.js';
import { judgeFault } from '../foreign/platform-shape.js';

export function checkEndings({ graph, owners, squad, differences }: Comparison): Finding[] {
  const isEnd = ({ type }: WorkflowNode) => type === 'endCall' || type === 'hangup';
  const anywhere = graph.globalNodes.filter(isEnd).map(({ at }) => at);
  const ending = squad.members.map((): string[] => []);
  for (const { at, from } of graph.edges.filter((it) => isEnd(graph.nodeAt(it.to)))) {
    for (const member of owners.of(from)) ending[member]!.push(at);
  }
  const ofCalls = differences.filter(({ item }) => item === 6);
  const said = groupBy(ofCalls, ({ output }) => output[0]);
  return squad.members.flatMap((member): Finding[] => {
    const { index, called, worded, prompt, promptAt, tools, saved, unseen } = member;
    const faults = [...(said.get(saved ? member.at : promptAt) ?? [])];
    const source = [...ending[index]!, ...anywhere];
    if (source.length === 0) return faults;
    const hasTool = !squad.shape.hasFunctions || tools.some(({ type }) => type === 'endCall');
    if (saved && prompt === '' && (unseen || hasTool)) {
      return [part(ofEndings.unseen(called), source, [member])];
    }
    if (!worded && !endsCall(unraw(prompt).plain))
      faults.push(fault(ofEndings.endsNot(called), source, [promptAt]));
    if (!hasTool) faults.push(fault(ofEndings.lacksTool(called), source, [member]));
    return faults.length > 0 ? faults : [fact(ofEndings.ends(called), source, [promptAt])];
  });
}

/** Returns true if a sentence says to end the call, without a negation. */
function endsCall(text: string): boolean {
  const sentences = text.split(/(?<=[.!?;])\s|\n/);
  return sentences.some((it) => ending.test(it) && !negation.test(it));
}

const ending = /\b(?:end (?:the|this) call|hang up)\b/i;

const negation =
  /\b(?:not|never|don[’']t|doesn[’']t|without|no one|nobody|cannot|can[’']t|refuse|avoid)\b/i;

const longest = 40;

export function checkNames(comparison: Comparison): Finding[] {
  const { members, destinations } = comparison.squad;
  const named = members.map(({ name, nameAt: at }) => ({ name, at }));
  const saved = members.map(({ assistantId: name, at }) => ({ name, at: `${at}/assistantId` }));
  const shared = [named, saved].flatMap((all) =>
    [...groupBy(all, ({ name }) => name)].flatMap(([name, bearers]) =>
      name === null || bearers.length < 2 ? [] : [fault(ofNames.shared(name), [], bearers)],
    ),
  );
  const isUnnamed = (it: Member) => !it.unseen && it.name === null && it.assistantId === null;
  const unnamed = members.slice(1).filter(isUnnamed);
  const unclear = [...shared, ...unnamed.map((it) => fault(ofNames.unnamed(), [], [it]))];
  const dangling = destinations.flatMap((it) => {
    const text = ofNames.dangling(members[it.member]!.called, it.target);
    return it.leadsTo === null ? [fault(text, [], [it])] : [];
  });
  return [
    ...(unclear.length > 0 ? unclear : [fact(ofNames.unique(members.length), [], [])]),
    ...(dangling.length > 0 ? dangling : [fact(ofNames.resolve(destinations.length), [], [])]),
    ...checkGivenNames(comparison),
  ];
}

/** Names from the option `names`, unless they have to be changed or are already taken. */
function checkGivenNames(comparison: Comparison): Finding[] {
  const { squad, options, graph, steps } = comparison;
  if (options.names.size === 0) return [];
  const fold = (name: string | null) => (name ?? '').normalize('NFC').toLowerCase();
  const bearers = new Set(squad.members.map(({ name }) => fold(name)));
  return steps.flatMap(({ nodes }, index) => {
    const first = nodes.map(graph.nodeAt).find(({ role }) => role === 'talk');
    const wanted = first === undefined ? undefined : options.names.get(first.id);
    const { name, nameAt, saved } = squad.members[index]!;
    if (first === undefined || wanted === undefined || saved || name === wanted) return [];
    const isLegal = createAssistantNames()(wanted).reason === null;
    if (!isLegal || bearers.has(fold(wanted))) return [];
    return [fault(ofNames.otherName(first.id, name ?? '', wanted), [first], [nameAt])];
  });
}

export function checkShape({ document, faults, squad, stated, options }: Comparison): Finding[] {
  const has = (key: string) => Object.hasOwn(document, key);
  const shape = has('squad') || has('members') ? targetOf(document) : null;
  const { name: target, isOfPlatform } = targets[shape ?? stated ?? options.target];
  const isOther = stated !== null && shape !== null && shape !== stated;
  const long = squad.members.filter(({ name }) => [...(name ?? '')].length > longest);
  // A name that is too long is reported separately.
  const refused = isOfPlatform ? faults.settings : [];
  const found = faults.shape.filter(({ at }) => long.every((it) => it.nameAt !== at));
  const byKind = groupBy(found, ({ at, problem }) =>
    isOfPlatform ? judgeFault(at, problem, valueAt(document, at)) : 'refused',
  );
  const wrong = byKind.get('refused') ?? [];
  const unknown = byKind.get('unknown') ?? [];
  return [
    ...(isOther ? [fault(ofShape.otherTarget(stated, shape), [], [''])] : []),
    ...wrong.map(({ at, problem }) => fault(ofShape.invalid(problem), [], [at])),
    // The findings on settings report them.
    ...refused.map(({ at, problem }) => part(ofShape.refused(problem), [], [at])),
    ...unknown.map(({ at }) => doubt(ofShape.unknown(at.slice(1)), [], [at])),
    ...(wrong.length === 0 ? [fact(ofShape.valid(target), [], [''])] : []),
    ...(isOfPlatform ? [] : squad.members.flatMap(checkFirstMessage)),
    ...long.map(({ name, nameAt }) => fault(ofShape.longName(name ?? ''), [], [nameAt])),
    ...(long.length === 0 ? [fact(ofShape.shortNames(), [], [])] : []),
  ];
}

/** The schema checks each message only individually. */
function checkFirstMessage({ layers, called }: Member): Finding[] {
  return layers.flatMap(({ value, at }) => {
    const [first] = elements(asObject(value['model'])['messages']);
    if (!isObject(first)) return [];
    const { role, content } = first;
    // Content that is not a text is a fault of the shape.
    if (role === 'system' && (typeof content !== 'string' || /\S/.test(content))) return [];
    return [fault(ofShape.withoutPrompt(called), [], [`${at}/model/messages/0`])];
  });
}

export function checkCallers({ document, graph, options }: Comparison): Finding[] {
  const places = findPlaces(document, (key) => key === forbidden);
  const { model, memberOverrides } = options;
  const said = [graph.workflow as unknown as Json, { model, memberOverrides }];
  const isNamed = (key: string, part: Json) => key === forbidden || part === forbidden;
  const isCarried = places.length > 0 && said.some((it) => findPlaces(it, isNamed).length > 0);
  const findings = places.map((at) =>
    isCarried && carriedAt.test(at)
      ? fact(ofCallers.carried(), [], [at])
      : fault(ofCallers.named(), [], [at]),
  );
  const isClean = findings.every(({ holds }) => holds);
  return isClean ? [fact(ofCallers.clean(), [], ['']), ...findings] : findings;
}

const forbidden = 'workflowId';

/** Inside a field of an assistant, where names and objects of the source may stand. */
const carriedAt = /\/(?:assistant|assistantOverrides|members?Overrides)\/.+\//;
