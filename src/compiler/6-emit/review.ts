/**
 * Reports that need the source map: what the assistants read, and what the target may reject.
 */
import { diagnose, type Placement } from '../../diagnostics/diagnose.js';
import { faultInWords, faultsOfSquad } from '../../diagnostics/schema-fault.js';
import { append } from '../../graph/lists.js';
import type { FlowGraph } from '../ir/flow-graph.js';
import { type JsonPointer, pointer } from '../ir/ids.js';
import { asObject, type Json, type JsonObject, textOf } from '../ir/json.js';
import type { Settled } from '../ir/options.js';
import type { Origin } from '../ir/provenance.js';
import type { RegionMap } from '../ir/region-map.js';
import type { Diagnostic, Question, Read } from '../ir/result.js';
import type { SquadIr } from '../ir/squad-ir.js';
import { givenToolKey, type Text, type Use } from '../ir/workflow.js';
import type { Assembled } from './assemble.js';

interface Emitted {
  readonly squad: SquadIr;
  readonly assembled: Assembled;
  /** By assistant. */
  readonly reads: readonly (readonly (Pick<Read, 'kind' | 'from'> & {
    readonly text: Text;
    readonly use: Use;
  })[])[];
}

/** Each read once for each assistant, with the places in the squad where its text stands. */
export function listReads({ squad, assembled, reads }: Emitted): Read[] {
  /** Where a place of the source stands in a member, by both. */
  const places = new Map<string, JsonPointer[]>();
  const members = new Map(squad.assistants.map((_, at) => [assembled.memberAt(at), at]));
  for (const { output, origin } of assembled.sourceMap) {
    const member = members.get(/^.*?\/members\/\d+/.exec(output)?.[0] ?? '');
    const key = origin.kind === 'source' ? `${member} ${origin.at}` : '';
    if (key !== '' && places.get(key)?.at(-1) !== output) append(places, key, output);
  }
  return reads.flatMap((own, at) => {
    const found = new Map<string, Read>();
    const assistant = squad.assistants[at]!.name.value;
    for (const { text, use, kind, from } of own) {
      const outputs = [...new Set(places.get(`${at} ${text.at}`))];
      const read = { at: text.at, variable: use.name, kind, assistant };
      const key = JSON.stringify(read);
      if (!found.has(key)) found.set(key, { ...read, from, outputs });
    }
    return [...found.values()];
  });
}

interface Reviewed {
  readonly assembled: Assembled;
  readonly options: Settled;
  readonly graph: FlowGraph;
  readonly map: RegionMap;
  readonly dialogue: { readonly open: readonly Question[] };
}

/** A place that a value comes from. */
type Place = Pick<Diagnostic, 'at' | 'in'>;

type Fault = ReturnType<typeof faultsOfSquad>['shape'][number];

/**
 * The faults that the target's schema finds, at the places that their values come from: a warning
 * for a setting that is passed through, as the target may reject a whole squad because of it, and
 * an error for anything else that the source, an answer or an option gives. What squadc itself
 * wrote wrongly has no such place; the verifier finds it.
 */
export function reviewDocument(reviewed: Reviewed): Diagnostic[] {
  const { document } = reviewed.assembled;
  const { shape, settings } = faultsOfSquad(document, reviewed.options.target);
  const faults = [...shape, ...settings];
  if (faults.length === 0) return [];
  const places = findPlaces(new Map(faults.map((it) => [it.at, it])), reviewed);
  // What several assistants take from one place is reported once.
  const found = new Map<string, Diagnostic>();
  for (const it of faults) {
    const place = places.get(it.at);
    if (place === undefined && !it.isSetting) continue;
    const { at: first, ...placement } = place ?? { at: '' };
    const isWhole = it.isSetting || placement.in !== undefined;
    for (const at of isWhole ? [first] : listEqualPlaces(first, reviewed)) {
      const key = JSON.stringify([placement, at]);
      if (!found.has(key)) found.set(key, describeFault(it, at, placement, document));
    }
  }
  return [...found.values()];
}

function describeFault(it: Fault, at: JsonPointer, placement: Placement, document: Json) {
  if (it.isSetting) return diagnose('check/setting-unknown', at, it, placement);
  const [, toolAt, instancePath = ''] =
    /^(.*?\/(?:tools|tools:append)\/\d+)(.*)$/.exec(it.fault.instancePath) ?? [];
  if (toolAt === undefined) return diagnose('lower/refused', at, it, placement);
  const keys = toolAt.split('/').slice(1);
  const tool = asObject(keys.reduce((whole, key) => (whole as JsonObject)[key]!, document));
  const names = [asObject(tool['function'])['name'], tool['name'], tool['type']];
  const name = names.find((known) => typeof known === 'string' && known !== '');
  const problem = faultInWords([{ ...it.fault, instancePath }], undefined, 'it');
  return diagnose('lower/refused-tool', at, { tool: textOf(name ?? ''), problem }, placement);
}

const keyRules: ReadonlySet<string> = new Set(['alias-key', 'static-field']);

/** The places that the faulty values come from; for an object, the place of what it contains. */
function findPlaces(
  faults: ReadonlyMap<JsonPointer, Fault>,
  { assembled, options, dialogue }: Reviewed,
): ReadonlyMap<JsonPointer, Place> {
  const places = new Map<JsonPointer, Place>();
  const { answers = {} } = options.answers;
  const open = new Set(dialogue.open.map(({ id }) => id));
  const placeOf = (origin: Origin, { at, fault }: Fault, output: JsonPointer): Place | null => {
    if (origin.kind === 'synthesized') {
      // A key is carried as it is, and a text that is made from others is as long as they are.
      const isOfSource = keyRules.has(origin.rule) || fault.keyword === 'maxLength';
      const [from] = isOfSource ? origin.from : [];
      return from === undefined ? null : { at: from };
    }
    if ('option' in origin) {
      const inside = at.replace(/^.*\/(?:members?Overrides|assistant\/model)(?=\/|$)/, '');
      return { at: `/${origin.option}${inside}`, in: 'options' };
    }
    if (origin.kind === 'source' || origin.at !== undefined) {
      const inside = output.slice(at.length);
      const isAround = origin.at!.endsWith(inside);
      return isAround ? { at: origin.at!.slice(0, origin.at!.length - inside.length) } : null;
    }
    // What a draft assumes is nobody's fault.
    const { question } = origin;
    if (open.has(question)) return null;
    const isAnswered = Object.hasOwn(answers, question);
    const kind = question.slice(0, question.indexOf(':'));
    const keys = isAnswered ? ['answers', question] : ['policies', kind];
    return { at: pointer(...keys), in: 'answers' };
  };
  for (const { output, origin } of assembled.sourceMap) {
    for (let end = output.length; end > 0; end = output.lastIndexOf('/', end - 1)) {
      const fault = faults.get(output.slice(0, end));
      if (fault === undefined || places.has(fault.at)) continue;
      const place = placeOf(origin, fault, output);
      if (place !== null) places.set(fault.at, place);
    }
  }
  return places;
}

/** The place, and the same place in each tool and node that is written only once with it. */
function listEqualPlaces(at: JsonPointer, { graph, map }: Reviewed): readonly JsonPointer[] {
  const nodes = graph.order.map((it) => graph.workflow.nodes[it]!);
  const listEqual = <T extends { readonly at: JsonPointer }>(
    all: readonly T[],
    keyOf: (it: T) => unknown,
  ) => {
    const own = all.find((it) => at === it.at || at.startsWith(`${it.at}/`));
    if (own === undefined) return null;
    const equal = all.filter((it) => keyOf(it) === keyOf(own));
    return equal.map((it) => `${it.at}${at.slice(own.at.length)}`);
  };
  const tools = nodes.flatMap((node) => node.tools);
  const places = listEqual(tools, givenToolKey);
  return places ?? listEqual(nodes, ({ index }) => map.representative[index]) ?? [at];
}
