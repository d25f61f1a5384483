/**
 * Assistants that the platform keeps: what the squad would have to say to them and cannot.
 *
 * In: the regions. Out: errors. Nobody can write to the prompt of a saved assistant. In target
 * `vapi` tools can be added to it, and a tool that says itself when it is called needs no prompt:
 * handoffs and transfers do. In the shape of spec/3 nothing can be added. What would be lost is
 * therefore refused, and not left out.
 */

import type { Unsayable } from '../../diagnostics/catalogue/lower-saved.js';
import { diagnose } from '../../diagnostics/diagnose.js';
import { append } from '../../graph/lists.js';
import type { FlowGraph } from '../ir/flow-graph.js';
import type { JsonPointer, NodeIndex } from '../ir/ids.js';
import type { Settled } from '../ir/options.js';
import type { Traced } from '../ir/provenance.js';
import type { Region, RegionMap } from '../ir/region-map.js';
import type { Diagnostic } from '../ir/result.js';
import { type Condition, settingNames, type WorkflowNode } from '../ir/workflow.js';

/** The id of the saved assistant that the region is; null where it is none. */
export function savedAs({ workflow }: FlowGraph, { nodes }: Region): Traced<string> | null {
  for (const node of nodes) {
    const { assistant } = workflow.nodes[node]!;
    if (assistant?.savedAs) return assistant.savedAs;
  }
  return null;
}

export function objectToSaved(graph: FlowGraph, map: RegionMap, options: Settled): Diagnostic[] {
  const saved = map.regions.filter((region) => savedAs(graph, region) !== null);
  return [
    ...findTwice(graph, saved),
    ...saved.flatMap((region) => {
      const id = savedAs(graph, region)!.value;
      const wants = [...listWants(graph, region), ...listWays(graph, map, region)];
      const isLost = ({ needs }: Want) => needs === 'prompt' || options.target === 'squad';
      return wants
        .filter(isLost)
        .map(({ needs, at, what }) =>
          needs === 'prompt'
            ? diagnose('lower/saved-needs-prompt', at, { id, what })
            : diagnose('lower/saved-as-it-is', at, { id, what }),
        );
    }),
  ];
}

/** Something that the squad is to say to a saved assistant, and how it could. */
interface Want {
  readonly needs: 'prompt' | 'overrides';
  readonly at: JsonPointer;
  readonly what: Unsayable;
}

/** What the nodes of the region want beside ways out. */
function listWants({ workflow }: FlowGraph, region: Region): Want[] {
  return region.nodes.flatMap((index): Want[] => {
    const { role, id, at, captures, calls, settings } = workflow.nodes[index]!;
    if (role !== 'talk') return [{ needs: 'prompt', at, what: { kind: 'call', name: id } }];
    return [
      ...captures.map(
        (it): Want => ({ needs: 'prompt', at, what: { kind: 'find-out', name: it.name } }),
      ),
      ...calls.map((it): Want => ({ needs: 'prompt', at, what: { kind: 'call', name: it.tool } })),
      ...settingNames.flatMap((name): Want[] =>
        settings[name] === undefined
          ? []
          : [{ needs: 'overrides', at, what: { kind: 'setting', name } }],
      ),
    ];
  });
}

/** The ways out of the region, those to global nodes included. */
function listWays({ workflow, globals }: FlowGraph, map: RegionMap, region: Region): Want[] {
  const { nodes, edges } = workflow;
  const own = new Set(region.nodes);
  return [
    ...region.steps.flatMap(({ edge, to }) => {
      const { condition, at } = edges[edge]!;
      return wantsOfWay(nodes[to]!, condition, at);
    }),
    ...globals.flatMap((to): Want[] => {
      const node = nodes[to]!;
      // Without another assistant nobody hands off to it; a tool is among the region's own nodes.
      if (own.has(to) || (map.regions.length === 1 && node.role !== 'exit')) return [];
      return wantsOfWay(node, node.global?.condition ?? null, node.at);
    }),
  ];
}

function wantsOfWay(to: WorkflowNode, condition: Condition | null, at: JsonPointer): Want[] {
  const { type, role, id, firstMessage, systemPrompt } = to;
  const way = { kind: 'way', name: id } as const;
  const texts = role === 'exit' ? [firstMessage, systemPrompt].filter((it) => it !== null) : [];
  const isJudged = condition?.routing === 'extract' || (condition?.call ?? null) !== null;
  // The tool that ends the call cannot say when.
  const isUnsaid = role === 'exit' && type !== 'transferCall' && condition !== null;
  return [
    { needs: 'overrides', at, what: way },
    ...texts.map(
      (text): Want => ({ needs: 'prompt', at: text.at, what: { kind: 'text', name: id } }),
    ),
    ...(isJudged || isUnsaid ? [{ needs: 'prompt' as const, at, what: way }] : []),
  ];
}

/** A squad can have an assistant once, so its places in the workflow must go on alike. */
function findTwice({ workflow }: FlowGraph, saved: readonly Region[]): Diagnostic[] {
  const places = new Map<string, WorkflowNode[]>();
  for (const { nodes } of saved) {
    for (const index of nodes as readonly NodeIndex[]) {
      const node = workflow.nodes[index]!;
      if (node.assistant?.savedAs) append(places, node.assistant.savedAs.value, node);
    }
  }
  return [...places].flatMap(([id, [first, ...others]]) =>
    others.length === 0
      ? []
      : [
          diagnose(
            'lower/saved-twice',
            first!.at,
            { id, nodes: [first!, ...others].map((it) => it.id) },
            { related: others.map(({ at }) => at) },
          ),
        ],
  );
}
