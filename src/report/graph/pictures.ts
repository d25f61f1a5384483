/** The two pictures of a compiled workflow, side by side, and which of their shapes belong together. */
import { append } from '../../graph/lists.js';
import type { Json, LedgerEntry } from '../../index.js';
import type { ResultFile } from '../model.js';
import { memberIndex, ownerOf } from '../places.js';
import { viewSquad } from '../squad-view.js';
import { condense } from './condense.js';
import type { Picture, PictureNode } from './picture.js';
import { renderSvg } from './render-svg.js';
import { endEdgeId, endId, squadPicture } from './squad-picture.js';
import { workflowPicture } from './workflow-picture.js';

type Facts = Pick<ResultFile, 'workflow' | 'ledger' | 'answers'>;

export interface Both<Drawn> {
  readonly workflow: Drawn;
  readonly squad: Drawn;
}

/** SVG elements for a page; empty if there is nothing to draw. */
export function drawPictures(result: Facts, document: Json): Both<string> {
  const { workflow, squad } = picturesOf(result, document);
  const left = workflow && condense(workflow);
  const right = squad && condense(squad);
  const links = new Map<string, Set<string>>();
  const shown = (id: string) => left?.standsFor.get(id) ?? right?.standsFor.get(id) ?? id;
  const link = (from: string, to: string) => {
    links.set(from, (links.get(from) ?? new Set()).add(to));
  };
  for (const [source, output] of linkedIn(workflow, squad, result.ledger)) {
    link(shown(source), shown(output));
    link(shown(output), shown(source));
  }
  return {
    workflow: left === null ? '' : renderSvg(left.picture, links),
    squad: right === null ? '' : renderSvg(right.picture, links),
  };
}

/** Null if there is nothing to draw: the workflow is invalid, or there is no squad. */
export function picturesOf(
  { workflow, ledger, answers }: Facts,
  squad: Json,
): Both<Picture | null> {
  const assistants = viewSquad(squad)?.members.map(({ name }) => name) ?? [];
  const start = answers['ambiguous-start:workflow']?.value;
  const drawn = workflowPicture(workflow, ledger, assistants, start);
  const ends = new Set(drawn?.nodes.filter(endsCall).map(({ id }) => id));
  const entries = ledger.filter(({ kind, at }) => kind === 'node' && ends.has(at));
  const endings = new Set(entries.flatMap(({ outputs }) => outputs.map(memberIndex)));
  const isKnown = drawn !== null && ledger.length > 0;
  return { workflow: drawn, squad: squadPicture(squad, isKnown ? endings : null) };
}

function endsCall({ caption }: PictureNode): boolean {
  return caption === 'endCall' || caption === 'hangup';
}

/** Pairs of ids: a shape of the workflow and a shape of the squad that the ledger says it became. */
function linkedIn(
  workflow: Picture | null,
  squad: Picture | null,
  ledger: readonly LedgerEntry[],
): readonly (readonly [source: string, output: string])[] {
  if (workflow === null || squad === null) return [];
  const [source, output] = [shapesOf(workflow), shapesOf(squad)];
  const isMember = (id: string) => output.nodes.get(id)?.kind === 'talk';
  return ledger.flatMap(({ at, outputs }) => {
    const found = outputs.flatMap((place) => output.at.get(ownerOf(place, output.at) ?? '') ?? []);
    const leaves = found.filter((id) => !isMember(id));
    const node = source.nodes.get(at);
    if (node !== undefined) {
      const ids = endsCall(node) ? outputs.map(endId) : node.kind === 'exit' ? [] : outputs;
      return ids.filter((id) => output.nodes.has(id)).map((id) => [at, id] as const);
    }
    const target = source.nodes.get(source.edges.get(at)?.to ?? '');
    if (target !== undefined) {
      const became = found.map((id) =>
        isMember(id) && endsCall(target) && output.edges.has(endEdgeId(id)) ? endEdgeId(id) : id,
      );
      // A transfer belongs to the tools that its edges became.
      const tools = target.kind === 'exit' ? leaves : [];
      return [
        ...became.map((id) => [at, id] as const),
        ...tools.map((id) => [target.id, id] as const),
      ];
    }
    // Of the texts, those that lead somewhere: the condition of a global node, a transfer.
    const steps = (source.at.get(ownerOf(at, source.at) ?? '') ?? []).filter((id) => {
      const from = source.nodes.get(source.edges.get(id)?.from ?? '');
      return from?.kind === 'anywhere' || source.nodes.get(id)?.kind === 'exit';
    });
    return steps.flatMap((step) => leaves.map((leaf) => [step, leaf] as const));
  });
}

/** The nodes and edges of a picture by id, and their ids by place. */
function shapesOf({ nodes, edges }: Picture) {
  const at = new Map<string, string[]>();
  for (const { id, pointers } of [...nodes, ...edges]) {
    for (const pointer of pointers) append(at, pointer, id);
  }
  return {
    nodes: new Map(nodes.map((node) => [node.id, node])),
    edges: new Map(edges.map((edge) => [edge.id, edge])),
    at,
  };
}
