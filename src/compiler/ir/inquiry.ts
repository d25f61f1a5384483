/** A question, with what the compiler needs to apply its answer. */
import type { Json, JsonObject } from '../../text/json.js';
import type { EdgeIndex, NodeIndex } from './ids.js';
import { isAliasKey } from './names.js';
import type { Answer } from './options.js';
import type { Question } from './result.js';
import type { Workflow, WorkflowNode } from './workflow.js';

export interface Inquiry {
  readonly question: Question;
  readonly subject: Subject;
  /** Per choice, the only valid values, where a schema alone cannot express them. */
  readonly allowed: Readonly<Record<string, readonly string[]>>;
  /** Why a value that fits the schema is wrong, in words; null if it is not. */
  readonly objection?: ((choice: string, value: Json) => string | null) | undefined;
  /** What a draft assumes until the question is answered. */
  readonly assumed: Answer;
}

export type Subject =
  | { readonly of: 'node'; readonly node: NodeIndex }
  | { readonly of: 'edge'; readonly edge: EdgeIndex }
  | { readonly of: 'start' | 'edges' }
  | { readonly of: 'variable'; readonly name: string; readonly unreached: UnreachedReads }
  | { readonly of: 'nodes'; readonly nodes: readonly NodeIndex[] }
  /** A node that reads variables, null for any; and the nodes that set them. */
  | { readonly of: 'read'; readonly node: NodeIndex | null; readonly from: readonly NodeIndex[] };

/** Reads of a variable that no capture reaches. */
export interface UnreachedReads {
  readonly texts: ReadonlySet<NodeIndex>;
  readonly conditions: ReadonlySet<NodeIndex>;
  readonly globals: ReadonlySet<NodeIndex>;
  readonly globalPrompt: boolean;
}

/** Looks up the answers to questions and returns a decision for each. */
export type Decide = (inquiries: readonly Inquiry[]) => readonly Decision[];

/** What to do about an inquiry; `by` distinguishes an answer from an assumption. */
export interface Decision {
  readonly inquiry: Inquiry;
  readonly choice: string;
  readonly value: Json;
  readonly by: 'answer' | 'assumption';
}

/** The request node with this id, else the first with this name. */
export function findRequest({ nodes }: Workflow, tool: string): WorkflowNode | undefined {
  const requests = nodes.filter((node) => node.request !== null);
  return requests.find(({ id }) => id === tool) ?? requests.find(({ name }) => name === tool);
}

/**
 * Proposes the one reachable request whose response sets all the variables, and says what is wrong
 * with a tool that an answer names.
 */
export function adviseOnTools(workflow: Workflow, reachable: readonly NodeIndex[]) {
  const setters = new Map<string, Set<WorkflowNode>>();
  const sets = ({ request }: WorkflowNode, variables: readonly string[]): boolean =>
    variables.every((name) => request?.responses.some((it) => it.name === name) === true);
  for (const node of reachable.map((index) => workflow.nodes[index]!)) {
    for (const { name } of node.request?.responses ?? []) {
      setters.set(name, (setters.get(name) ?? new Set()).add(node));
    }
  }
  return (variables: readonly string[]) => {
    const candidates = variables.slice(0, 1).flatMap((name) => [...(setters.get(name) ?? [])]);
    const [setter, ...others] = candidates.filter((it) => sets(it, variables));
    const isSole = setter !== undefined && others.length === 0;
    return {
      proposal: isSole ? { choice: 'tool', value: { tool: setter.id } } : null,
      objection: (choice: string, value: Json) => {
        // A name that belongs to no request is that of a tool to be provided.
        const tool = choice === 'tool' ? String((value as JsonObject)['tool']) : null;
        const node = tool === null ? undefined : findRequest(workflow, tool);
        if (node === undefined) {
          const unfit = tool === null ? undefined : variables.find((name) => !isAliasKey(name));
          if (unfit === undefined) return null;
          const form = 'a letter, then at most 39 letters, digits and underscores';
          return `a tool can only set a variable whose name is ${form}, unlike ${JSON.stringify(unfit)}`;
        }
        const id = JSON.stringify(node.id);
        if (!reachable.includes(node.index)) return `no call can reach the request ${id}`;
        if (sets(node, variables)) return null;
        return `the response of the request ${id} does not set ${variables.join(', ')}`;
      },
    };
  };
}
