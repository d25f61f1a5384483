/** What the check has to say: the items that fail, the calls that differ, what it could not see. */

import type { NodeIndex } from '../compiler/ir/ids.js';
import { withLazy } from '../compiler/ir/lazy.js';
import type { Diagnostic } from '../compiler/ir/result.js';
import { diagnose } from '../diagnostics/diagnose.js';
import { callTo } from './call.js';
import type { Comparison } from './comparison.js';
import type { Judgement } from './item.js';
import { itemOf } from './open-questions.js';
import { findSettingFaults } from './settings.js';

export function listFaults(
  comparison: Comparison,
  judgements: readonly Judgement[],
  aboutAnswers: readonly Diagnostic[],
): Diagnostic[] {
  return [
    ...aboutAnswers,
    ...comparison.open.map(({ id, kind, at: [at = '', ...related] }) =>
      diagnose('check/open-question', at, { question: id, item: itemOf[kind] }, { related }),
    ),
    ...judgements.filter(({ holds }) => !holds).map(describeItem),
    ...listDifferences(comparison),
    ...listSettings(comparison),
    ...listPlacements(comparison),
    ...listUnseen(comparison),
  ];
}

function describeItem({ item, title, evidence }: Judgement): Diagnostic {
  const fact = evidence.find(({ holds }) => !holds);
  const { text = '', source = [], output = [] } = fact ?? {};
  const [place] = output;
  const args = { item, title, text };
  return place === undefined
    ? diagnose('check/item-fails', source[0] ?? '', args, { related: source.slice(1) })
    : diagnose('check/item-fails', place, args, { related: source, in: 'squad' });
}

function listDifferences({ graph, exploration }: Comparison): Diagnostic[] {
  return exploration.differences.map(({ visit, way, text, source, output: [at = ''] }) =>
    diagnose(
      'check/walk',
      at,
      withLazy(
        {},
        {
          walk: () => (visit === null ? [] : callTo(graph, visit, way).map(({ node }) => node)),
          text: () => (typeof text === 'string' ? text : text()),
        },
      ),
      { related: source, in: 'squad' },
    ),
  );
}

function listSettings(comparison: Comparison): Diagnostic[] {
  const found = findSettingFaults(comparison, comparison.grouping.decisions);
  if (found.length === 0) return [];
  // An override of the squad is the same fault for every assistant.
  const byPlace = new Map(found.reverse().map((fault) => [fault.output[0] ?? '', fault]));
  const faults = [...byPlace.values()].reverse();
  return faults.map(({ text, source, output: [at = ''] }) =>
    diagnose(
      'check/setting-differs',
      at,
      withLazy({}, { text: () => (typeof text === 'string' ? text : text()) }),
      { related: source, in: 'squad' },
    ),
  );
}

function listPlacements(comparison: Comparison): Diagnostic[] {
  const { exploration, graph, owners, nameOf } = comparison;
  const placeOf = (node: NodeIndex) => graph.nodeAt(node).at;
  // What no assistant seems to own may be what a saved one does.
  const lost = comparison.squad.members.some(({ unseen }) => unseen) ? [] : exploration.notPlaced;
  const unplaced = lost.map((node) =>
    diagnose('check/not-placed', placeOf(node), { node: graph.nodeAt(node).id }),
  );
  const likened = [...exploration.likened].map((node) => {
    const [member] = owners.of(node);
    const assistant = member === undefined ? '' : nameOf(member);
    const args = {
      node: graph.nodeAt(node).id,
      assistant,
      because: 'it speaks of the same things',
    };
    return diagnose('check/placed-by-likeness', placeOf(node), args);
  });
  return [...unplaced, ...likened];
}

/** The texts of saved assistants are not in the document. */
function listUnseen({ squad }: Comparison): Diagnostic[] {
  const faults: Diagnostic[] = [];
  for (const member of squad.members) {
    const { assistantId } = member;
    if (assistantId === null) continue;
    const at = `${member.at}/assistantId`;
    faults.push(diagnose('check/not-seen', at, { assistantId }, { in: 'squad' }));
  }
  return faults;
}
