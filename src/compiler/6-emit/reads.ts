/**
 * What the assistants read, for people: each read once for each assistant, with the places in the
 * squad where its text stands.
 */
import { append } from '../../graph/lists.js';
import type { JsonPointer } from '../ir/ids.js';
import type { Read } from '../ir/result.js';
import type { SquadIr } from '../ir/squad-ir.js';
import type { Text, Use } from '../ir/workflow.js';
import type { Assembled } from './assemble.js';

interface Made {
  readonly squad: SquadIr;
  readonly assembled: Assembled;
  /** By assistant. */
  readonly reads: readonly (readonly (Pick<Read, 'kind' | 'from'> & {
    readonly text: Text;
    readonly use: Use;
  })[])[];
}

export function listReads({ squad, assembled, reads }: Made): Read[] {
  /** By member and place of the source, where that stands in the member. */
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
