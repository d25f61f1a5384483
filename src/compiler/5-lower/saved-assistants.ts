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
import { type Condition, settingNames, type WorkflowNode } from '../ir/workflow.js';
import type { Member, Squad } from './members.js';

export function objectToSaved(squad: Squad): Diagnostic[] {
  const saved = squad.members.filter((member) => member.savedAs !== null);
  return [...findTwice(squad, saved), ...saved.flatMap((member) => objectTo(squad, member))];
}

function objectTo(squad: Squad, member: Member): Diagnostic[] {
  const id = member.savedAs!.value;
  const wants = [...listWants(squad, member), ...listWays(squad, member)];
  return wants.flatMap(({ needs, at, what }) => {
    if (needs === 'prompt') return [diagnose('lower/saved-needs-prompt', at, { id, what })];
    if (squad.options.target !== 'squad') return [];
    return [diagnose('lower/saved-as-it-is', at, { id, what })];
  });
}

/** Something that the squad is to say to a saved assistant, and how it could. */
interface Want {
  readonly needs: 'prompt' | 'overrides';
  readonly at: JsonPointer;
  readonly what: Unsayable;
}

function want(needs: Want['needs'], at: JsonPointer, kind: Unsayable['kind'], name: string): Want {
  return { needs, at, what: { kind, name } };
}

/** What the nodes of the assistant want beside ways out. */
function listWants({ graph }: Squad, { region }: Member): Want[] {
  return region.nodes.flatMap((index): Want[] => {
    const { role, id, at, captures, calls, settings } = graph.workflow.nodes[index]!;
    if (role !== 'talk') return [want('prompt', at, 'call', id)];
    const own = settingNames.filter((name) => settings[name] !== undefined);
    return [
      ...captures.map((it) => want('prompt', at, 'find-out', it.name)),
      ...calls.map((it) => want('prompt', at, 'call', it.tool)),
      ...own.map((name) => want('overrides', at, 'setting', name)),
    ];
  });
}

/** The ways out of the assistant, those to global nodes included. */
function listWays({ graph, map }: Squad, { region, numbers }: Member): Want[] {
  const { nodes, edges } = graph.workflow;
  const globals = graph.globals.filter((to) => {
    // Without another assistant nobody hands off to it; a tool is among the region's own nodes.
    return !numbers.has(to) && (map.regions.length > 1 || nodes[to]!.role === 'exit');
  });
  return [
    ...region.steps.flatMap(({ edge, to }) => {
      const { condition, at } = edges[edge]!;
      return wantsOfWay(nodes[to]!, condition, at);
    }),
    ...globals.flatMap((to) => {
      const node = nodes[to]!;
      return wantsOfWay(node, node.global?.condition ?? null, node.at);
    }),
  ];
}

function wantsOfWay(to: WorkflowNode, condition: Condition | null, at: JsonPointer): Want[] {
  const { type, role, id, firstMessage, systemPrompt } = to;
  const texts = role === 'exit' ? [firstMessage, systemPrompt].filter((it) => it !== null) : [];
  const isJudged = condition?.routing === 'extract' || (condition?.call ?? null) !== null;
  // The tool that ends the call cannot say when.
  const isUnsaid = role === 'exit' && type !== 'transferCall' && condition !== null;
  return [
    want('overrides', at, 'way', id),
    ...texts.map((text) => want('prompt', text.at, 'text', id)),
    ...(isJudged || isUnsaid ? [want('prompt', at, 'way', id)] : []),
  ];
}

/** A squad can have an assistant once, so its places in the workflow must go on alike. */
function findTwice({ graph }: Squad, saved: readonly Member[]): Diagnostic[] {
  const nodes = saved.flatMap(({ region }) => region.nodes.map((it) => graph.workflow.nodes[it]!));
  const isSaved = ({ assistant }: WorkflowNode) => (assistant?.savedAs ?? null) !== null;
  const byId = groupBy(nodes.filter(isSaved), ({ assistant }) => assistant!.savedAs!.value);
  return [...byId].flatMap(([id, places]) => {
    const [first, ...others] = places;
    if (others.length === 0) return [];
    const related = others.map(({ at }) => at);
    return [
      diagnose(
        'lower/saved-twice',
        first!.at,
        { id, nodes: places.map((it) => it.id) },
        { related },
      ),
    ];
  });
}
