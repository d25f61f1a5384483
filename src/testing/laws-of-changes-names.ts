/** The law of renamed nodes: an id is a name and nothing else. */
import type { JsonPointer } from '../compiler/ir/ids.js';
import { compileAgain, demandSquad } from './answers-again.js';
import { freshName } from './fresh-name.js';
import { type Ground, type LawOptions, stand, textAt } from './law-ground.js';
import { joinPieces, type Piece, readPieces, withTexts } from './prompt-sections.js';
import { type SpecNode, type SpecWorkflow, said } from './spec-workflow.js';
import { assistantAt, memberCount, toolsOf } from './squad-tracks.js';

/**
 * All ids are other ones, wherever they stand. Expected: where every node has a name (its own, else
 * the id that it had), the squad of the workflow as it was. Where they have not (target `squad`), the
 * same squad but for the names of assistants and tools that come from ids: those are the new ids,
 * wherever the squad's own words or fields use them.
 */
export function renamingStable(workflow: SpecWorkflow, options: LawOptions = {}): void {
  const ground = stand(workflow, options);
  const ids = freshIds(workflow, options.numbers ?? []);
  const id = (old: string): string => ids.get(old) ?? old;
  const named = {
    ...workflow,
    nodes: workflow.nodes.map((node) => ({ ...node, name: said(node.name) ?? node.id })),
  };
  const renamed = withNames(options, id);
  demandSquad(ground.output, compileAgain(rename(named, id), ground, renamed, { id }));
  if (options.compile?.target === 'vapi' || areAmbiguous(workflow)) return;
  const predicted = withTexts(ground.output, predictTexts(workflow, ground, id));
  const result = compileAgain(rename(workflow, id), ground, renamed, { id });
  demandSquad(predicted, result);
}

/** Each id gets the new name of another one, so that an old id that is left over is noticed. */
function freshIds(
  { nodes, ...rest }: SpecWorkflow,
  numbers: readonly number[],
): Map<string, string> {
  const stem = freshName('renamed', { ...rest, nodes });
  const turned = (index: number): number => (index + (numbers[0] ?? 0)) % nodes.length;
  return new Map(nodes.map(({ id }, index) => [id, `${stem}-${turned(index)}`]));
}

function rename(workflow: SpecWorkflow, id: (old: string) => string): SpecWorkflow {
  return {
    ...workflow,
    nodes: workflow.nodes.map((node) => ({ ...node, id: id(node.id) })),
    edges: workflow.edges.map((edge) => ({ ...edge, from: id(edge.from), to: id(edge.to) })),
  };
}

/** Names that an option gives are given by id. */
function withNames(options: LawOptions, id: (old: string) => string): LawOptions {
  const { names } = options.compile ?? {};
  if (names === undefined) return options;
  const moved = Object.entries(names).map(([old, name]) => [id(old), name]);
  return { ...options, compile: { ...options.compile, names: Object.fromEntries(moved) } };
}

/**
 * Whether an id can be taken for a name or another id: then one of the two is numbered, and which
 * one depends on the id.
 */
function areAmbiguous({ nodes }: SpecWorkflow): boolean {
  const names = nodes.flatMap(({ name }) => said(name) ?? []);
  const ids = nodes.flatMap(({ id, name }) => (said(name) === undefined ? [id] : []));
  const key = (text: string): string =>
    text
      .toLowerCase()
      .replaceAll(/[^a-z0-9-]+/g, '_')
      .replaceAll(/^_+|_+$/g, '');
  const taken = names.map(key);
  const keys = ids.map(key);
  return new Set(keys).size < keys.length || keys.some((each) => taken.includes(each));
}

/** How names of the squad change, by the name as it was. */
interface NameMaps {
  readonly assistants: ReadonlyMap<string, string>;
  readonly tools: ReadonlyMap<string, string>;
}

type Pieces = ReadonlyMap<JsonPointer, readonly Piece[]>;

/** All texts that change, by place. */
function predictTexts(
  workflow: SpecWorkflow,
  ground: Ground,
  id: (old: string) => string,
): Map<JsonPointer, string> {
  const { output, settlement } = ground;
  const pieces = readPieces(output, settlement.result.sourceMap);
  const maps = readNameMaps(workflow, ground, pieces, id);
  const texts = new Map<JsonPointer, string>();
  for (const [at, parts] of pieces) {
    const own = nameAt(at, joinPieces(parts), maps);
    const text = own ?? joinPieces(parts.map((piece) => reword(piece, workflow, maps, id)));
    texts.set(at, text);
  }
  return texts;
}

function readNameMaps(
  { nodes }: SpecWorkflow,
  ground: Ground,
  pieces: Pieces,
  id: (old: string) => string,
): NameMaps {
  const { tracks } = ground;
  const fresh = (at: JsonPointer): [string, string] => {
    const [from = ''] = pieces.get(at)?.[0]?.from ?? [];
    const [, node] = /^\/nodes\/(\d+)\/id$/.exec(from) ?? [];
    const old = textAt(ground, at);
    return [old, node === undefined ? old : id(nodes[Number(node)]?.id ?? '')];
  };
  const members = Array.from({ length: memberCount(tracks) }, (_, member) => member);
  const tools = members.flatMap((member) => toolsOf(tracks, member, 'apiRequest'));
  return {
    assistants: new Map(members.map((member) => fresh(`${assistantAt(tracks, member)}/name`))),
    tools: new Map(tools.map((at) => fresh(`${at}/name`))),
  };
}

/** What a field that holds a name holds now; null for all other fields. */
function nameAt(at: JsonPointer, text: string, { assistants, tools }: NameMaps): string | null {
  if (/\/(?:assistant\/name|assistantName)$/.test(at)) return assistants.get(text) ?? text;
  return /\/tools\/\d+\/name$/.test(at) ? (tools.get(text) ?? text) : null;
}

/** The compiler's own words with other names; what is quoted stays. */
function reword(
  piece: Piece,
  { nodes }: SpecWorkflow,
  { assistants, tools }: NameMaps,
  id: (old: string) => string,
): Piece {
  const { rule, text, from } = piece;
  const named =
    (names: ReadonlyMap<string, string>) =>
    (_: string, before: string, name: string): string =>
      before + (names.get(name) ?? name);
  switch (rule) {
    case 'wording': {
      const called = text
        .replace(/(You are the assistant ")(.*)(?=" of a phone call\. Work)/, named(assistants))
        .replaceAll(/(, hand off to ")(.*)(?="\n)/g, named(assistants))
        .replaceAll(/(- call the tool )(.*)(?=\n)/g, named(tools))
        .replaceAll(/(first call the tool )(.*)(?=; )/g, named(tools));
      return { ...piece, text: called };
    }
    case 'unconditioned-edge':
      return { ...piece, text: text.replace(/^(.*when done with )(.*)$/is, named(assistants)) };
    case 'global-without-condition': {
      const node: SpecNode | undefined = nodes[Number(/^\/nodes\/(\d+)$/.exec(from[0] ?? '')?.[1])];
      const called = node && said(node.name) === undefined ? id(node.id) : null;
      const renamed = (_: string, before: string, name: string): string =>
        before + (assistants.get(name) ?? called ?? name);
      return { ...piece, text: text.replace(/^(when the caller needs )(.*)$/is, renamed) };
    }
    default:
      return piece;
  }
}
