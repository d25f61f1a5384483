/**
 * Tools in the platform's own words: every assistant has those of its nodes as the source has them,
 * the order of keys aside, and by their ids those that the platform keeps; and nothing else.
 *
 * In: source and squad. Out: for each assistant what of these tools is not as it is to be, and the
 * tools that are left for other checks. A tool for which the source says nothing of refusals is
 * refused where all ways to it are guarded; one that a talk node has is open at any time.
 */
import type { JsonPointer, NodeIndex } from '../compiler/ir/ids.js';
import type { JsonObject } from '../compiler/ir/json.js';
import type { Condition, GivenTool, WorkflowNode } from '../compiler/ir/workflow.js';
import { ofTools } from '../diagnostics/checklist.js';
import type { Comparison } from './comparison.js';
import { type Finding, finding } from './item.js';
import type { Member, Tool } from './squad-reading.js';
import { nameOfTool } from './tool-keys.js';
import { canonicalText } from './tools/canonical-text.js';
import { isEqualJson } from './tools/equal-json.js';
import { givenRefusals, wantedRefusals } from './tools/guards.js';

export interface GivenCheck {
  readonly findings: readonly Finding[];
  /** The tools of the squad that are the source's. */
  readonly carried: ReadonlySet<Tool>;
  /** Whether the source itself says how the assistant ends the call. */
  readonly endsCall: boolean;
}

/** A tool that an assistant is to have. */
interface Wanted {
  readonly tool: GivenTool;
  /** The ways on which it is called; null for one that nothing guards. */
  readonly gates: (Condition | null)[];
}

/** By member, by what the tool is; most members have none. */
type WantedTools = readonly (Map<string, Wanted> | undefined)[];

/** Where nothing is to be carried and nothing is. */
export const nothingGiven: GivenCheck = { findings: [], carried: new Set(), endsCall: false };

/** What is said of a tool that is to be there or is there. */
interface Said {
  readonly fault: (text: () => string, source: JsonPointer[], output: JsonPointer) => void;
  readonly assistant: string;
}

/** Looks at all assistants; most workflows have no such tools. */
export function checkGivenTools(comparison: Comparison): (member: Member) => GivenCheck {
  const wanted = listWanted(comparison);
  return (member) => {
    if (wanted[member.index] === undefined && member.toolIds.length === 0) return nothingGiven;
    const all = [...(wanted[member.index]?.values() ?? [])];
    const findings: Finding[] = [];
    const said: Said = {
      assistant: comparison.nameOf(member.index),
      fault: (text, source, output) => void findings.push(finding(false, text, source, [output])),
    };
    checkIds(said, member, all);
    const carried = new Set<Tool>();
    const full = all.filter(({ tool }) => tool.value !== null);
    for (const { tool: given, gates } of full) {
      const found = findTool(member, given.value!.value, carried);
      if (found === null) {
        said.fault(() => ofTools.lacks(said.assistant, given.name), [given.at], member.at);
        continue;
      }
      carried.add(found);
      const before = findings.length;
      checkTool(said, given, gates, found);
      if (findings.length > before) continue;
      const has = () => ofTools.has(said.assistant, given.name);
      findings.push(finding(true, has, [given.at], [found.at]));
    }
    const endsCall = full.some(({ tool }) => typeOf(tool) === 'endCall');
    return { findings, carried, endsCall };
  };
}

/** Nodes that call a tool and that no assistant has. */
export function listLostToolNodes({ graph, owners }: Comparison): WorkflowNode[] {
  return graph.order
    .filter((index) => graph.nodeAt(index).type === 'tool' && owners.of(index).size === 0)
    .map(graph.nodeAt);
}

function listWanted(comparison: Comparison): WantedTools {
  const { graph, owners, squad, edgePassages, globalPassages } = comparison;
  const having: WorkflowNode[] = [];
  for (const index of graph.order) {
    const node = graph.nodeAt(index);
    if (node.tools.length > 0) having.push(node);
  }
  if (having.length === 0) return [];
  const wanted = squad.members.map((): Map<string, Wanted> => new Map());
  const gate = (member: number, node: NodeIndex, condition: Condition | null): void => {
    for (const tool of graph.nodeAt(node).tools) {
      wanted[member]?.get(keyOf(tool))?.gates.push(condition);
    }
  };
  for (const { index, tools, role, global } of having) {
    for (const member of owners.of(index)) {
      for (const tool of tools) {
        const key = keyOf(tool);
        if (!wanted[member]?.has(key)) wanted[member]?.set(key, { tool, gates: [] });
      }
      if (role === 'talk' || index === graph.start) gate(member, index, null);
      else if (global !== null) gate(member, index, global.condition);
    }
  }
  for (const { from, to, condition } of graph.edges) {
    const homes = owners.of(to);
    for (const member of owners.of(from)) if (homes.has(member)) gate(member, to, condition);
  }
  // What another assistant hands over to has been judged there.
  for (const { target, to } of [...edgePassages, ...globalPassages]) {
    if (target !== null) gate(target, to, null);
  }
  return wanted;
}

function keyOf({ value, savedAs }: GivenTool): string {
  return value === null ? `id ${savedAs?.value}` : canonicalText(value.value);
}

function typeOf({ value }: GivenTool): unknown {
  return value?.value['type'];
}

/** Each id once, and no other. */
function checkIds({ fault, assistant }: Said, member: Member, wanted: readonly Wanted[]): void {
  const missing = new Map(
    wanted.flatMap(({ tool }) => (tool.savedAs === null ? [] : [[tool.savedAs.value, tool]])),
  );
  for (const { id, at } of member.toolIds) {
    if (!missing.delete(id)) fault(() => ofTools.leftOver(assistant, id), [], at);
  }
  for (const [id, { at }] of missing) {
    fault(() => ofTools.lacks(assistant, id), [at], member.at);
  }
}

/** The tool that is the wanted one, else that is it but for refusals, else that bears its name. */
function findTool(member: Member, value: JsonObject, taken: ReadonlySet<Tool>): Tool | null {
  const free = member.tools.filter((it) => !taken.has(it) && it.type !== 'handoff');
  const same = free.filter((it) => isEqualJson(withoutPlan(it.value), withoutPlan(value)));
  const isNamesake = (it: Tool) =>
    it.type === value['type'] && nameOfTool(it.value) === nameOfTool(value);
  return (
    same.find((it) => isEqualJson(it.value, value)) ?? same[0] ?? free.find(isNamesake) ?? null
  );
}

function checkTool(
  { fault, assistant }: Said,
  { name, value, at }: GivenTool,
  gates: readonly (Condition | null)[],
  tool: Tool,
): void {
  const want = value!.value;
  const isPlanned = Object.hasOwn(want, 'rejectionPlan');
  const fields = new Set([...Object.keys(want), ...Object.keys(tool.value)]);
  for (const field of fields) {
    if (field === 'rejectionPlan' && !isPlanned) continue;
    const [one, other] = [want[field], tool.value[field]];
    if (one !== undefined && other !== undefined && isEqualJson(one, other)) continue;
    const how = other === undefined ? 'missing' : one === undefined ? 'extra' : 'other';
    fault(() => ofTools.differs(assistant, name, field, how), [at], tool.at);
  }
  if (!isPlanned && givenRefusals(tool.value) !== wantedRefusals(gates)) {
    fault(() => ofTools.guardedOtherwise(assistant, name), [at], tool.at);
  }
}

function withoutPlan({ rejectionPlan: _, ...others }: JsonObject): JsonObject {
  return others;
}
