/**
 * Part of item 3: handoffs are silent, and the model is told when to make them.
 *
 * On the platform a handoff tool without `messages` says a line of its own, and one without a
 * description tells the model not to call it unless the prompt says so. The shape of spec/3 has
 * neither.
 */

import type { Destination, Member, Tool } from '../../call/squad.js';
import { describeHandoff, handoffFunction } from '../../compiler/ir/prompt.js';
import { fixed, writeTemplate } from '../../compiler/ir/template.js';
import { ofHandoffs } from '../../diagnostics/checklist.js';
import { asObject, isObject } from '../../text/json.js';
import { elements, textOf } from '../../text/parts.js';
import { child } from '../../text/pointer.js';
import type { Comparison } from '../comparison.js';
import { doubt, type Finding, fault } from '../finding.js';
import { otherWords } from '../foreign/descriptions.js';

export function checkHandoffTools({ squad, steps }: Comparison): Finding[] {
  const { members, destinations, wrapped } = squad;
  if (wrapped) return [];
  /** By name or id, how squadc calls the assistant in the description of a function. */
  const labels = new Map<string | null, string>();
  for (const { index, name, assistantId } of members) {
    for (const it of [name, assistantId]) labels.set(it, steps[index]?.label ?? String(it));
  }
  const shorthands = destinations.filter(({ tool }) => tool === null);
  return [
    ...members.flatMap((member) =>
      member.tools.flatMap((tool) => {
        if (tool.type !== 'handoff') return [];
        return [...checkMessages(member, tool), ...checkDescription(member, tool, labels)];
      }),
    ),
    ...shorthands.flatMap((it) => checkShorthand(members[it.member]!, it)),
    ...destinations.flatMap(({ leadsTo, member, at, value }) => {
      const isOutside = leadsTo !== null && members[leadsTo]!.assistantId === null;
      if (!isOutside || !members[leadsTo]!.unseen) return [];
      const place = isObject(value['assistant']) ? child(at, 'assistant') : at;
      return [doubt(ofHandoffs.outside(members[member]!.called), [], [place])];
    }),
    ...destinations.flatMap(({ value, at, member }) => {
      const key = 'assistantOverrides';
      if (!Object.hasOwn(value, key)) return [];
      return [fault(ofHandoffs.overrides(members[member]!.called), [], [child(at, key)])];
    }),
  ];
}

function checkMessages({ called }: Member, { value, at }: Tool): Finding[] {
  const { messages } = value;
  if (messages === undefined) return [fault(ofHandoffs.audible(called), [], [at])];
  return elements(messages).length > 0
    ? [fault(ofHandoffs.speaks(called), [], [child(at, 'messages')])]
    : [];
}

function checkDescription(
  { called, worded, prompt }: Member,
  { value, at, name }: Tool,
  labels: ReadonlyMap<string | null, string>,
): Finding[] {
  const declared = asObject(value['function']);
  const { description } = declared;
  const destinations = elements(value['destinations']).map((it) => asObject(it));
  const targets = destinations.map((it) => textOf(it['assistantName'] ?? it['assistantId']));
  if (description === undefined) {
    const automatic = targets.map((it) => handoffFunction([it ?? '']));
    const names = [name, ...targets, ...automatic].filter((it) => it);
    const isInstructed = !worded && names.some((it) => prompt.includes(it!));
    return isInstructed ? [] : [fault(ofHandoffs.withoutDescription(called), [], [at])];
  }
  const when = textOf(destinations[0]?.['description']) ?? '';
  const named = targets.map((it) => labels.get(it) ?? String(it));
  const wanted = describeHandoff([...new Set(named)], fixed(when));
  if (description === writeTemplate(wanted, '', [])) return [];
  // Outside squadc's wording any words are allowed that do not keep the model from the tool.
  const words = textOf(description)?.replaceAll(when, '') ?? 'not';
  const all = destinations.map((it) => textOf(it['description']) ?? '');
  const others = otherWords(textOf(description) ?? '', [...all, ...named, name]);
  const isForbidden = worded || /\b(?:never|not|don[’']t)\b/i.test(words);
  const place = `${at}/function/description`;
  if (isForbidden) return [fault(ofHandoffs.keepsFrom(called), [], [place])];
  const to = named.join(', ');
  return others.length > 0 ? [doubt(ofHandoffs.alsoSays(called, to, others), [], [place])] : [];
}

/** What a shorthand beside the assistant says is documented only for its own message. */
function checkShorthand({ called }: Member, { value, at }: Destination): Finding[] {
  const { message } = value;
  if (message === '') return [];
  if (message !== undefined) return [fault(ofHandoffs.speaks(called), [], [child(at, 'message')])];
  return [doubt(ofHandoffs.shorthand(called), [], [at])];
}
