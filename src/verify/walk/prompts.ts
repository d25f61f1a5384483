/**
 * What a prompt says besides its steps: the sentences of its opening, the tools that it calls, and
 * whatever no form of the wording can be.
 */
import {
  plain,
  type ReadBranch,
  type ReadEntry,
  type ReadPrompt,
  type ReadStep,
  toolFor,
} from '../../call/prompt.js';
import type { Destination, Squad } from '../../call/squad.js';
import type { Reading } from '../../call/vocabulary.js';
import { nodeInPrompt } from '../../compiler/ir/names.js';
import { announced, enumerate, sentences, silences } from '../../compiler/ir/wording.js';
import type { ToolCall, WorkflowNode } from '../../compiler/ir/workflow.js';
import { ofDifferences } from '../../diagnostics/checklist.js';
import { groupBy } from '../../graph/lists.js';
import { isExpression, type SourceGraph } from '../expected/source.js';
import { type Finding, fault } from '../finding.js';
import type { Move, Pair } from './find.js';
import type { Read } from './reads.js';
import { compareLists, type Report, spellBranch } from './step.js';

/** The names of a member's tools: that of a request or tool node, or of a call. */
export type CallNames = (member: number, tool: WorkflowNode | ToolCall) => readonly string[];

interface Opened {
  readonly graph: SourceGraph;
  readonly squad: Squad;
  readonly readings: readonly (Reading & { readonly strange: readonly string[] })[];
  readonly pairs: readonly Pair[];
  readonly reads: readonly Read[];
}

/** The sentences of an opening. */
const spoken = { ...sentences, ...silences };

export function checkOpenings({ graph, squad, readings, pairs, reads }: Opened): Finding[] {
  const { members } = squad;
  const handing = new Set(squad.destinations.map(({ member }) => member));
  const { globalPrompt } = graph.workflow;
  const readsOf = groupBy(reads, ({ spot }) => spot.member);
  const visited = new Set(pairs.map(({ member }) => member));
  const begins = pairs[0]?.member ?? 0;
  /** Entries stand in walk order; those of one step by how a call comes there. */
  const ranks = new Map<ReadStep, number>();
  for (const { step, node } of pairs) {
    const rank = graph.rank[node]!;
    if (step !== null) ranks.set(step, Math.min(ranks.get(step) ?? rank, rank));
  }
  const rankOf = ({ steps }: ReadPrompt, { step, isStart, when }: ReadEntry): number => {
    const kind = isStart ? 0 : when === null ? 1 : 2;
    return (ranks.get(steps[step - 1]!) ?? 0) + kind / 3;
  };
  return readings.flatMap(({ prompt, member, strange }): Finding[] => {
    const { index, called, promptAt, messages, firstMessage, tools, toolIds } = member;
    if (prompt === null || !visited.has(index)) return [];
    const note = (text: string, item: number | null = null) => fault(text, [], [promptAt], item);
    const lost = (words: string) => note(ofDifferences.lineLost(called, words));
    const extra = (words: string) => note(ofDifferences.unaccounted(called, words));
    const moved = (words: string) => note(ofDifferences.lineMoved(called, words));
    const own = readsOf.get(index) ?? [];
    const isToken = ({ text, kind }: Read) =>
      text.value.includes('{{') && (isExpression(text) || kind === 'told');
    const isOnly = members.length === 1;
    const isNumbered =
      prompt.steps.length > 1 || prompt.entries.length > 0 || refersToSteps(prompt);
    const hasFunctions = tools.length + toolIds.length > 0 || handing.has(index);
    const about = hasFunctions && isNumbered ? 'both' : hasFunctions ? 'functions' : 'numbers';
    const wanted: readonly (keyof typeof spoken | false)[] = [
      !isOnly && index !== begins && 'takesOver',
      !isOnly && index === begins && 'handsOver',
      Boolean(firstMessage) && 'spoken',
      prompt.steps.length > 1 && 'steps',
      own.some(isToken) && 'tokens',
      (hasFunctions || isNumbered) && about,
    ];
    const expected = wanted.filter((it) => it !== false);
    const lacking = expected.filter((it) => !prompt.sentences.includes(it));
    const beyond = prompt.sentences.filter((it) => !expected.some((each) => each === it));
    const isMoved = lacking.length + beyond.length === 0 && `${prompt.sentences}` !== `${expected}`;
    const isShown = ({ kind, text }: Read) => /^(?:told|filled)$/.test(kind) || isExpression(text);
    const shown = new Set(own.filter(isShown).map(({ use }) => use.name));
    const late = prompt.entries.filter((it, at) => {
      const next = prompt.entries[at + 1];
      return next !== undefined && rankOf(prompt, it) > rankOf(prompt, next);
    });
    const kinds = Object.entries(announced).flatMap(([kind, it]) =>
      tools.some(({ type }) => type === kind) ? it : [],
    );
    const announces = enumerate(kinds, 'or');
    const announcement = (what: string) =>
      `When you announce ${what}, call its function in the same turn.`;
    const isAnnounced = (prompt.announces ?? '') === announces;
    const greets = prompt.entries.length > 0 ? firstMessage : null;
    const words = prompt.globalPrompt === null && globalPrompt ? plain(globalPrompt) : '';
    return [
      ...(words.trim() === '' ? [] : [note(ofDifferences.textLost(called, words))]),
      ...(greets ? [note(ofDifferences.greetsEverybody(called, greets))] : []),
      ...(messages.length === 1 ? [] : [note(ofDifferences.severalMessages(called))]),
      ...lacking.map((it) => lost(spoken[it])),
      ...beyond.map((it) => extra(spoken[it as keyof typeof spoken])),
      ...(isMoved ? [moved(spoken[expected[0]!])] : []),
      ...prompt.known.filter((it) => !shown.has(it)).map((it) => extra(`Known on entry: ${it}`)),
      ...late.map(({ step }) => moved(`begin at step ${step}`)),
      ...prompt.steps.flatMap((it, at) => (it.isHeadless ? lost(`Step ${at + 1}`) : [])),
      ...(isAnnounced || announces === '' ? [] : [lost(announcement(announces))]),
      ...(isAnnounced || announces !== '' ? [] : [extra(announcement(prompt.announces!))]),
      ...(isNumbered === prompt.isNumbered ? [] : [(isNumbered ? lost : extra)('Step 1')]),
      ...strange.map((it) => ({ ...extra(it), item: it.includes('end the call') ? 6 : null })),
    ];
  });
}

function refersToSteps({ steps, anyTime }: ReadPrompt): boolean {
  const isInner = ({ action }: ReadBranch) => action.kind === 'go';
  return anyTime.some(isInner) || steps.some(({ branches }) => branches.some(isInner));
}

interface Calling {
  readonly graph: SourceGraph;
  readonly squad: Squad;
  readonly readings: readonly Reading[];
  readonly pairs: readonly Pair[];
  readonly names: CallNames;
  readonly destinationOf: (move: Move) => Destination | null;
}

/** Compares the tools that steps and branches call. */
export function compareCalls(calling: Calling): Finding[] {
  const { graph, squad, readings, pairs, names, destinationOf } = calling;
  return pairs.flatMap(({ member, node: index, step, moves }): Finding[] => {
    const { called, promptAt, tools } = squad.members[member]!;
    const { prompt } = readings[member]!;
    if (prompt === null) return [];
    const node = graph.nodeAt(index);
    const findings: Finding[] = [];
    const note: Report['note'] = (text, source, item = null) => {
      findings.push(fault(text, source, [promptAt], item));
    };
    if (step !== null) {
      const isAct = node.role === 'act';
      const own = isAct ? names(member, node) : [];
      const isUnnamed = isAct && node.tools.length > 0 && own.length === 0;
      const asked = node.calls.filter(({ moment }) => moment === 'captured');
      const spell = (it: string) => `- Call ${it}.`;
      const wanted = [
        ...(isUnnamed ? [toolFor(nodeInPrompt(node))] : own),
        ...asked.flatMap((call) => names(member, call)),
      ].map((it) => ({ words: spell(it), at: node.at }));
      compareLists(wanted, step.calls.map(spell), node.at, { called, note }, [5, 5]);
    }
    for (const move of moves) {
      const { branch, condition } = move;
      if (branch === null) continue;
      const needed = condition?.call ? (names(member, condition.call)[0] ?? '') : null;
      const isExtract = condition?.routing === 'extract' && condition.call === null;
      const know = isExtract ? [...new Set(condition.uses.map((use) => use.name))] : [];
      const isDemand = branch.call === needed && branch.know.join() === know.join();
      const made = destinationOf(move);
      const { action } = branch;
      const isMade =
        action.kind !== 'hand-off' ||
        made === null ||
        made.leadsTo !== move.to?.member ||
        ([null, made.tool?.name].includes(action.by) && [null, made.target].includes(action.to));
      const ending = tools.find(({ type }) => type === 'endCall')?.name || 'endCall';
      const end = squad.shape.hasFunctions ? ending : null;
      const isEnd = action.kind !== 'end' || action.tool === end;
      const isShared =
        made?.tool != null && (made.tool.value['destinations'] as readonly unknown[]).length > 1;
      const isNamed =
        action.kind !== 'hand-off' || action.by === null || (action.to !== null) === isShared;
      if (isDemand && isMade && isEnd && isNamed) continue;
      const at = condition ?? move.edge ?? graph.nodeAt(move.node);
      note(ofDifferences.lineLost(called, spellBranch(move)), [at], action.kind === 'end' ? 6 : 3);
    }
    return findings;
  });
}
