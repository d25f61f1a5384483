/**
 * No damage passes: `verify` refutes every mutant that the operators make of golden and generated squads.
 *
 * `npm run mutants` does this for 500 generated squads and prints how many mutants of each kind were made.
 */
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { isWorded } from '../../src/compiler/ir/wording.js';
import {
  type CompileOptions,
  compile,
  type JsonObject,
  type Verification,
  verify,
} from '../../src/index.js';
import { choosing, proposed, settle, workflowArbitrary } from '../../src/testing.js';
import { asObject } from '../../src/text/json.js';
import { elements } from '../../src/text/parts.js';
import { valueAt } from '../../src/text/pointer.js';
import { flow } from '../compiler/build.js';
import { listFolders, readCase } from '../golden/cases.js';
import { runs, seed } from '../seed.js';
import { itemOf, type Operator, operators } from './operators.js';
import { type Part, type Trial, type View, viewOf } from './parts.js';

const some = (...names: string[]) => fc.uniqueArray(fc.constantFrom(...names), { maxLength: 2 });
const derived = fc.record({
  key: fc.constantFrom('k', 'm', 'k', 'm', 'a'),
  value: some('a', 'b', 'c', 'k', 'm').map(
    (read) => `<${read.map((it) => `{{${it}}}`).join('+')}>`,
  ),
});
const aliasing = fc.record({
  finds: some('a', 'b', 'c'),
  aliases: fc.uniqueArray(derived, { maxLength: 2, selector: ({ key }) => key }),
  reads: some('a', 'k', 'm'),
  isGlobal: fc.nat(5).map((number) => number === 5),
  /** How many nodes ahead each edge leads; one may lead back to the first. */
  next: fc.uniqueArray(fc.constantFrom(1, 1, 2, 2, 3, 3), { minLength: 1, maxLength: 3 }),
});
/** Exports with aliases, which `workflowArbitrary` does not generate. */
const exportsWithAliases = fc.array(aliasing, { minLength: 3, maxLength: 7 }).map((nodes) => ({
  name: 'Drawn',
  nodes: nodes.map(({ finds, aliases, reads, isGlobal }, at) => {
    const properties = Object.fromEntries(finds.map((it) => [it, { type: 'string' }]));
    return {
      name: `n${at}`,
      type: 'conversation',
      ...(at === 0 && { isStart: true }),
      ...(at > 0 &&
        isGlobal && { globalNodePlan: { enabled: true, enterCondition: `wants ${at}` } }),
      prompt: `Node ${at} says ${reads.map((it) => `{{${it}}}`).join(' and ')}.`,
      variableExtractionPlan: { schema: { type: 'object', properties }, aliases },
    };
  }),
  edges: nodes.flatMap(({ next }, from) => {
    const ahead = next.map((steps) => from + steps).filter((to) => to <= nodes.length);
    const ends = ahead.map((to) => to % nodes.length).filter((to) => to !== from);
    return ends.map((to) => {
      const condition = { type: 'ai', prompt: `from ${from} to ${to}` };
      return { from: `n${from}`, to: `n${to}`, condition };
    });
  }),
}));

const isLong = runs(30) >= 500;

/** A case written by hand, the golden cases, whose contents are rare in generated workflows, and those. */
function* trials(): Iterable<Trial> {
  const given = (name: string, workflow: unknown, options: CompileOptions) =>
    (['squad', 'vapi'] as const).flatMap((target) =>
      trialOf(`${name} for ${target}`, workflow, { target, ...options }),
    );
  // A capture with an enumeration that another assistant reads.
  const topic = { name: 'topic', type: 'string', description: 'subject', enum: ['bill', 'move'] };
  const nodes = {
    ask: { extractVariables: [topic] },
    '{{topic}}': 'Talk.',
    hall: 'Wait for {{topic}}.',
  };
  const choice = flow(nodes, 'ask > {{topic}}: asks about it | ask > hall: asks to wait');
  yield* given('a choice', choice, { dynamicVariables: ['topic'] });
  for (const [index, name] of listFolders().entries()) {
    const { reading, options } = readCase(name)!;
    if (reading.diagnostics.length > 0) continue;
    const both = given(`golden/${name}`, reading.workflow, options);
    yield* isLong ? both : both.filter((_, at) => at === index % 2);
  }
  const numbers = fc.array(fc.nat(99), { minLength: 1, maxLength: 8 });
  const drawn = fc.tuple(workflowArbitrary(), numbers);
  const samples = fc.sample(drawn, { seed, numRuns: runs(30) });
  for (const [index, [workflow, choices]] of samples.entries()) {
    const chosen = settle(workflow, optionsFor(index), choosing(choices));
    // Drawn answers can contradict each other; proposals never do.
    const isRefused = chosen.result.output === null;
    const { options } = isRefused ? settle(workflow, optionsFor(index), proposed) : chosen;
    yield* trialOf(`seed ${seed}, path ${index}`, workflow, options);
  }
  const policies = { 'undefined-variable': 'caller', 'cyclic-stages': 'consolidate' };
  const options: CompileOptions = { target: 'vapi', answers: { policies } };
  const aliased = fc.sample(exportsWithAliases, { seed, numRuns: runs(30) });
  for (const [index, workflow] of aliased.entries()) {
    yield* trialOf(`seed ${seed}, aliases ${index}`, workflow, options);
  }
}

function trialOf(label: string, workflow: unknown, options: CompileOptions): Trial[] {
  const { output, sourceMap } = compile(workflow, options);
  const squad = output as JsonObject | null;
  return squad === null ? [] : [{ label, workflow, options, squad, sourceMap }];
}

/** Every second workflow is compiled for the platform; some have other options that change the squad. */
function optionsFor(index: number): CompileOptions {
  const target = index % 2 === 0 ? 'squad' : 'vapi';
  return {
    target,
    ...(target === 'vapi' && index % 3 === 2 ? { pass: 'arguments' } : {}),
    ...(index % 7 === 3 ? { context: { type: 'lastNMessages', maxMessages: 4 } } : {}),
    ...(index % 7 === 4 ? { handoffTools: 'separate' } : {}),
    ...(index % 7 === 5 ? { boundary: 'tools' } : {}),
    ...(index % 7 === 6
      ? { memberOverrides: { voice: { provider: '11labs', voiceId: 'v' } } }
      : {}),
  };
}

/** Once a mutant has been made this often, it is made in fewer of the trials. */
const often = isLong ? 4 : 2;
const made = new Map<string, { made: number; items: Set<number> }>();
const tried = new Set<Operator>();
const refutedUnharmed: string[] = [];
const survivors: string[] = [];
const unexpected: string[] = [];

/** One mutant by the operator, of a different part each turn; null if it applies to no part. */
function mutantOf({ edit }: Operator, view: View, parts: readonly Part[], turn: number) {
  const first = turn % parts.length;
  for (const part of [...parts.slice(first), ...parts.slice(0, first)]) {
    const squads: JsonObject[] = [];
    for (const squad of edit(view, part, parts)) {
      if (squads.push(squad) > turn % 3) break;
    }
    if (squads.length > 0) return { squad: squads.at(-1)!, at: part.at };
  }
  return null;
}

const hasWording = ({ squad, at }: { squad: JsonObject; at: string }) =>
  isWorded(String(valueAt(squad, at)));

/** Whether only the names of functions that do the same in an assistant are exchanged. */
function isSame(one: JsonObject, other: JsonObject): boolean {
  return JSON.stringify(one) !== JSON.stringify(other) && namedOnce(one) === namedOnce(other);
}

/** The squad with one name for functions that do the same in an assistant. */
function namedOnce({ members, squad, ...others }: JsonObject): string {
  const holder = asObject(squad ?? { members: members ?? null });
  const all = elements(holder['members']).map((member) => {
    const whole = JSON.stringify(member);
    const names = new Map<string, string>();
    let once = whole;
    for (const [tool, name = ''] of whole.matchAll(
      /\{"type":"handoff".*?"name":"([\w-]+)".*?\}/g,
    )) {
      const content = tool.replaceAll(name, '');
      const first = names.get(content) ?? name;
      names.set(content, first);
      if (first !== name) once = once.replaceAll(new RegExp(`${name}(?![\\w-])`, 'g'), first);
    }
    return once;
  });
  return JSON.stringify([others, { ...holder, members: all }]);
}

/** The verdict, and what is undecided: an unknown setting leaves a squad undecided as it is. */
function judgementOf({ verdict, undecided }: Verification): string {
  return [verdict, ...undecided.map(({ text }) => text)].join('\n');
}

function damage(trial: Trial, turn: number): void {
  const { label, workflow, options, squad } = trial;
  const sound = judgementOf(verify(workflow, squad, options));
  if (sound.startsWith('fails')) refutedUnharmed.push(label);
  const view = viewOf(trial);
  for (const [kind, parts] of view.kinds) {
    for (const operator of operators.filter(({ on }) => on(kind))) {
      const name = `${kind} ${operator.name}`.trim();
      const tally = made.get(name) ?? { made: 0, items: new Set() };
      if (turn % (1 + Math.floor(tally.made / often) ** (isLong ? 1 : 2)) > 0) continue;
      const mutant = mutantOf(operator, view, parts, turn);
      if (mutant === null || isSame(mutant.squad, squad)) continue;
      made.set(name, tally);
      tried.add(operator);
      tally.made += 1;
      const verification = verify(workflow, mutant.squad, options);
      const failing = verification.checklist.filter((each) => !each.holds).map(({ item }) => item);
      for (const item of failing) tally.items.add(item);
      const expected = itemOf(name);
      // A prompt that only tells and asks is like prose, which may do so in any order.
      const isOrder = name === 'line instruction moved' && !hasWording(mutant);
      // On the platform a handoff passes on the whole conversation unless it says otherwise.
      const isPlan = /contextEngineeringPlan lost$/.test(name) && options.target === 'vapi';
      const isMeant = isOrder || isPlan;
      const isNoticed = judgementOf(verification) !== sound;
      if (!isNoticed && !isMeant) survivors.push(`${name}: ${mutant.at} of ${label}`);
      else if (isNoticed && expected !== null && !failing.includes(expected))
        unexpected.push(`${name}: item ${failing} of ${label}, not ${expected}`);
    }
  }
}

describe('verify', () => {
  beforeAll(() => {
    for (const [turn, trial] of [...trials()].entries()) damage(trial, turn);
    if (!isLong) return;
    console.table([...made].map(([name, row]) => ({ name, ...row, items: [...row.items].join() })));
  }, 1_200_000);

  it('holds for undamaged squads', () => expect(refutedUnharmed).toEqual([]));
  it('refutes every mutant', () => expect(survivors).toEqual([]));
  it('refutes every change to the tools of a saved assistant', () => {
    const { reading, options } = readCase('vapi-saved-assistant')!;
    const [trial] = trialOf('saved', reading.workflow, { ...options, target: 'vapi' });
    const view = viewOf(trial!);
    const standing: string[] = [];
    let count = 0;
    for (const part of view.parts.filter(({ at }) => at.includes('/tools:append/'))) {
      for (const { edit, name } of operators.filter(({ on }) => on(part.kind))) {
        for (const squad of edit(view, part, view.kinds.get(part.kind)!)) {
          count += 1;
          const { verdict } = verify(trial!.workflow, squad, trial!.options);
          const isMeant = name === 'lost' && part.at.endsWith('/contextEngineeringPlan');
          if (verdict !== 'fails' && !isMeant) standing.push(`${part.at} ${name}`);
        }
      }
    }
    expect(standing).toEqual([]);
    expect(count).toBeGreaterThan(80);
  });
  it('fails the checklist item that the kind of mutant names', () =>
    expect(unexpected).toEqual([]));
  it('is tested with every operator', () => {
    const others = operators.filter((each) => !tried.has(each));
    expect(others.map(({ kinds, name }) => `${name}: ${kinds}`)).toEqual([]);
  });
});
