/**
 * Reports that need the source map: what the assistants read, and what the target may reject.
 */
import { diagnose } from '../../diagnostics/diagnose.js';
import { faultInWords, faultsOfSquad } from '../../diagnostics/schema-fault.js';
import { append, groupBy } from '../../graph/lists.js';
import type { SchemaFault } from '../../schemas/validator.generated.js';
import { asObject, type Json, type JsonObject, textOf } from '../../text/json.js';
import { type JsonPointer, pointer } from '../../text/pointer.js';
import type { FlowGraph } from '../ir/flow-graph.js';
import type { Settled } from '../ir/options.js';
import type { Origin } from '../ir/provenance.js';
import type { RegionMap } from '../ir/region-map.js';
import type { Diagnostic, Read } from '../ir/result.js';
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
  for (const { output, origin } of assembled.sourceMap) {
    const [member] = /^.*?\/members\/\d+/.exec(output) ?? [];
    if (origin.kind === 'source') append(places, `${member} ${origin.at}`, output);
  }
  return reads.flatMap((own, at) => {
    const assistant = squad.assistants[at]!.name.value;
    const all = own.map(({ text, use, kind, from }): Read => {
      const outputs = [...new Set(places.get(`${assembled.memberAt(at)} ${text.at}`))];
      return { at: text.at, variable: use.name, kind, assistant, from, outputs };
    });
    const each = groupBy(all, (it) => JSON.stringify([it.at, it.variable, it.kind]));
    return Array.from(each.values(), ([first]) => first!);
  });
}

interface Reviewed {
  readonly assembled: Assembled;
  readonly options: Settled;
  readonly graph: FlowGraph;
  readonly map: RegionMap;
}

type Fault = ReturnType<typeof faultsOfSquad>['shape'][number];
type Place = Pick<Diagnostic, 'at' | 'in'>;

/**
 * The faults that the target's schema finds, at the places that their values come from: a warning
 * for a setting that is passed through, as the target may reject a whole squad because of it, and
 * an error for what else the source, an answer or an option gives, all of which stands in tools.
 * What squadc itself wrote wrongly comes from no such place; the verifier finds it.
 */
export function reviewDocument(reviewed: Reviewed): Diagnostic[] {
  const { document } = reviewed.assembled;
  const { shape, settings } = faultsOfSquad(document, reviewed.options.target);
  const faults = [...shape, ...settings];
  if (faults.length === 0) return [];
  const origins = findOrigins(new Map(faults.map((it) => [it.at, it])), reviewed);
  const equalsOf = findEquals(reviewed);
  // What several assistants take from one place is reported once.
  const found = new Map<string, Diagnostic>();
  for (const it of faults) {
    const { at, ...placement } = origins.get(it.at) ?? { at: '' };
    const key = JSON.stringify([placement, at]);
    if (found.has(key)) continue;
    if (it.isSetting) found.set(key, diagnose('check/setting-unknown', at, it, placement));
    else if (at !== '') {
      const args = describeTool(it.fault, document);
      for (const place of placement.in === undefined ? equalsOf(at) : [at]) {
        const fault = diagnose('lower/refused-tool', place, args, placement);
        found.set(JSON.stringify([placement, place]), fault);
      }
    }
  }
  return [...found.values()];
}

/** The tool with the fault, and the fault in words. */
function describeTool(fault: SchemaFault, document: Json) {
  const [, toolAt = '', instancePath = ''] =
    /^(.*?\/(?:tools|tools:append)\/\d+)(.*)$/.exec(fault.instancePath) ?? [];
  const keys = toolAt.split('/').slice(1);
  const tool = asObject(keys.reduce((whole, key) => (whole as JsonObject)[key]!, document));
  const name = asObject(tool['function'])['name'] ?? tool['name'] ?? tool['type'] ?? '';
  const problem = faultInWords([{ ...fault, instancePath }], undefined, 'it');
  return { tool: textOf(name), problem };
}

/** The places that faulty values come from; for an object, the place of what it contains. */
function findOrigins(faults: ReadonlyMap<JsonPointer, Fault>, { assembled, options }: Reviewed) {
  const { answers = {} } = options.answers;
  const placeOf = (origin: Origin, { at, fault }: Fault, inside: string): Place | null => {
    if (origin.kind === 'synthesized') {
      // A key is carried as it is, and a text that is made from others is as long as they are.
      const isTaken = /^(?:alias-key|static-field)$/.test(origin.rule);
      const [from] = isTaken || fault.keyword === 'maxLength' ? origin.from : [];
      return from === undefined ? null : { at: from };
    }
    if ('option' in origin) {
      const own = at.replace(/^.*\/(?:members?Overrides|assistant\/model)(?=\/|$)/, '');
      return { at: `/${origin.option}${own}`, in: 'options' };
    }
    if ('question' in origin && origin.at === undefined) {
      // What a draft assumes is nobody's fault.
      const isGiven = Object.hasOwn(answers, origin.question);
      return isGiven ? { at: pointer('answers', origin.question), in: 'answers' } : null;
    }
    const from = origin.at!;
    return from.endsWith(inside) ? { at: from.slice(0, from.length - inside.length) } : null;
  };
  const places = new Map<JsonPointer, Place>();
  for (const { output, origin } of assembled.sourceMap) {
    for (let end = output.length; end > 0; end = output.lastIndexOf('/', end - 1)) {
      const fault = faults.get(output.slice(0, end));
      if (fault === undefined || places.has(fault.at)) continue;
      const place = placeOf(origin, fault, output.slice(end));
      if (place !== null) places.set(fault.at, place);
    }
  }
  return places;
}

/** Returns the places of a value: also those in tools and nodes that are written once with its own. */
function findEquals({ graph, map }: Reviewed) {
  const nodes = graph.order.map((it) => graph.workflow.nodes[it]!);
  const ofNodes = groupBy(nodes, ({ index }) => map.representative[index]!);
  const tools = nodes.flatMap((node) => node.tools);
  const ofTools = groupBy(tools, givenToolKey);
  const groups = [...ofNodes.values(), ...ofTools.values()];
  const equals = new Map(groups.flatMap((all) => all.map(({ at }) => [at, all] as const)));
  return (at: JsonPointer): readonly JsonPointer[] => {
    let whole = at;
    while (whole !== '' && !equals.has(whole)) whole = whole.slice(0, whole.lastIndexOf('/'));
    return equals.get(whole)?.map((it) => `${it.at}${at.slice(whole.length)}`) ?? [at];
  };
}
