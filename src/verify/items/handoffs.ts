/**
 * Item 3. "Every retained edge is a handoff destination whose description captures the condition."
 *
 * An edge is retained if it leads from one assistant to another. Its destination names the
 * assistant that owns its end, and contains its condition word for word; so does that of a global
 * node. The handoffs of one node to one member share a destination, and so do all to global nodes;
 * what the platform judges is separate from what the model judges. Conversely, every destination
 * implements such an edge or global node. Handoffs are silent, and the model is told when to make
 * them: on the platform a handoff tool without `messages` says a line of its own, and one without a
 * description tells the model not to call it unless the prompt says so.
 */
import { unraw } from '../../call/prompt.js';
import type { Destination, Layer, Member, Squad, Tool } from '../../call/squad.js';
import { describeHandoff, handoffFunction } from '../../compiler/ir/prompt.js';
import { fixed, writeTemplate } from '../../compiler/ir/template.js';
import { ofHandoffs } from '../../diagnostics/checklist.js';
import { append, groupBy } from '../../graph/lists.js';
import { asObject, isObject, type JsonObject } from '../../text/json.js';
import { areSame, elements, inOrder, isSame, textOf } from '../../text/parts.js';
import { child } from '../../text/pointer.js';
import type { Comparison, Fit, HandoffGroup } from '../comparison.js';
import type { Handoff, Owners } from '../expected/source.js';
import { doubt, type Finding, fact, fault } from '../finding.js';
import { otherWords } from '../foreign/prose.js';
import { listCarried } from './plans.js';

/**
 * Groups the handoffs that share a destination, in the order of the steps left: `stepOf` is the
 * place of a node among them. Where tools have names, the name tells which of several entries is
 * meant. Handoffs to a node without a single owner are in no group; they fail later.
 */
export function groupHandoffs(
  handoffs: readonly Handoff[],
  standsFor: Owners['standsFor'],
  sayWhen: (handoff: Handoff) => string,
  stepOf: (handoff: Handoff) => number,
  isNamed: boolean,
): HandoffGroup[] {
  const isGuarded = ({ condition }: Handoff) => condition?.routing === 'guard';
  const keyOf = (it: Handoff) => {
    const left = it.from === null ? '' : standsFor(it.from);
    return [it.member, left, isNamed ? standsFor(it.to) : it.target, isGuarded(it)].join(' ');
  };
  const owned = handoffs.filter(({ target }) => target !== null);
  const byKey = groupBy(owned, keyOf);
  const groups = Array.from(byKey.values(), (together) => {
    const [first] = together as [Handoff];
    const parts = [...new Set(together.map(sayWhen))];
    const ends = { member: first.member, target: first.target!, isGuarded: isGuarded(first) };
    return { ...ends, step: stepOf(first), handoffs: together, parts, matched: null };
  });
  return groups.sort((one, other) => one.member - other.member || one.step - other.step);
}

/**
 * Finds the destination of each group: by target and description; among several equal ones, by the
 * variables it carries. One with another description or target is only taken if no other group has
 * it. Returns, by destination, the handoffs that it implements.
 */
export function matchDestinations(
  { members, destinations }: Squad,
  groups: readonly HandoffGroup[],
  crossings: Comparison['crossings'],
  madeBy: (handoff: Handoff) => Destination | null,
): ReadonlyMap<Destination, readonly Handoff[]> {
  const handoffsOf = new Map<Destination, Handoff[]>();
  const endsOf = (it: HandoffGroup) => `${it.member} ${it.target} ${it.isGuarded}`;
  const wordsOf = ({ description }: Destination) => inOrder(unraw(description).plain);
  const byMember = groupBy(destinations, ({ member }) => member);
  const made = ({ member, leadsTo, tool }: Destination) =>
    `${member} ${leadsTo} ${Object.hasOwn(tool?.value ?? {}, 'rejectionPlan')}`;
  const byEnds = groupBy(destinations, made);
  const byWords = groupBy(destinations, (it) => `${made(it)} ${wordsOf(it)}`);
  const isFree = (it: Destination) => !handoffsOf.has(it);
  let open = groups;
  const settle = (fit: Fit, find: (group: HandoffGroup) => Destination | undefined): void => {
    for (const group of open) {
      const destination = find(group);
      if (destination === undefined) continue;
      for (const it of group.handoffs) append(handoffsOf, destination, it);
      group.matched = { destination, fit };
    }
    open = open.filter(({ matched }) => matched === null);
  };
  // What a prompt says to call is what makes the handoff.
  settle('exact', (it) => {
    const [only = null, ...others] = new Set(it.handoffs.map(madeBy));
    if (only === null || others.length > 0 || only.leadsTo !== it.target) return undefined;
    return wordsOf(only) === inOrder(it.parts.join('; or ')) ? only : undefined;
  });
  settle('exact', (it) => {
    const alike = byWords.get(`${endsOf(it)} ${inOrder(it.parts.join('; or '))}`) ?? [];
    const free = alike.filter(isFree);
    if (free.length < 2) return free[0];
    const crossing = it.handoffs.flatMap(crossings).map(({ name }) => name);
    return free.find((each) => areSame([...listCarried(each)], crossing)) ?? free[0];
  });
  const fitting = (it: HandoffGroup) => byEnds.get(endsOf(it)) ?? [];
  const saysAll = (it: Destination, { handoffs }: HandoffGroup) =>
    handoffs.every((handoff) => describes(it, handoff));
  settle('exact', (it) =>
    members[it.member]!.worded ? undefined : fitting(it).find((each) => saysAll(each, it)),
  );
  settle('described-otherwise', (it) => fitting(it).find(isFree));
  settle('leads-elsewhere', (it) =>
    byMember.get(it.member)?.find((each) => isFree(each) && saysAll(each, it)),
  );
  return handoffsOf;
}

/** Returns true if the description contains the condition, whatever else it says. */
function describes({ description }: Destination, { condition }: Handoff): boolean {
  if (condition === null) return description.trim() !== '';
  return unraw(description).plain.includes(unraw(condition.value).plain);
}

export function checkHandoffs(comparison: Comparison): Finding[] {
  const { squad, groups, handoffs, handoffsOf } = comparison;
  const { members } = squad;
  const missing = (handoff: Handoff): Finding => {
    const member = members[handoff.member]!;
    const text = ofHandoffs.missing(member.called, handoff.condition?.value ?? null);
    return fault(text, [handoff], [member]);
  };
  return [
    ...groups.flatMap((it) =>
      it.matched === null ? it.handoffs.map(missing) : compareGroup(comparison, it, it.matched),
    ),
    ...handoffs.filter(({ target }) => target === null).map(missing),
    ...(squad.shape.hasFunctions ? findShared(comparison) : []),
    ...squad.destinations.flatMap((it) => {
      const { called } = members[it.member]!;
      if (it.leadsTo === it.member) return fault(ofHandoffs.toItself(called), [], [it]);
      if (handoffsOf.has(it)) return [];
      return fault(ofHandoffs.leftOver(called, it.target ?? ''), [], [it]);
    }),
    ...(squad.shape.hasFunctions ? checkHandoffTools(comparison) : []),
  ];
}

/** The name of its function tells the other assistant which handoff was made. */
function findShared({ squad, groups, owners }: Comparison): Finding[] {
  const together = groupBy(groups, ({ member, target, matched, handoffs: [first] }) => {
    const left = first!.from === null ? null : owners.standsFor(first!.from);
    return [member, left, target, matched?.destination.tool?.at].join(' ');
  });
  return [...together.values()].flatMap((all) => {
    const same = all.filter(({ matched }) => matched !== null);
    const own = same.flatMap((it) => it.handoffs);
    if (new Set(own.map(({ to }) => owners.standsFor(to))).size < 2) return [];
    const { member, target, matched } = same[0]!;
    const text = ofHandoffs.shared(squad.members[member]!.called, squad.members[target]!.called);
    return [fault(text, own, [matched!.destination])];
  });
}

function compareGroup(
  { squad, options }: Comparison,
  { member, target, handoffs, parts }: HandoffGroup,
  { destination, fit }: NonNullable<HandoffGroup['matched']>,
): Finding[] {
  const { description, value } = destination;
  const { called: from, worded } = squad.members[member]!;
  const to = squad.members[target]!.called;
  const judged = handoffs.map((handoff): Finding => {
    const condition = handoff.condition?.value ?? null;
    const isThere = fit !== 'leads-elsewhere' && describes(destination, handoff);
    const wrong = fit === 'leads-elsewhere' ? ofHandoffs.misled : ofHandoffs.undescribed;
    const text = (isThere ? ofHandoffs.licensed : wrong)(from, to, condition);
    return (isThere ? fact : fault)(text, [handoff], [destination]);
  });
  const isSaid = judged.every(({ holds }) => holds);
  const own = handoffs.flatMap(({ condition }) => condition?.value ?? []);
  const invented = fit === 'described-otherwise' && isSaid ? [description] : [];
  // Alternatives without any of the conditions; prose may describe an edge without one freely.
  const isStrict = own.length === handoffs.length && !parts.some((it) => it.includes('; or '));
  if (fit === 'exact' && !worded && isStrict) {
    const isOther = (words: string) => !parts.some((it) => words.includes(it));
    invented.push(...description.split('; or ').filter(isOther));
  }
  const words = worded ? [] : otherWords(description, [...own, ...parts, from, to]);
  const isUnclear = words.length > 0 && isSaid && invented.length === 0;
  // The platform passes on the whole conversation by default.
  const usual = { type: value['transferMode'] === 'delete-history' ? 'none' : 'all' };
  const context = value['contextEngineeringPlan'] ?? (squad.shape.isOfPlatform ? usual : undefined);
  const isPassed = isSame(context, options.context as unknown as JsonObject);
  return [
    ...judged,
    ...(isUnclear ? [doubt(ofHandoffs.alsoSays(from, to, words), handoffs, [destination])] : []),
    ...invented.map((it) => fault(ofHandoffs.saysMore(from, to, it), handoffs, [destination])),
    ...(isPassed ? [] : [fault(ofHandoffs.otherContext(from, to), [], [destination])]),
  ];
}

function checkHandoffTools({ squad: { members, destinations } }: Comparison): Finding[] {
  const byTool = groupBy(destinations, ({ tool }) => tool);
  /** How squadc calls the assistant in the description of a function. */
  const nameOf = ({ leadsTo, target }: Destination) =>
    leadsTo === null ? String(target) : members[leadsTo]!.called;
  return [
    ...members.flatMap((member) =>
      member.tools
        .filter(({ type }) => type === 'handoff')
        .flatMap((it) => [
          ...checkSilence(member, it, 'messages'),
          ...checkDescription(member, it, byTool.get(it) ?? [], nameOf),
        ]),
    ),
    ...destinations.flatMap(({ leadsTo, member: from, at, value, tool }) => {
      const member = members[from]!;
      const end = leadsTo === null ? undefined : members[leadsTo];
      const isOutside = end?.assistantId === null && end.unseen;
      const outside = isObject(value['assistant']) ? child(at, 'assistant') : at;
      const key = 'assistantOverrides';
      const overrides = Object.hasOwn(value, key) ? [child(at, key)] : [];
      return [
        ...(tool === null ? checkSilence(member, { value, at }, 'message') : []),
        ...(isOutside ? [doubt(ofHandoffs.outside(member.called), [], [outside])] : []),
        ...overrides.map((it) => fault(ofHandoffs.overrides(member.called), [], [it])),
      ];
    }),
  ];
}

/** Whether a handoff says nothing: a tool by `messages`, a shorthand by its `message`. */
function checkSilence(
  { called }: Member,
  { value, at }: Layer,
  key: 'messages' | 'message',
): Finding[] {
  const said = value[key];
  const isTool = key === 'messages';
  if (said === undefined) {
    // What a shorthand says is documented only for its own message.
    return isTool
      ? [fault(ofHandoffs.audible(called), [], [at])]
      : [doubt(ofHandoffs.shorthand(called), [], [at])];
  }
  const isSilent = isTool ? elements(said).length === 0 : said === '';
  return isSilent ? [] : [fault(ofHandoffs.speaks(called), [], [child(at, key)])];
}

function checkDescription(
  { called, worded, prompt }: Member,
  { value, at, name }: Tool,
  destinations: readonly Destination[],
  nameOf: (destination: Destination) => string,
): Finding[] {
  const { description } = asObject(value['function']);
  if (description === undefined) {
    const targets = destinations.map((it) =>
      textOf(it.value['assistantName'] ?? it.value['assistantId']),
    );
    const automatic = targets.map((it) => handoffFunction([it ?? '']));
    const names = [name, ...targets, ...automatic].filter((it) => it);
    const isInstructed = !worded && names.some((it) => prompt.includes(it!));
    return isInstructed ? [] : [fault(ofHandoffs.withoutDescription(called), [], [at])];
  }
  const all = destinations.map((it) => it.description);
  const [when = ''] = all;
  const named = destinations.map(nameOf);
  const wanted = describeHandoff([...new Set(named)], fixed(when));
  if (description === writeTemplate(wanted, '', [])) return [];
  // Outside squadc's wording any words are allowed that do not keep the model from the tool.
  const said = textOf(description);
  const words = said?.replaceAll(when, '') ?? 'not';
  const place = `${at}/function/description`;
  if (worded || /\b(?:never|not|don[’']t)\b/i.test(words))
    return [fault(ofHandoffs.keepsFrom(called), [], [place])];
  const others = otherWords(said ?? '', [...all, ...named, name]);
  if (others.length === 0) return [];
  return [doubt(ofHandoffs.alsoSays(called, named.join(', '), others), [], [place])];
}
