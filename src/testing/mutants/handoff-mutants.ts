/** Handoffs that are gone, that lead elsewhere, or that stand in another assistant. */
import { drop, put } from './edit.js';
import { isAtAnyTime, leavesGap, looksAlike, memberOf, others } from './licences.js';
import { type Mutation, type Operator, operator } from './mutant.js';
import { quote } from './rewording.js';
import { isSame, type SquadView, type ToolView } from './squad-view.js';
import { withTool } from './tool-list.js';

export const handoffMutants: readonly Operator[] = [
  operator('handoff-tool-dropped', 3, 'A handoff tool is gone.', function* (view) {
    for (const tool of handoffTools(view)) {
      if (!isMissed(view, tool)) continue;
      yield { squad: drop(view.squad, tool.at), at: tool.at, text: namesOf(tool) };
    }
  }),

  operator(
    'handoff-tool-moved',
    3,
    'A handoff tool stands in another assistant.',
    function* (view) {
      for (const tool of handoffTools(view)) {
        if (!isMissed(view, tool)) continue;
        for (const member of view.members) {
          const { index, name } = member;
          if (index === tool.member || tool.destinations.some(({ target }) => target === name)) {
            continue;
          }
          const squad = withTool(view.squad, member, tool.value);
          yield { squad: drop(squad, tool.at), at: tool.at, text: `moved to ${quote(name)}` };
        }
      }
    },
  ),

  operator('destination-dropped', 3, 'One of several destinations is gone.', function* (view) {
    for (const destination of view.destinations) {
      const { at, target, toolAt } = destination;
      const isOnly = !others(view, destination).some((it) => it.toolAt === toolAt);
      // Another destination may say the same; then nothing is lost.
      if (isOnly || !leavesGap(view, destination, others(view, destination))) continue;
      yield { squad: drop(view.squad, at), at, text: `to ${quote(target)}` };
    }
  }),

  operator(
    'global-handoff-dropped',
    3,
    'One assistant lacks the handoff to a global node.',
    function* (view) {
      for (const destination of view.destinations) {
        if (!isAtAnyTime(view, destination)) continue;
        if (!leavesGap(view, destination, others(view, destination))) continue;
        const { at, target, toolAt } = destination;
        const isOnly = !others(view, destination).some((it) => it.toolAt === toolAt);
        yield { squad: drop(view.squad, isOnly ? toolAt : at), at, text: `to ${quote(target)}` };
      }
    },
  ),

  operator(
    'destination-retargeted',
    3,
    'A destination leads to another assistant.',
    function* (view) {
      for (const destination of view.destinations) {
        const { at, target, description } = destination;
        const left = others(view, destination);
        // What it was there for is lost, since no other destination to its target says it.
        if (!leavesGap(view, destination, left)) continue;
        const own = memberOf(view, destination);
        const former = view.members.find(({ name }) => name === target);
        for (const other of view.members) {
          if (other === own || other.name === target || other.name === '') continue;
          if (former !== undefined && looksAlike(former, other)) continue;
          // The same words lead there already: the source leaves open which way is taken.
          if (left.some((it) => it.target === other.name && it.description === description)) {
            continue;
          }
          const squad = put(view.squad, `${at}/assistantName`, other.name);
          yield { squad, at, text: `${quote(target)} became ${quote(other.name)}` };
        }
      }
    },
  ),

  operator(
    'destination-to-itself',
    3,
    'A destination leads to its own assistant.',
    function* (view) {
      for (const destination of view.destinations) {
        const { name } = memberOf(view, destination);
        if (name === '' || name === destination.target) continue;
        const squad = put(view.squad, `${destination.at}/assistantName`, name);
        yield {
          squad,
          at: destination.at,
          text: `${quote(destination.target)} became ${quote(name)}`,
        };
      }
    },
  ),

  operator('destination-to-nobody', 7, 'A destination names nobody.', function* (view) {
    for (const { at, target } of view.destinations) {
      const squad = put(view.squad, `${at}/assistantName`, view.source.word);
      yield { squad, at, text: `${quote(target)} became ${quote(view.source.word)}` };
    }
  }),

  operator('destination-to-unknown-id', 7, 'A destination names an id.', function* (view) {
    for (const { at, value, target } of view.destinations) {
      if (value['assistantName'] === undefined) continue;
      const { assistantName: _, ...rest } = value;
      const squad = put(view.squad, at, { ...rest, assistantId: view.source.word });
      yield { squad, at, text: `${quote(target)} became an id` };
    }
  }),

  operator('destinations-swapped', 3, 'Two destinations lead where the other did.', swapTargets),
];

function handoffTools({ tools }: SquadView): readonly ToolView[] {
  return tools.filter(({ destinations }) => destinations.length > 0);
}

/** Whether some destination of the tool says what no other tool of the assistant does. */
function isMissed(view: SquadView, tool: ToolView): boolean {
  const left = memberOf(view, tool).destinations.filter(({ toolAt }) => toolAt !== tool.at);
  return tool.destinations.some((destination) => leavesGap(view, destination, left));
}

function namesOf({ destinations }: ToolView): string {
  return `to ${destinations.map(({ target }) => quote(target)).join(', ')}`;
}

/** Descriptions and plans go along, so that each still looks well by itself. */
function* swapTargets(view: SquadView): Iterable<Mutation> {
  for (const { destinations, name } of view.members) {
    for (const [index, one] of destinations.entries()) {
      for (const other of destinations.slice(index + 1)) {
        if (one.target === other.target || isSame(one.description, other.description)) continue;
        const left = destinations.filter((it) => it !== one && it !== other);
        const swapped = [
          { ...one, target: other.target },
          { ...other, target: one.target },
        ];
        const after = [...left, ...swapped];
        // One of the two conditions does not lead where it did, and nothing else takes its place.
        if (!leavesGap(view, one, after) && !leavesGap(view, other, after)) continue;
        const members = [one, other].map(({ target }) =>
          view.members.find((it) => it.name === target),
        );
        const [first, second] = members;
        if (first === undefined || second === undefined || looksAlike(first, second)) continue;
        const half = put(view.squad, `${one.at}/assistantName`, second.name);
        const squad = put(half, `${other.at}/assistantName`, first.name);
        yield {
          squad,
          at: one.at,
          text: `${quote(first.name)} and ${quote(second.name)} in ${quote(name)}`,
        };
      }
    }
  }
}
