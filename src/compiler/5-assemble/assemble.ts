/**
 * SquadIr → the document of the target, with its source map.
 *
 * In: the squad and the target. Out: plain JSON in the target's shape, keys in a fixed order, and
 * for every value where it came from. Guarantees: nothing is decided here; what is written was
 * lowered before. What the targets share is in members.ts, tools.ts
 * and handoffs.ts.
 */
import { child, type JsonPointer } from '../ir/ids.js';
import type { JsonObject } from '../ir/json.js';
import type { Settled } from '../ir/options.js';
import type { SourceMapEntry } from '../ir/result.js';
import type { SquadIr } from '../ir/squad-ir.js';
import { assembleForSquad } from './assemble-squad.js';
import { assembleForVapi } from './assemble-vapi.js';
import type { Assembly, Placements } from './tools.js';

export interface Assembled {
  readonly document: JsonObject;
  readonly sourceMap: readonly SourceMapEntry[];
  readonly placements: Placements;
  /** Pointer of the member at a position. */
  readonly memberAt: (index: number) => JsonPointer;
}

export function assemble(squad: SquadIr, options: Settled): Assembled {
  const assembly: Assembly = {
    squad,
    map: [],
    placements: { edges: new Map(), globals: new Map() },
    isSeparate: (assistant) => wantsSeparate(squad, assistant, options),
  };
  const write = options.target === 'vapi' ? assembleForVapi : assembleForSquad;
  const { document, membersAt } = write(assembly);
  return {
    document,
    sourceMap: assembly.map,
    placements: assembly.placements,
    memberAt: (index) => child(membersAt, index),
  };
}

/** One tool per destination, or one tool with several (spec/3, "Guidance on model families"). */
function wantsSeparate(squad: SquadIr, assistant: number, { handoffTools }: Settled): boolean {
  if (handoffTools !== 'auto') return handoffTools === 'separate';
  return squad.assistants[assistant]!.model.value['provider'] === 'openai';
}
