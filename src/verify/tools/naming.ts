/**
 * Whether tools are called what the source or an answer calls them.
 *
 * A name that the platform does not take, or that another tool of the squad bears, is made
 * otherwise: then any name will do that the prompt calls the tool by.
 */
import type { Member } from '../squad-reading.js';
import { nameOfTool } from '../tool-keys.js';
import type { WantedTool } from '../wanted-tools.js';
import { caseless, isLegal, isWanted } from './names.js';
import type { Pairing } from './pairing.js';
import { findTexts } from './text-search.js';

interface PairedMember extends Pairing {
  readonly member: Member;
}

type IsNamed = (wanted: WantedTool, name: string) => boolean;

export function judgeNames(paired: readonly PairedMember[]): (member: Member) => IsNamed {
  const bearers = listBearers(paired);
  const called = new Map(paired.map((it) => [it.member, listCalled(it)]));
  return (member) => (wanted, name) => {
    const { kind } = wanted;
    if (kind.name === null || isWanted(name, kind.name)) return true;
    if (!member.compiled) return !kind.name.isFixed && name !== '';
    const { form } = kind.name;
    const isTaken =
      form === null || [...(bearers.get(caseless(form)) ?? [])].some((id) => id !== kind.id);
    const isFree = isTaken || form !== kind.name.wanted;
    return isFree && isLegal(name) && called.get(member)?.has(name) === true;
  };
}

/** By name, whatever its case, the tools that bear it. */
function listBearers(paired: readonly PairedMember[]): ReadonlyMap<string, ReadonlySet<string>> {
  const bearers = new Map<string, Set<string>>();
  for (const { wanted, given } of paired.flatMap(({ pairs }) => pairs)) {
    const name = caseless(nameOfTool(given.tool.value));
    const known = bearers.get(name);
    if (known === undefined) bearers.set(name, new Set([wanted.kind.id]));
    else known.add(wanted.kind.id);
  }
  return bearers;
}

/** The names of tools with made names that the prompt calls. */
function listCalled({ member, pairs }: PairedMember): ReadonlySet<string> {
  const made = pairs.flatMap(({ wanted, given }) => {
    const name = nameOfTool(given.tool.value);
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
