/**
 * Settings that were passed through and that the schema of the target does not know: the target may
 * refuse a whole squad for them. Each is told where it stands in the source or in the options.
 */
import { diagnose } from '../../diagnostics/diagnose.js';
import { faultsOfSquad } from '../../diagnostics/schema-fault.js';
import type { JsonPointer } from '../ir/ids.js';
import type { Target } from '../ir/options.js';
import type { Diagnostic, SourceMapEntry } from '../ir/result.js';
import type { Assembled } from './assemble.js';

export function warnAboutSettings(
  { document, sourceMap }: Assembled,
  target: Target,
): Diagnostic[] {
  const { settings } = faultsOfSquad(document, target);
  if (settings.length === 0) return [];
  const places = findPlaces(new Set(settings.map(({ at }) => at)), sourceMap);
  // What several assistants have from one place is told once.
  const told = new Map<string, Diagnostic>();
  for (const fault of settings) {
    const { at, ...placement } = places.get(fault.at) ?? { at: '' };
    const key = JSON.stringify([placement, at]);
    if (told.has(key)) continue;
    told.set(key, diagnose('check/setting-unknown', at, fault, placement));
  }
  return [...told.values()];
}

interface Place {
  readonly at: JsonPointer;
  readonly in?: 'options';
}

/** By place of the document, where its value comes from; of an object, what its first member tells. */
function findPlaces(outputs: ReadonlySet<JsonPointer>, sourceMap: readonly SourceMapEntry[]) {
  const places = new Map<JsonPointer, Place>();
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
