/**
 * Item 3. "Every retained edge is a handoff destination whose description captures the condition."
 *
 * An edge is retained where it leads from one assistant to another. Its destination names the
 * assistant that owns its end, and holds its condition word for word; so does that of a global node.
 * The other way round, every destination stands for such an edge or global node.
 *
 * Item 6. "endCall and hangup behavior is folded into terminal prompts." A prompt in other prose has
 * to say so in a sentence; one in the wording of squadc is compared as a whole.
 */
import type { JsonObject } from '../compiler/ir/json.js';
import type { WorkflowNode } from '../compiler/ir/workflow.js';
import { ofEndings, ofHandoffs } from '../diagnostics/checklist.js';
import type { Comparison } from './comparison.js';
import type { Passage } from './expected.js';
import { type Finding, finding } from './findings.js';
import { isSame } from './json.js';
import { type Crossway, placeOf } from './passages.js';
import { endsCall } from './prompts.js';
import type { Member } from './squad.js';

export function checkHandoffs(comparison: Comparison): Finding[] {
  const { graph, squad, crossways, edgePassages, globalPassages, standing } = comparison;
  const missing = ({ member, condition, ...way }: Passage): Finding => {
    const { called, at } = squad.members[member]!;
    const text = ofHandoffs.missing(called, condition?.value ?? null);
    return finding(false, text, [placeOf(graph, { member, condition, ...way })], [at]);
  };
  const homeless = [...edgePassages, ...globalPassages].filter(({ target }) => target === null);
  const leftOver = squad.destinations.filter((it) => it.leadsTo === it.member || !standing.has(it));
  const facts = [
    ...crossways.flatMap((it) =>
      it.matched === null ? it.passages.map(missing) : compareCrossway(comparison, it),
    ),
    ...homeless.map(missing),
    ...leftOver.map(({ at, member, leadsTo, target }) => {
      const { called } = squad.members[member]!;
      const isItself = leadsTo === member;
      const text = isItself
        ? ofHandoffs.toItself(called)
        : ofHandoffs.leftOver(called, target ?? '');
      return finding(false, text, [], [at]);
    }),
  ];
  return facts.length > 0 ? facts : [finding(true, ofHandoffs.none(), [], [])];
}

function compareCrossway({ graph, squad, options }: Comparison, crossway: Crossway): Finding[] {
  const { member, target, passages, parts, matched } = crossway;
  const { destination, fit } = matched!;
  const { description, at, value } = destination;
  const ends = [squad.members[member]!.called, squad.members[target]!.called] as const;
  const facts = passages.map((passage) => {
    const condition = passage.condition?.value ?? null;
    const isSaid = condition === null ? description.trim() !== '' : description.includes(condition);
    const how = fit === 'leads-elsewhere' ? 'misled' : isSaid ? 'licensed' : 'undescribed';
    return finding(
      how === 'licensed',
      ofHandoffs[how](...ends, condition),
      [placeOf(graph, passage)],
      [at],
    );
  });
  const saysMore = (words: string) =>
    finding(
      false,
      ofHandoffs.saysMore(...ends, words),
      passages.map((it) => placeOf(graph, it)),
      [at],
    );
  if (fit === 'described-otherwise' && facts.every(({ holds }) => holds))
    facts.push(saysMore(description));
  if (fit === 'exact' && !squad.members[member]!.ours) {
    // Alternatives that hold none of the conditions; in prose a way without one may say anything.
    const isFree =
      passages.some(({ condition }) => condition === null) ||
      parts.some((it) => it.includes('; or '));
    const alternatives = isFree ? [] : description.split('; or ');
    const invented = alternatives.filter((it) => !parts.some((part) => it.includes(part)));
    facts.push(...invented.map(saysMore));
  }
  const context: JsonObject = { ...options.context };
  if (!isSame(value['contextEngineeringPlan'], context)) {
    facts.push(finding(false, ofHandoffs.otherContext(...ends), [], [at]));
  }
  return facts;
}

export function checkEndings(comparison: Comparison): Finding[] {
  const { graph, owners, squad, differences } = comparison;
  const sources = squad.members.map(() => new Set<string>());
  for (const { at, from, to } of graph.edges) {
    if (!isEnd(graph.nodeAt(to))) continue;
    for (const member of owners.of(from)) sources[member]!.add(at);
  }
  for (const { at } of graph.globals.filter(isEnd)) for (const it of sources) it.add(at);
  const facts = squad.members.flatMap((member) => {
    const { index } = member;
    const own = differences.filter((it) => it.member === index && it.item === 6);
    const lost = own.map(({ text, source, output }) => finding(false, text, source, output));
    return sources[index]!.size === 0
      ? lost
      : checkEnding(squad.wrapped, member, [...sources[index]!], lost);
  });
  return facts.length > 0 ? facts : [finding(true, ofEndings.none(), [], [])];
}

function isEnd({ type }: WorkflowNode): boolean {
  return type === 'endCall' || type === 'hangup';
}

function checkEnding(
  wrapped: boolean,
  member: Member,
  source: readonly string[],
  lost: readonly Finding[],
): Finding[] {
  const { called, ours, prompt, promptAt, tools, saved, unseen, at } = member;
  const hasTool = wrapped || tools.some(({ type }) => type === 'endCall');
  if (saved && prompt === '' && (unseen || hasTool)) {
    return [finding(true, ofEndings.unseen(called), source, [at])];
  }
  const faults = [...lost];
  if (!ours && !endsCall(prompt))
    faults.push(finding(false, ofEndings.endsNot(called), source, [promptAt]));
  if (!hasTool) faults.push(finding(false, ofEndings.lacksTool(called), source, [at]));
  return faults.length > 0 ? faults : [finding(true, ofEndings.ends(called), source, [promptAt])];
}
