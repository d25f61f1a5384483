/**
 * Assistants that the platform keeps: what the squad would have to say to them and cannot.
 *
 * In: the assistants. Out: errors. Nobody can write to the prompt of a saved assistant. In target
 * `vapi` tools can be added to it, and a tool that says itself when it is called needs no prompt:
 * handoffs and transfers do. In the shape of spec/3 nothing can be added. What would be lost is
 * therefore refused, and not left out.
 */
import type { Unsayable } from '../../diagnostics/catalogue/compile.js';
import { diagnose } from '../../diagnostics/diagnose.js';
import { groupBy } from '../../graph/lists.js';
import type { JsonPointer } from '../ir/ids.js';
import type { Diagnostic } from '../ir/result.js';
import { settingNames } from '../ir/workflow.js';
import type { Member, Way } from './members.js';
import type { Planned } from './plans.js';

export function objectToSaved({ members, options: { target } }: Planned): Diagnostic[] {
  const saved = members.filter((member) => member.savedAs !== null);
  const lost = saved.flatMap((member) => {
    const id = member.savedAs!.value;
    return [...listWants(member), ...member.ways.flatMap(wantsOfWay)].flatMap((want) => {
      const { needs, at, kind, name } = want;
      const args = { id, what: { kind, name } };
      if (needs === 'prompt') return [diagnose('lower/saved-needs-prompt', at, args)];
      return target === 'squad' ? [diagnose('lower/saved-as-it-is', at, args)] : [];
    });
  });
  return [...findTwice(saved), ...lost];
}

/** Something that the squad is to say to a saved assistant, and how it could. */
interface Want extends Unsayable {
  readonly needs: 'prompt' | 'overrides';
  readonly at: JsonPointer;
}

/** What the nodes of the assistant want beside ways out. */
function listWants({ nodes }: Member): Want[] {
  return nodes.flatMap(({ role, id, at, captures, calls, settings, assistant }): Want[] => {
    if (role !== 'talk') return [{ needs: 'prompt', at, kind: 'call', name: id }];
    const own: string[] = settingNames.filter((name) => settings[name] !== undefined);
    if (assistant !== null && assistant.version !== null) own.push('assistantVersion');
    return [
      ...captures.map(({ name }): Want => ({ needs: 'prompt', at, kind: 'find-out', name })),
      ...calls.map(({ tool }): Want => ({ needs: 'prompt', at, kind: 'call', name: tool })),
      ...own.map((name): Want => ({ needs: 'overrides', at, kind: 'setting', name })),
    ];
  });
}

function wantsOfWay({ kind, from, to, condition, at }: Way): Want[] {
  // What is inside is there already.
  if (from === null && kind === 'inner') return [];
  const { type, role, id: name, firstMessage, systemPrompt } = to;
  const texts = role === 'exit' ? [firstMessage, systemPrompt].filter((it) => it !== null) : [];
  const isJudged = condition?.routing === 'extract' || (condition?.call ?? null) !== null;
  // The tool that ends the call cannot say when.
  const isUnsaid = role === 'exit' && type !== 'transferCall' && condition !== null;
  const way: Want = { needs: 'overrides', at, kind: 'way', name };
  return [
    way,
    ...texts.map((text): Want => ({ needs: 'prompt', at: text.at, kind: 'text', name })),
    ...(isJudged || isUnsaid ? [{ ...way, needs: 'prompt' as const }] : []),
  ];
}

/** A squad can have an assistant once, so its places in the workflow must go on alike. */
function findTwice(saved: readonly Member[]): Diagnostic[] {
  const nodes = saved.flatMap((member) => member.nodes);
  const byId = groupBy(nodes, ({ assistant }) => assistant?.savedAs?.value ?? null);
  return [...byId].flatMap(([id, [first, ...others]]) => {
    if (id === null || others.length === 0) return [];
    const related = others.map(({ at }) => at);
    const args = { id, nodes: [first!, ...others].map((it) => it.id) };
    return [diagnose('lower/saved-twice', first!.at, args, { related })];
  });
}
