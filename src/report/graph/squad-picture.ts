/**
 * Squad → picture: members, their handoffs, and for each member small nodes for its transfers and
 * for the end of the call. What all assistants can do alike (a global node) is drawn once.
 */
import { groupBy } from '../../graph/lists.js';
import type { Json } from '../../index.js';
import { type DestinationView, type MemberView, viewSquad } from '../squad-view.js';
import {
  anywhereNode,
  type Picture,
  type PictureEdge,
  type PictureNode,
  pictureNode,
} from './picture.js';

/**
 * Null if the document is no squad. `endings` are the members in which a call can end; without them
 * the tools and the prompts tell.
 */
export function squadPicture(
  squad: Json,
  endings: ReadonlySet<number | null> | null = null,
): Picture | null {
  const view = viewSquad(squad);
  if (view === null) return null;
  const nodes: PictureNode[] = [];
  const edges: PictureEdge[] = [];
  for (const member of view.members) {
    const { index, at, name, savedAs, destinations } = member;
    const caption = savedAs === null ? 'assistant' : 'saved assistant';
    const own = { groups: [index], pointers: [at] };
    nodes.push(
      pictureNode({ id: at, label: name, caption, kind: 'talk', isStart: index === 0, ...own }),
    );
    for (const destination of destinations) {
      const { member: target, description: label } = destination;
      const leaf = target === null ? leafOf(index, destination) : null;
      if (leaf !== null) nodes.push(leaf);
      const to = leaf?.id ?? view.members[target!]!.at;
      const pointers = leaf?.pointers ?? [destination.at];
      edges.push({ id: destination.at, from: at, to, label, pointers });
    }
    if (endings?.has(index) ?? mayEnd(member)) {
      const id = endId(at);
      nodes.push(pictureNode({ id, label: 'end of call', kind: 'exit', groups: [index] }));
      edges.push({ id: endEdgeId(at), from: at, to: id, label: '', pointers: [] });
    }
  }
  const groups = view.members.map(({ name }) => name);
  return foldAlike({ title: view.name, subject: 'squad', nodes, edges, groups });
}

/** Where a call leaves the squad: a transfer, or a handoff to an assistant that is not in it. */
function leafOf(group: number, destination: DestinationView): PictureNode {
  const { kind, at, tool, to, type } = destination;
  const isTransfer = kind === 'transfer';
  const elsewhere = type === 'assistant' || type === '' ? 'not in this squad' : type;
  return pictureNode({
    id: `${at}#to`,
    label: to ?? kind,
    caption: isTransfer ? 'transfer' : elsewhere,
    kind: 'exit',
    groups: [group],
    pointers: isTransfer ? [at, tool] : [at],
  });
}

/** The id of the node at which the calls of a member end. */
export function endId(member: string): string {
  return `${member}#end`;
}

export function endEdgeId(member: string): string {
  return `${member}#ends`;
}

function mayEnd({ hasEndTool, texts }: MemberView): boolean {
  const prompts = texts.filter(({ kind }) => kind === 'prompt');
  return hasEndTool || prompts.some(({ text }) => /\bend the call\b/i.test(text));
}

/** Fewer edges than this are drawn one by one. */
const fewest = 3;

/**
 * Edges with the same label to the same place come from `any assistant` if every member has one;
 * the member at the place itself, and members that lead there for another reason, need none.
 */
function foldAlike(picture: Picture): Picture {
  const byId = new Map(picture.nodes.map((node) => [node.id, node]));
  const members = picture.nodes.filter(({ kind }) => kind === 'talk');
  const leading = groupBy(picture.edges, ({ to }) => to);
  const named = picture.edges.filter(({ label }) => label !== '');
  const alike = groupBy(named, (edge) => {
    const { id, kind, label, caption } = byId.get(edge.to)!;
    // Each member has a node of its own for the same transfer.
    return JSON.stringify([kind === 'exit' ? [label, caption] : id, edge.label]);
  });
  const folded = [...alike.values()].filter((edges) => {
    const { to } = edges[0]!;
    const own = new Set(edges.map(({ from }) => from));
    const all = new Set([to, ...own, ...leading.get(to)!.map(({ from }) => from)]);
    return own.size >= fewest && members.every(({ id }) => all.has(id));
  });
  if (folded.length === 0) return picture;
  const anywhere = anywhereNode('any assistant');
  const nodes = new Map(byId);
  const shared = folded.map((edges): PictureEdge => {
    const ends = [...new Set(edges.map(({ to }) => byId.get(to)!))];
    const [end] = ends as [PictureNode];
    for (const { id } of ends.slice(1)) nodes.delete(id);
    nodes.set(end.id, {
      ...end,
      isGlobal: true,
      groups: ends.flatMap(({ groups }) => groups),
      pointers: [...new Set(ends.flatMap(({ pointers }) => pointers))],
    });
    const [first] = edges as [PictureEdge];
    const pointers = edges.flatMap((edge) => edge.pointers);
    return { ...first, id: `${first.id}${anywhere.id}`, from: anywhere.id, pointers };
  });
  const gone = new Set(folded.flat());
  return {
    ...picture,
    nodes: [...nodes.values(), anywhere],
    edges: [...picture.edges.filter((edge) => !gone.has(edge)), ...shared],
  };
}
