/**
 * Squad → picture: members as nodes, destinations of handoffs as edges, and for each member small
 * nodes for its transfers and for the end of the call. A handoff to a member that is not there says
 * so. What every assistant has, as a global node gives it to all others, is drawn once.
 */
import { append } from '../../graph/lists.js';
import type { Json } from '../../index.js';
import { type DestinationView, type MemberView, viewSquad } from '../squad-view.js';
import { anywhereNode, type Picture, type PictureEdge, type PictureNode } from './picture.js';

/** `endings`: members in which a call can end; null where only their words tell. */
export function squadPicture(
  squad: Json,
  endings: ReadonlySet<number> | null = null,
): Picture | null {
  const view = viewSquad(squad);
  if (view === null) return null;
  const nodes: PictureNode[] = [];
  const edges: PictureEdge[] = [];
  for (const member of view.members) {
    const { index, at, name, savedAs, destinations, endAt } = member;
    nodes.push({
      id: at,
      label: name,
      caption: savedAs === null ? 'assistant' : 'saved assistant',
      kind: 'talk',
      isStart: index === 0,
      isGlobal: false,
      groups: [index],
      pointers: [at],
    });
    for (const destination of destinations) {
      const target = destination.member === null ? null : view.members[destination.member]!.at;
      const leaf = target === null ? leafOf(member, destination) : null;
      if (leaf !== null) nodes.push(leaf);
      const pointers = leaf?.pointers ?? [destination.at];
      const to = target ?? leaf!.id;
      edges.push({ id: destination.at, from: at, to, label: destination.description, pointers });
    }
    if (endings?.has(index) ?? maySayEnd(member)) {
      const end = exitNode(index, endId(at), 'end of call', '', endAt === null ? [] : [endAt]);
      nodes.push(end);
      edges.push({ id: endEdgeId(at), from: at, to: end.id, label: '', pointers: [] });
    }
  }
  const groups = view.members.map(({ name }) => name);
  return foldEverywhere({ title: view.name, subject: 'squad', nodes, edges, groups });
}

/** Where a call leaves the squad. The tool is a place of a transfer too: its one destination is noted there. */
function leafOf({ index }: MemberView, destination: DestinationView): PictureNode {
  const { kind, at, tool, to, type } = destination;
  if (kind === 'transfer') {
    return exitNode(index, `${at}#to`, to ?? 'transfer', 'transfer', [at, tool]);
  }
  const elsewhere = type === 'assistant' || type === '' ? 'not in this squad' : type;
  return exitNode(index, `${at}#to`, to ?? 'handoff', elsewhere, [at]);
}

function exitNode(
  group: number,
  id: string,
  label: string,
  caption: string,
  pointers: readonly string[],
): PictureNode {
  const isNo = { isStart: false, isGlobal: false };
  return { id, label, caption, kind: 'exit', ...isNo, groups: [group], pointers };
}

/** The id of the node at which the calls of a member end. */
export function endId(member: string): string {
  return `${member}#end`;
}

export function endEdgeId(member: string): string {
  return `${member}#ends`;
}

/** The tool that ends calls, or the words by which the prompt says that one can end. */
function maySayEnd({ endAt, texts }: MemberView): boolean {
  const says = ({ kind, text }: MemberView['texts'][number]) =>
    kind === 'prompt' && /\bend the call\b/i.test(text);
  return endAt !== null || texts.some(says);
}

/** Fewer than these are drawn one by one. */
const fewest = 3;

/**
 * Destinations for the same reason to the same place come from `any assistant` where all members
 * have them, those aside that lie at its end or have another way there.
 */
function foldEverywhere(picture: Picture): Picture {
  const byId = new Map(picture.nodes.map((node) => [node.id, node]));
  const members = picture.nodes.filter(({ kind }) => kind === 'talk');
  const alike = new Map<string, PictureEdge[]>();
  const sourcesOf = new Map<string, Set<string>>();
  for (const edge of picture.edges) {
    const { id, kind, label, caption } = byId.get(edge.to)!;
    sourcesOf.set(id, (sourcesOf.get(id) ?? new Set()).add(edge.from));
    if (edge.label === '') continue;
    // Transfers of several members lead to the same place.
    const place = kind === 'exit' ? [label, caption] : [id];
    append(alike, JSON.stringify([place, edge.label]), edge);
  }
  const anywhere = anywhereNode('any assistant');
  const gone = new Set<string>();
  const shared: PictureEdge[] = [];
  const targets = new Map<string, PictureNode>();
  for (const edges of alike.values()) {
    const sources = new Set(edges.map(({ from }) => from));
    const [{ id, to }] = edges as [PictureEdge];
    const isSpared = (member: string) => member === to || sourcesOf.get(to)!.has(member);
    const isEverywhere = members.every((each) => sources.has(each.id) || isSpared(each.id));
    if (sources.size < fewest || !isEverywhere) continue;
    const ends = edges.map((edge) => byId.get(edge.to)!);
    const all = ends[0]!.kind === 'exit' ? ends : [ends[0]!];
    for (const edge of edges) gone.add(edge.id);
    for (const end of all.slice(1)) gone.add(end.id);
    targets.set(to, {
      ...all[0]!,
      groups: all.flatMap(({ groups }) => groups),
      pointers: [...new Set(all.flatMap(({ pointers }) => pointers))],
      isGlobal: true,
    });
    const pointers = edges.flatMap((edge) => edge.pointers);
    shared.push({ ...edges[0]!, id: `${id}${anywhere.id}`, from: anywhere.id, pointers });
  }
  if (shared.length === 0) return picture;
  const nodes = picture.nodes.filter(({ id }) => !gone.has(id));
  return {
    ...picture,
    nodes: [...nodes.map((node) => targets.get(node.id) ?? node), anywhere],
    edges: [...picture.edges.filter(({ id }) => !gone.has(id)), ...shared],
  };
}
