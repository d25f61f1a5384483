/** What `conserve` finds, as findings; and those of them that nothing else reports. */
import type { Diagnostic, Evidence } from '../compiler/ir/result.js';
import { textsOf } from '../compiler/ir/texts.js';
import type { Workflow } from '../compiler/ir/workflow.js';
import { ofDifferences } from '../diagnostics/checklist.js';
import type { Json } from '../text/json.js';
import type { JsonPointer } from '../text/pointer.js';
import type { Comparison } from './comparison.js';
import { conserve } from './conserve.js';
import { leavesOf, type Reading } from './conserve-fields.js';
import { type Finding, fault } from './finding.js';

/** The workflow as it was given, and what its reader says. */
export interface Raw {
  readonly document: Json;
  readonly found: readonly Diagnostic[];
}

const readOtherwise = /^shape\/(?:misplaced-field|read-as|unusable-model)$/;

/** The fields of tools and of their destinations; any other that is reported has no effect. */
const fields =
  'async|backoffPlan|body|callerId|credentialId|description|destinations|encryptedPaths|extension|function|headers|knowledgeBases|messages?|method|name|number|parameters|rejectionPlan|server\\w*|sip\\w*|timeoutSeconds|transferPlan|type|uri|url|variableExtractionPlan';
const oddField = new RegExp(`/(?:destinations/\\d+|tool)/(?!(?:${fields})$)\\w+$`);

export function listLosses(
  { document, found }: Raw,
  { nodes, edges }: Workflow,
  { document: given, squad: { members }, options, open }: Comparison,
): Finding[] {
  const { answers, model, memberOverrides } = options;
  // Without these answers it is unknown what they replace.
  const unclear = /^(?:undefined-variable|conflicting-settings)$/;
  if (open.some(({ kind }) => unclear.test(kind))) return [];
  const overrides = { ...(model && { model }), ...memberOverrides };
  const isIdle = (code: string, at: string) => code === 'shape/unknown-field' && oddField.test(at);
  const reported = found.flatMap(({ code, at }) =>
    readOtherwise.test(code) || isIdle(code, at) ? at : [],
  );
  const followed = new Set(edges.map((it) => `${nodes[it.from]!.id} → ${nodes[it.to]!.id}`));
  const read = readingOf({ nodes, edges });
  const isUnseen = members.some(({ unseen }) => unseen);
  const isProse = members.some(({ worded }) => !worded);
  const settled = { ...answers, overrides, reported, followed, isProse, read };
  return conserve(document, given, settled).flatMap((loss) => {
    if (loss.in === 'squad') return [fault(ofDifferences.strayTag(loss.value), [], [loss.at])];
    // What is not here may be in an assistant that is not seen.
    return isUnseen ? [] : [fault(ofDifferences.nowhere(loss.value), [loss.at], [])];
  });
}

/** What the reader has found, before any answer. */
function readingOf({ nodes, edges }: Pick<Workflow, 'nodes' | 'edges'>): Reading {
  const captures = nodes.flatMap(({ at, captures: own }) =>
    own.flatMap(({ name, type, description, enum: choices, details, alias }) => {
      if (alias !== undefined) return [];
      const told = { description: description?.value ?? '', choices: [...new Set(choices)] };
      const rest = leavesOf(details?.value ?? null).map(({ path, value }) => `${path} ${value}`);
      return { at: `${at}/output/`, name, type, rest, isInput: false, ...told };
    }),
  );
  const texts = nodes.map((node) => {
    const conditions = [node.global?.condition ?? [], node.loneCondition ?? []].flat();
    return { at: node.at, texts: [...textsOf(node).map(({ value }) => value), ...conditions] };
  });
  const ofEdges = edges.map(({ at, condition }) => ({ at, texts: [condition ?? []].flat() }));
  return { captures, texts: [...texts, ...ofEdges] };
}

/** The losses at places that no fault is about, one for each place. */
export function freshLosses(
  losses: readonly Finding[],
  faults: readonly Pick<Evidence, 'source' | 'output'>[],
): readonly Finding[] {
  const inSource = faults.flatMap(({ source }) => source);
  const inSquad = faults.flatMap(({ output }) => output);
  const isWithin = (one: JsonPointer, other: JsonPointer) =>
    one === other || one.startsWith(`${other}/`);
  const seen = new Set<JsonPointer>();
  return losses.filter(({ source: [from], output: [at] }) => {
    const [place, known] = from === undefined ? [at!, inSquad] : [from, inSource];
    if (seen.size === seen.add(`${known === inSquad} ${place}`).size) return false;
    return !known.some((it) => it !== '' && (isWithin(place, it) || isWithin(it, place)));
  });
}
