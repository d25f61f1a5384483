/**
 * Whether tools are called what the source or an answer calls them.
 *
 * A name that the platform does not take, or that another tool of the squad bears, is made
 * otherwise: then any name will do that the prompt calls the tool by.
 */
import type { GivenCheck } from '../given-tools.js';
import type { Member } from '../squad-reading.js';
import { nameOfTool } from '../tool-keys.js';
import type { Kind, WantedTool } from '../wanted-tools.js';
import { caseless, isLegal, isWanted } from './names.js';
import type { Pairing } from './pairing.js';
import { findTexts } from './text-search.js';

export interface PairedMember extends Pairing {
  readonly member: Member;
  readonly given: Pick<GivenCheck, 'carried'>;
}

type IsNamed = (wanted: WantedTool, name: string) => boolean;

export function judgeNames(paired: readonly PairedMember[]): (pairing: PairedMember) => IsNamed {
  // Few names are made, so what they are held against is put together when the first is met.
  let bearers: ReadonlyMap<string, ReadonlySet<Kind['id']>> | null = null;
  return (pairing) => {
    const { member } = pairing;
    let called: ReadonlySet<string> | null = null;
    return ({ kind }, name) => {
      if (kind.name === null || isWanted(name, kind.name)) return true;
      const { form, wanted, isFixed } = kind.name;
      if (!member.compiled) return !isFixed && name !== '';
      bearers ??= listBearers(paired);
      called ??= listCalled(pairing);
      const others = form === null ? [] : [...(bearers.get(caseless(form)) ?? [])];
      const isMade = form !== wanted || others.some((id) => id !== kind.id);
      return isMade && isLegal(name) && called.has(name);
    };
  };
}

/** By name, whatever its case, the tools that bear it. */
function listBearers(
  paired: readonly PairedMember[],
): ReadonlyMap<string, ReadonlySet<Kind['id']>> {
  const bearers = new Map<string, Set<Kind['id']>>();
  for (const { wanted, tool } of paired.flatMap(({ pairs }) => pairs)) {
    const name = caseless(nameOfTool(tool.value));
    const known = bearers.get(name);
    if (known === undefined) bearers.set(name, new Set([wanted.kind.id]));
    else known.add(wanted.kind.id);
  }
  // A tool that is carried as it is keeps its name, whatever others are called.
  for (const { value } of paired.flatMap(({ given }) => [...given.carried])) {
    const name = caseless(nameOfTool(value));
    bearers.set(name, new Set([...(bearers.get(name) ?? []), `given ${name}`]));
  }
  return bearers;
}

/** The names of tools with made names that the prompt calls. */
function listCalled({ member, pairs }: PairedMember): ReadonlySet<string> {
  const made = pairs.flatMap(({ wanted, tool }) => {
    const name = nameOfTool(tool.value);
    return wanted.kind.name === null || isWanted(name, wanted.kind.name) ? [] : [name];
  });
  const calls = findTexts(
    member.prompt,
    made.flatMap((name) => [`call the tool ${name}\n`, `call the tool ${name}; `]),
  );
  return new Set(
    made.filter(
      (name) => calls.has(`call the tool ${name}\n`) || calls.has(`call the tool ${name}; `),
    ),
  );
}
