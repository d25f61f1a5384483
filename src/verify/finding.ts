/** What checks find: facts, faults and doubts, each with its places. */
import type { Evidence, Verification } from '../compiler/ir/result.js';
import type { JsonPointer } from '../text/pointer.js';

/** A finding: a fact about an item, or a difference between an assistant and the source. */
export interface Finding extends Evidence {
  /** True if it may fail because an answer requested what it forbids. */
  readonly excused?: boolean;
  /** The item that a difference fails; null if only a call shows it. */
  readonly item?: number | null;
  /** What an added setting that is not a difference does. */
  readonly effect?: 'outside' | 'unclear';
  /** True of a doubt that is part of another one. */
  readonly isPart?: boolean;
}

/** What a fact is about: a place, or something with a place. */
type Placed = JsonPointer | { readonly at: JsonPointer };
type Places = readonly Placed[];

/** A fact that is as expected; places of the source, then of the squad. */
export function fact(text: string, source: Places, output: Places): Finding {
  return { holds: true, text, source: source.map(placeOf), output: output.map(placeOf) };
}

/** A fact that the documents do not show. */
export function doubt(text: string, source: Places, output: Places): Finding {
  return { ...fact(text, source, output), holds: false, decided: false };
}

/** A part of what is reported as not seen. */
export function part(text: string, source: Places, output: Places): Finding {
  return { ...doubt(text, source, output), isPart: true };
}

/** A fact that is not; a difference has the item that it fails, or null. */
export function fault(text: string, source: Places, output: Places, item?: number | null): Finding {
  return { ...fact(text, source, output), holds: false, ...(item !== undefined && { item }) };
}

function placeOf(it: Placed): JsonPointer {
  return typeof it === 'string' ? it : it.at;
}

/** What the documents do not show. */
const openCodes: ReadonlySet<string> = new Set([
  ...['check/open-question', 'check/not-decided', 'check/not-seen'],
  ...['check/setting-unknown', 'check/setting-open', 'check/undecided'],
]);

/** Adds the verdict. Anything wrong decides; without it, anything that is not shown. */
export function verdictOf(
  found: Pick<Verification, 'checklist' | 'counterexamples' | 'diagnostics'>,
): Verification {
  const { checklist, diagnostics } = found;
  const fails = diagnostics.some(({ severity }) => severity === 'error');
  const undecided = diagnostics.flatMap(({ code, at, related, in: document, message, help }) => {
    const isInSquad = document === 'squad';
    const place = { at: isInSquad ? [at] : [at, ...related], ...(isInSquad && { in: document }) };
    return openCodes.has(code) ? [{ ...place, text: `${message} ${help}` }] : [];
  });
  const isOpen = undecided.length > 0 || checklist.some(({ decided }) => !decided);
  const verdict = fails ? 'fails' : isOpen ? 'undecided' : 'holds';
  return { verdict, holds: verdict === 'holds', ...found, undecided };
}
