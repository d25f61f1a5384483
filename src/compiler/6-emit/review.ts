/**
 * Reports that need the source map: what the assistants read, and settings that the target may
 * reject.
 */
import { diagnose } from '../../diagnostics/diagnose.js';
import { faultsOfSquad } from '../../diagnostics/schema-fault.js';
import { append } from '../../graph/lists.js';
import type { JsonPointer } from '../ir/ids.js';
import type { Target } from '../ir/options.js';
import type { Diagnostic, Read, SourceMapEntry } from '../ir/result.js';
import type { SquadIr } from '../ir/squad-ir.js';
import type { Text, Use } from '../ir/workflow.js';
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

/**
 * Warns about passed-through settings that the target's schema does not know: the target may reject
 * a whole squad because of them. Each is reported at its place in the source or the options.
 */
export function warnAboutSettings(
  { document, sourceMap }: Assembled,
  target: Target,
): Diagnostic[] {
  const { settings } = faultsOfSquad(document, target);
  if (settings.length === 0) return [];
  const places = findPlaces(new Set(settings.map(({ at }) => at)), sourceMap);
  // A setting that several assistants take from one place is reported once.
  const warnings = new Map<string, Diagnostic>();
  for (const fault of settings) {
    const { at, ...placement } = places.get(fault.at) ?? { at: '' };
    const key = JSON.stringify([placement, at]);
    if (warnings.has(key)) continue;
    warnings.set(key, diagnose('check/setting-unknown', at, fault, placement));
  }
  return [...warnings.values()];
}

/** The origin of each place of the document; for an object, that of its first member. */
function findPlaces(outputs: ReadonlySet<JsonPointer>, sourceMap: readonly SourceMapEntry[]) {
  const places = new Map<JsonPointer, { readonly at: JsonPointer; readonly in?: 'options' }>();
  for (const { output, origin } of sourceMap) {
    for (let end = output.length; end > 0; end = output.lastIndexOf('/', end - 1)) {
      const place = output.slice(0, end);
      if (!outputs.has(place) || places.has(place)) continue;
      if (origin.kind === 'source') {
        places.set(place, { at: origin.at.slice(0, origin.at.length - output.length + end) });
      } else if (origin.kind === 'answer' && 'option' in origin) {
        const inside = place.replace(/^.*\/(?:members?Overrides|assistant\/model)(?=\/|$)/, '');
        places.set(place, { at: `/${origin.option}${inside}`, in: 'options' });
      }
    }
  }
  return places;
}
