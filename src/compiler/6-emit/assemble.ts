/**
 * SquadIr → the document of the target, with its source map.
 *
 * In: the squad and the target. Out: plain JSON in the target's shape, keys in a fixed order, and
 * for every value where it came from, found out when somebody asks. Guarantees: nothing is decided
 * here; what is written was lowered before. What the targets share is in members.ts, tools.ts and
 * handoffs.ts.
 */
import type { JsonPointer } from '../ir/ids.js';
import type { JsonObject } from '../ir/json.js';
import { once } from '../ir/once.js';
import type { Settled, Target } from '../ir/options.js';
import type { AssistantIr, SquadIr } from '../ir/squad-ir.js';
import { assembleForSquad } from './assemble-squad.js';
import { assembleForVapi } from './assemble-vapi.js';
import type { Assembly } from './tools.js';
import { createRoot, type Notes, type Place } from './tracing.js';

export interface Assembled {
  readonly document: JsonObject;
  readonly notes: () => Notes;
  /** Pointer of the member at a position. */
  readonly memberAt: (index: number) => JsonPointer;
}

interface Writer {
  readonly membersAt: JsonPointer;
  readonly write: (assembly: Assembly, root: Place) => JsonObject;
}

const writers: Readonly<Record<Target, Writer>> = {
  squad: { membersAt: '/squad/members', write: assembleForSquad },
  vapi: { membersAt: '/members', write: assembleForVapi },
};

export function assemble(squad: SquadIr, options: Settled): Assembled {
  const { membersAt, write } = writers[options.target];
  const assembly: Assembly = {
    squad,
    isSeparate: (assistant) => wantsSeparate(assistant, options),
  };
  const notes = once(() => {
    const root = createRoot();
    write(assembly, root);
    return root.notes;
  });
  return {
    document: write(assembly, null),
    notes,
    memberAt: (index) => `${membersAt}/${index}`,
  };
}

/** One tool per destination, or one tool with several (spec/3, "Guidance on model families"). */
function wantsSeparate({ model }: AssistantIr, { handoffTools }: Settled): boolean {
  if (handoffTools !== 'auto') return handoffTools === 'separate';
  return model.value['provider'] === 'openai';
}
