/** Descriptions of destinations that do not say any more what the source says. */
import { put } from './edit.js';
import { alternativesOf, between, leavesGap, looksAlike, others } from './licences.js';
import { type Mutation, type Operator, operator } from './mutant.js';
import { quote, reword } from './rewording.js';
import type { DestinationView, SquadView } from './squad-view.js';

export const descriptionMutants: readonly Operator[] = [
  operator('condition-reworded', 3, 'One word of a condition is another.', function* (view) {
    for (const destination of view.destinations) {
      const { description } = destination;
      for (const { text, start, isCondition } of alternativesOf(view, destination)) {
        // The new word occurs nowhere, so the condition is gone; `describe` sees to the rest.
        const other = isCondition ? reword(text, view.source.word) : null;
        if (other === null) continue;
        const after = description.slice(start + text.length);
        yield* describe(view, destination, description.slice(0, start) + other + after);
      }
    }
  }),

  operator('condition-emptied', 3, 'A description is empty.', function* (view) {
    for (const { at, description } of view.destinations) {
      // The shape demands words, whatever the source says.
      if (description === '') continue;
      yield { squad: put(view.squad, `${at}/description`, ''), at, text: quote(description) };
    }
  }),

  operator('description-dropped', 8, 'A destination has no description.', function* (view) {
    for (const { at, value, description } of view.destinations) {
      if (value['description'] === undefined) continue;
      const { description: _, ...rest } = value;
      yield { squad: put(view.squad, at, rest), at, text: quote(description) };
    }
  }),

  operator(
    'alternative-dropped',
    3,
    'One of the conditions that share a destination is gone.',
    function* (view) {
      for (const destination of view.destinations) {
        const parts = alternativesOf(view, destination);
        if (parts.length < 2) continue;
        for (const part of parts) {
          if (!part.isCondition) continue;
          const left = parts.filter((it) => it !== part).map(({ text }) => text);
          yield* describe(view, destination, left.join(between));
        }
      }
    },
  ),

  operator(
    'alternative-invented',
    3,
    'A destination is offered for one more reason.',
    function* (view) {
      const reason = `the caller mentions a ${view.source.word}`;
      for (const { at, description } of conditioned(view)) {
        const squad = put(view.squad, `${at}/description`, `${description}${between}${reason}`);
        yield { squad, at, text: quote(reason) };
      }
    },
  ),

  operator(
    'conditions-swapped',
    3,
    'Two destinations have each other’s condition.',
    function* (view) {
      for (const { destinations } of view.members) {
        for (const [index, one] of destinations.entries()) {
          for (const other of destinations.slice(index + 1)) yield* swap(view, one, other);
        }
      }
    },
  ),
];

/** Destinations whose words are conditions of the source and nothing else. */
function conditioned(view: SquadView): DestinationView[] {
  return view.destinations.filter((destination) =>
    alternativesOf(view, destination).every(({ isCondition }) => isCondition),
  );
}

/** The destination with other words, where its own are missed then. */
function* describe(
  view: SquadView,
  destination: DestinationView,
  description: string,
): Iterable<Mutation> {
  const { at, target } = destination;
  if (!leavesGap(view, destination, [...others(view, destination), { target, description }]))
    return;
  const text = `${quote(destination.description)} became ${quote(description)}`;
  yield { squad: put(view.squad, `${at}/description`, description), at, text };
}

function* swap(view: SquadView, one: DestinationView, other: DestinationView): Iterable<Mutation> {
  if (one.target === other.target || one.description === other.description) return;
  const [first, second] = [one, other].map(({ target }) =>
    view.members.find(({ name }) => name === target),
  );
  if (first === undefined || second === undefined || looksAlike(first, second)) return;
  const left = others(view, one).filter((it) => it !== other);
  const after = [
    ...left,
    { target: one.target, description: other.description },
    { target: other.target, description: one.description },
  ];
  // Words of the compiler's own are no condition: swapped for one, only the condition is missed.
  if (!leavesGap(view, one, after) && !leavesGap(view, other, after)) return;
  const half = put(view.squad, `${one.at}/description`, other.description);
  const squad = put(half, `${other.at}/description`, one.description);
  const text = `${quote(one.description)} and ${quote(other.description)}`;
  yield { squad, at: one.at, text };
}
