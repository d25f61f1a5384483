/**
 * Which values the caller says, and which a tool gives, so that a call goes along its walk.
 *
 * In: a walk. Out: a value for every capture at every visit, one per tool and variable (a mock
 * answers each of its calls with the same), one for every variable that comes with the call. Logical conditions are judged: values are looked for
 * with which those of the edges taken hold, and those of the edges beside them do not. Of a
 * sentence nobody can say what makes it true; there, a choice that the words of the way name is
 * taken, and one that only the ways beside it name is not.
 *
 * The search changes one value at a time, as long as that makes more conditions right; each round
 * does, so it ends. It is no promise: where conditions contradict each other, the tester is still
 * told what has to come true.
 */

import type { FlowGraph } from '../compiler/ir/flow-graph.js';
import { builtInVariables } from '../compiler/ir/variables.js';
import type { Capture, Condition } from '../compiler/ir/workflow.js';
import { createJudge, type Judge } from './conditions.js';
import type { Moment } from './moments.js';
import { mentions, type Sample, samplesFor, samplesForResponse } from './samples.js';

export interface Values {
  /** What the caller says for a variable at a step of the walk. */
  readonly said: (step: number, variable: string) => Sample;
  /** What a tool gives for a variable. */
  readonly given: (tool: string, variable: string) => Sample;
  /** What has to be there when the call begins: variables that are read and that nothing sets. */
  readonly supplied: ReadonlyMap<string, Sample>;
}

/** A value to be chosen. */
interface Choice {
  /** What to try, the best first, where the demands name these values. */
  readonly candidates: (literals: readonly Sample[]) => readonly [Sample, ...Sample[]];
  chosen: Sample;
  /** The demands that read it. */
  readonly demands: Demand[];
}

interface Demand {
  readonly judge: Judge;
  readonly wanted: boolean;
  readonly choices: ReadonlyMap<string, Choice>;
}

export function chooseValues(
  graph: FlowGraph,
  set: ReadonlySet<string>,
  moments: readonly Moment[],
): Values {
  const judges = new Map<string, Judge | null>();
  const judgeOf = ({ logical, value }: Condition): Judge | null => {
    // `days > 2` is a sentence to the compiler, and it is asked nothing of it; here it can be met.
    if (!logical && !/[<>]/.test(value)) return null;
    if (!judges.has(value)) judges.set(value, createJudge(value));
    return judges.get(value)!;
  };
  const said = new Map<string, Choice>();
  const given = new Map<string, Choice>();
  const supplied = new Map<string, Choice>();
  const current = new Map<string, Choice>();
  const demands: Demand[] = [];
  for (const [step, moment] of moments.entries()) {
    for (const name of moment.reads) {
      if (set.has(name) || builtInVariables.has(name) || supplied.has(name)) continue;
      supplied.set(
        name,
        open((literals) => samplesForResponse(name, literals)),
      );
      current.set(name, supplied.get(name)!);
    }
    demand(moment.way, true);
    for (const each of moment.beside) demand(each, false);
    for (const { tool, variables } of moment.calls) {
      for (const name of variables) {
        const choice =
          given.get(keyOf(tool, name)) ?? open((literals) => samplesForResponse(name, literals));
        given.set(keyOf(tool, name), choice);
        current.set(name, choice);
      }
    }
    for (const capture of graph.workflow.nodes[moment.node]!.captures) {
      if (capture.alias !== undefined) {
        // What becomes of it is up to a template.
        current.delete(capture.name);
        continue;
      }
      const choice = open((literals) =>
        preferNamed(capture, samplesFor(capture, literals), moments, step),
      );
      said.set(keyOf(String(step), capture.name), choice);
      current.set(capture.name, choice);
    }
  }
  search([...supplied.values(), ...given.values(), ...said.values()], demands);
  return {
    said: (step, variable) => said.get(keyOf(String(step), variable))!.chosen,
    given: (tool, variable) => given.get(keyOf(tool, variable))!.chosen,
    supplied: new Map([...supplied].map(([name, { chosen }]) => [name, chosen])),
  };

  function demand(condition: Condition | null, wanted: boolean): void {
    const judge = condition === null ? null : judgeOf(condition);
    if (judge === null) return;
    const choices = new Map(
      [...judge.variables].flatMap((name) => {
        const choice = current.get(name);
        return choice === undefined ? [] : [[name, choice] as const];
      }),
    );
    const made = { judge, wanted, choices };
    demands.push(made);
    for (const choice of choices.values()) choice.demands.push(made);
  }
}

/** Variables that something in the workflow sets; what else is read comes with the call. */
export function namesSet({ workflow }: FlowGraph): ReadonlySet<string> {
  return new Set(
    workflow.nodes.flatMap(({ captures, request, tools, calls }) => [
      ...captures.map(({ name }) => name),
      ...(request?.responses ?? []).map(({ name }) => name),
      ...tools.flatMap(({ variables }) => variables),
      ...calls.flatMap(({ variables }) => variables),
    ]),
  );
}

function keyOf(owner: string, variable: string): string {
  return JSON.stringify([owner, variable]);
}

function open(candidates: Choice['candidates']): Choice {
  return { candidates, chosen: candidates([])[0], demands: [] };
}

/** Rounds until nothing gets better. */
function search(choices: readonly Choice[], demands: readonly Demand[]): void {
  for (let open = count(demands); open > 0; ) {
    for (const choice of choices) if (choice.demands.length > 0) improve(choice);
    const left = count(demands);
    if (left >= open) return;
    open = left;
  }
}

/** The first candidate with the fewest demands unmet. */
function improve(choice: Choice): void {
  let best = choice.chosen;
  let least = count(choice.demands);
  const literals = new Set(choice.demands.flatMap(({ judge }) => judge.literals));
  for (const candidate of choice.candidates([...literals].slice(0, tried))) {
    choice.chosen = candidate;
    const unmet = count(choice.demands);
    if (unmet < least) [best, least] = [candidate, unmet];
  }
  choice.chosen = best;
}

/** So many values that conditions name are tried, those of the way taken first. */
const tried = 20;

/** How many demands are not met; taken ways weigh more than those beside them. */
function count(demands: readonly Demand[]): number {
  return demands.reduce((all, { judge, wanted, choices }) => {
    const met = judge.holds((name) => choices.get(name)?.chosen) === wanted;
    return all + (met ? 0 : wanted ? 4 : 1);
  }, 0);
}

/** The choices that the walk's way names first, then those that no way beside it names. */
function preferNamed(
  { enum: choices }: Capture,
  samples: readonly [Sample, ...Sample[]],
  moments: readonly Moment[],
  step: number,
): readonly [Sample, ...Sample[]] {
  if (choices === null) return samples;
  const next = moments.slice(step + 1, step + 1 + horizon);
  const excluded = new Set<Sample>();
  for (const { words, wordsBeside } of next) {
    const named = samples.find((each) => words.some((text) => mentions(text, String(each))));
    if (named !== undefined && !excluded.has(named)) return first(samples, named);
    for (const each of samples) {
      if (wordsBeside.some((text) => mentions(text, String(each)))) excluded.add(each);
    }
  }
  const free = samples.find((each) => !excluded.has(each));
  return free === undefined ? samples : first(samples, free);
}

/** How far on a way can still be thought to hang on what was said. */
const horizon = 8;

function first(samples: readonly Sample[], chosen: Sample): readonly [Sample, ...Sample[]] {
  return [chosen, ...samples.filter((each) => each !== chosen)];
}
