/** The law of a capture that nothing reads. */
import type { JsonPointer } from '../compiler/ir/ids.js';
import { compileAgain, demandFindings, demandSquad } from './answers-again.js';
import { lonelyNodes, stepsOfMember } from './assistant-steps.js';
import { freshName } from './fresh-name.js';
import { type Ground, type LawOptions, stand, textAt } from './law-ground.js';
import {
  cutAfterCaptures,
  joinPieces,
  joinSections,
  mapPieces,
  type Piece,
  readPieces,
  readSections,
  type Section,
  type Sections,
  withTexts,
  wording,
} from './prompt-sections.js';
import { nodeOf } from './source.js';
import { isExit, isTalk, nth, type SpecWorkflow, wheel } from './spec-workflow.js';
import { assistantAt, destinationsOf, memberCount, ownersOf, promptAt } from './squad-tracks.js';

/**
 * A talk node captures one variable more, which nothing reads. Expected: its step tells to find it
 * out, behind what it told before; where a handoff of its assistant is made "after collecting" what
 * the assistant captures, or "when done" because it captured nothing, the variable is collected,
 * too; one warning about a capture that is not used. No plan changes, nothing else does.
 */
export function captureAdded(workflow: SpecWorkflow, options: LawOptions = {}): void {
  const ground = stand(workflow, options);
  const { tracks, settlement, output } = ground;
  const pieces = readPieces(output, settlement.result.sourceMap);
  const talking = [...lonelyNodes(ground)].filter((node) => isTalk(nodeOf(tracks.source, node)));
  const open = talking.filter((node) => !sharesSentence(ground, ownerOf(ground, node), pieces));
  if (open.length === 0) return;
  const node = wheel(open, options.numbers?.[0] ?? 0);
  const name = freshName('spare', workflow);
  const texts = predictTexts(ground, pieces, node, name);
  const result = compileAgain(withCapture(workflow, node, name), ground, options);
  demandSquad(withTexts(output, texts), result);
  demandFindings(settlement.result, result, ['data/unused-capture']);
}

type Pieces = ReadonlyMap<JsonPointer, readonly Piece[]>;

function withCapture(workflow: SpecWorkflow, index: number, name: string): SpecWorkflow {
  const node = nth(workflow.nodes, index);
  const capture = { name, type: 'string' as const, description: `the ${name}` };
  const extractVariables = [...(node.extractVariables ?? []), capture];
  return { ...workflow, nodes: workflow.nodes.with(index, { ...node, extractVariables }) };
}

/** The texts of the squad that can change, by place. */
function predictTexts(
  ground: Ground,
  pieces: Pieces,
  node: number,
  name: string,
): Map<JsonPointer, string> {
  const { tracks } = ground;
  const owner = ownerOf(ground, node);
  const step = stepsOfMember(ground, owner).indexOf(node);
  const old = sentenceOf(ground, owner, pieces);
  const collected = collecting(namesWith(sectionsAt(ground, owner, pieces), step, name));
  const change = (piece: Piece): Piece =>
    saysWhen(ground, piece, old)
      ? { ...piece, text: replaceSentence(piece.text, old, collected) }
      : piece;
  const texts = new Map<JsonPointer, string>();
  for (let member = 0; member < memberCount(tracks); member += 1) {
    const sections = mapPieces(sectionsAt(ground, member, pieces), change);
    const all = member === owner ? askFor(sections, step, name, node) : sections;
    texts.set(promptAt(tracks, member), joinSections(all));
    for (const at of destinationsOf(tracks, member)) {
      const description = pieces.get(`${at}/description`) ?? [];
      texts.set(`${at}/description`, joinPieces(description.map(change)));
    }
  }
  return texts;
}

/** The sections with one thing more to find out. */
function askFor(sections: Sections, step: number, name: string, node: number): Sections {
  const [before, after] = cutAfterCaptures(nth(sections.steps, step), `/nodes/${node}`);
  const asked = wording(`- find out ${name} (string): the ${name}\n`);
  return { ...sections, steps: sections.steps.with(step, [...before, asked, ...after]) };
}

function ownerOf({ tracks }: Ground, node: number): number {
  return nth(ownersOf(tracks, node), 0);
}

function sectionsAt({ tracks }: Ground, member: number, pieces: Pieces): Sections {
  return readSections(pieces.get(promptAt(tracks, member)) ?? []);
}

/** The names that the steps tell to find out, in order. */
function capturedIn(step: Section): string[] {
  return step.flatMap(({ rule }, index) => (rule === 'type' ? [nth(step, index - 1).text] : []));
}

/** The same with one name more behind those of this step. */
function namesWith({ steps }: Sections, step: number, name: string): string[] {
  const names = (from: number, to: number): string[] => steps.slice(from, to).flatMap(capturedIn);
  return [...names(0, step + 1), name, ...names(step + 1, steps.length)];
}

/** When an assistant is left by a way without condition: after what it collects, or when done. */
function sentenceOf(ground: Ground, member: number, pieces: Pieces): string {
  const names = sectionsAt(ground, member, pieces).steps.flatMap(capturedIn);
  if (names.length > 0) return collecting(names);
  return `when done with ${textAt(ground, `${assistantAt(ground.tracks, member)}/name`)}`;
}

function collecting(names: readonly string[]): string {
  const once = [...new Set(names)];
  const last = once.pop() ?? '';
  return `after collecting ${once.length > 0 ? `${once.join(', ')} and ` : ''}${last}`;
}

/** Whether the piece says when a handoff is made, in these words. */
function saysWhen({ tracks }: Ground, { rule, from, text }: Piece, sentence: string): boolean {
  if (rule !== 'unconditioned-edge') return false;
  const edge = tracks.source.edges.find(({ index }) => from.includes(`/edges/${index}`));
  const leaves = edge !== undefined && isExit(nodeOf(tracks.source, edge.to));
  return !leaves && replaceSentence(text, sentence, '') !== text;
}

/** Also at the beginning of a line, and beside other ways. */
function replaceSentence(text: string, old: string, fresh: string): string {
  const [plain, beside] = [(words: string) => words, (words: string) => `otherwise, ${words}`];
  for (const form of [plain, beside]) {
    if (text === form(old)) return form(fresh);
    if (text === capitalize(form(old))) return capitalize(form(fresh));
  }
  return text;
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Whether another assistant is left in the same words: what leads to a step is said once. */
function sharesSentence(ground: Ground, member: number, pieces: Pieces): boolean {
  const own = sentenceOf(ground, member, pieces);
  const members = Array.from({ length: memberCount(ground.tracks) }, (_, each) => each);
  return members.some((each) => each !== member && sentenceOf(ground, each, pieces) === own);
}
