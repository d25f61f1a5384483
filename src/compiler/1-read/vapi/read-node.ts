/** One node of the platform's dialect: by its type, and for a tool node by the type of its tool. */
import { diagnose } from '../../../diagnostics/diagnose.js';
import { child, type NodeIndex } from '../../ir/ids.js';
import { isJsonObject } from '../../ir/json.js';
import { fromSource, type Traced, traced } from '../../ir/provenance.js';
import { type NodeType, roleOf, type WorkflowNode } from '../../ir/workflow.js';
import { findNearest } from '../../names/nearest.js';
import { has, readBoolean, readString, requireString } from '../fields.js';
import { readCondition } from '../texts.js';
import { takeAssistant } from './assistants.js';
import { takeCaptures } from './captures.js';
import { readTool, savedTool, takeTools } from './given-tools.js';
import { takeModelParts, takeSettings } from './models.js';
import type { NodeId } from './node-ids.js';
import { absorb, type Reading, take, takeInside, takeText } from './reading.js';
import { editorLayout, layoutFields } from './records.js';
import { takeRequest } from './requests.js';
import { takeLine, takeToolLine } from './spoken-lines.js';
import { takeTransfer } from './transfers.js';

/** Types of nodes, as exports and older documents write them, case and separators aside. */
const kinds = {
  conversation: 'conversation',
  say: 'conversation',
  start: 'conversation',
  gather: 'gather',
  apirequest: 'apiRequest',
  tool: 'tool',
  transfer: 'transferCall',
  transfercall: 'transferCall',
  endcall: 'endCall',
  hangup: 'hangup',
  assistant: 'assistant',
} as const;
type Kind = (typeof kinds)[keyof typeof kinds];

/** What tells one type of node from another; the rest all nodes have. */
type Parts = Pick<WorkflowNode, 'type'> &
  Partial<
    Pick<
      WorkflowNode,
      | 'firstMessage'
      | 'systemPrompt'
      | 'captures'
      | 'transfer'
      | 'request'
      | 'tools'
      | 'settings'
      | 'assistant'
    >
  >;

const instructionFields = ['prompt', 'systemPrompt', 'instructions'];

/** Reads a node; null when it has no usable id or type. All its other faults are told as well. */
export function readNode(node: Reading, id: NodeId | null, index: number): WorkflowNode | null {
  const kind = takeKind(node);
  absorb(node, layoutFields, editorLayout);
  take(node, 'isStart');
  const settings = takeSettings(node);
  const global = takeGlobal(node, id?.id ?? '');
  const parts = kind === null ? null : readKind(node, kind, id?.id ?? '');
  if (id === null || parts === null) return null;
  return {
    index: index as NodeIndex,
    id: id.id,
    at: node.at,
    type: parts.type,
    role: roleOf[parts.type],
    name: id.name,
    nameAt: child(node.at, has(node, 'name') ? 'name' : 'id'),
    firstMessage: parts.firstMessage ?? null,
    systemPrompt: parts.systemPrompt ?? null,
    captures: parts.captures ?? [],
    global,
    transfer: parts.transfer ?? null,
    request: parts.request ?? null,
    calls: [],
    tools: parts.tools ?? [],
    settings: parts.settings === undefined ? settings : { ...settings, ...parts.settings },
    assistant: parts.assistant ?? null,
  };
}

function takeKind(node: Reading): Kind | null {
  take(node, 'type');
  const type = requireString(node, 'type', 'a node');
  if (type === null) return null;
  const folded = type.toLowerCase().replaceAll(/[-_\s]/g, '');
  if (Object.hasOwn(kinds, folded)) return kinds[folded as keyof typeof kinds];
  const args = { type, near: findNearest(type, Object.keys(kinds)) };
  node.faults.push(diagnose('shape/unknown-node-type', child(node.at, 'type'), args));
  return null;
}

function readKind(node: Reading, kind: Kind, id: string): Parts | null {
  switch (kind) {
    case 'conversation':
    case 'gather':
      return takeConversation(node, kind);
    case 'apiRequest':
      return { ...takeTalk(node, kind), request: takeRequest(node) };
    case 'transferCall':
      return { ...takeTalk(node, kind), transfer: takeTransfer(node) };
    case 'endCall':
    case 'hangup':
      return takeTalk(node, kind);
    case 'tool':
      return readToolNode(node, id);
    case 'assistant': {
      const parts = takeAssistant(node);
      return parts === null ? null : { type: 'conversation', ...parts };
    }
  }
}

/** A prompt and tools may stand in the model too. */
function takeConversation(node: Reading, type: NodeType): Parts {
  const talk = takeTalk(node, type);
  const own = talk.systemPrompt ?? null;
  const model = takeModelParts(node, own !== null);
  return {
    type,
    firstMessage: talk.firstMessage ?? null,
    systemPrompt: own ?? model.systemPrompt,
    captures: takeCaptures(node),
    tools: [...takeTools(node), ...model.tools],
  };
}

/** What a node says and is told to do. */
function takeTalk(node: Reading, type: NodeType): Parts {
  return {
    type,
    firstMessage: takeLine(node, roleOf[type]),
    systemPrompt: takeText(node, ...instructionFields),
  };
}

/** A node that is a tool does what the tool does. */
function readToolNode(node: Reading, id: string): Parts | null {
  const { tool } = node.value;
  if (!isJsonObject(tool)) return readSavedTool(node, id);
  const talk = takeTalk(node, 'tool');
  const inside = takeInside(node, 'tool')!;
  switch (typeof tool['type'] === 'string' ? tool['type'] : '') {
    case 'apiRequest':
      take(inside, 'type');
      return { ...talk, ...readRequestTool(inside) };
    case 'transferCall':
      return readExit(inside, talk, { type: 'transferCall', transfer: takeTransfer(inside) });
    case 'endCall':
      return readExit(inside, talk, { type: 'endCall' });
    default: {
      for (const field of Object.keys(tool)) take(inside, field);
      const given = readTool(inside, node);
      return given === null ? null : { ...talk, tools: [given] };
    }
  }
}

function readRequestTool(tool: Reading): Parts {
  const toolName = takeToolName(tool);
  return { type: 'apiRequest', request: { ...takeRequest(tool), toolName } };
}

/** A call ends with it, so what the tool says is said before. */
function readExit(tool: Reading, talk: Parts, parts: Parts): Parts {
  take(tool, 'type');
  take(tool, 'name');
  take(tool, 'function');
  return { ...talk, ...parts, firstMessage: talk.firstMessage ?? takeToolLine(tool) };
}

/** A tool that the platform keeps is called by the name of its node. */
function readSavedTool(node: Reading, id: string): Parts | null {
  const field = take(node, 'toolId');
  const toolId = field === null ? null : readString(node, field);
  if (toolId === null) {
    const args = { field: 'tool', of: 'a tool node' };
    node.faults.push(diagnose('shape/missing-field', node.at, args));
    return null;
  }
  const at = child(node.at, 'toolId');
  node.faults.push(diagnose('shape/tool-by-id', at, { id: toolId }));
  return { ...takeTalk(node, 'tool'), tools: [savedTool(toolId, id, at)] };
}

/** What the source calls the tool, beside the node. */
function takeToolName(tool: Reading): Traced<string> | null {
  const declared = takeInside(tool, 'function');
  const holder = declared !== null && take(declared, 'name') !== null ? declared : tool;
  take(tool, 'name');
  const name = readString(holder, 'name');
  return name === null ? null : traced(name, fromSource(child(holder.at, 'name')));
}

/** Whether the node can be entered from anywhere, and when. */
function takeGlobal(node: Reading, id: string): WorkflowNode['global'] {
  const plan = takeInside(node, 'globalNodePlan');
  const [holder, mark, field] =
    plan === null
      ? ([node, 'isGlobal', 'condition'] as const)
      : ([plan, 'enabled', 'enterCondition'] as const);
  take(holder, mark);
  take(holder, field);
  const isGlobal = readBoolean(holder, mark) === true;
  const condition = readCondition(holder, field);
  if (isGlobal) return { condition };
  if (condition !== null) {
    const at = child(holder.at, field);
    holder.faults.push(diagnose('flow/condition-without-global', at, { id }));
  }
  return null;
}
