/**
 * One rule of the compiler broken at a time: it refuses its own output, or it makes what it made.
 *
 * These are rules whose breaking gives a squad that is right in itself, such as another grouping. Rules
 * about values are broken in broken-values.test.ts, single parts of squads in test/mutants.
 */
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { type CompileOptions, compile } from '../src/index.js';
import { choosing, settle, workflowArbitrary } from '../src/testing.js';
import { breakCompiler, type Patch } from './broken-build.js';
import { listFolders, readCase } from './golden/cases.js';
import { runs, seed } from './seed.js';

/** What is broken, and how. */
const patches: readonly (readonly [rule: string, ...Patch])[] = [
  [
    'every variable is live everywhere',
    '3-analyze/reads.ts',
    'at: (node) => live.has(node), only: live',
    'at: () => true, only: null',
  ],
  [
    'no variable is live anywhere',
    '3-analyze/reads.ts',
    'flood(reads, (node)',
    'flood([], (node: number)',
  ],
  ['chains are left apart', '4-group/partition.ts', 'joining.join(from, to)', '0'],
  [
    'stages are merged across a boundary',
    '4-group/partition.ts',
    'to === undefined || others.length > 0 ||',
    'to === undefined ||',
  ],
  ['equal nodes are left apart', '4-group/stages.ts', 'firstOf.get(classes[index]!)', 'index'],
  [
    'what is to be demanded stands in plans',
    '5-lower/tools.ts',
    '? demanded : plan',
    '? plan : plan',
  ],
  ['handoffs to all at once are lost', '5-lower/tools.ts', 'return alike.flat();', 'return [];'],
  [
    'conditions are reworded',
    '5-lower/tools.ts',
    'whenOf(it) ?? []',
    '({ ...whenOf(it)!, value: "now" })',
  ],
  ['all properties are texts', '5-lower/plans.ts', "isOne ? first.type : 'string'", "'string'"],
  ['arguments may be left out', '6-emit/assemble.ts', ', ...demanded.map((it) => it.name)', ''],
  ['lines are lost', '5-lower/prompt.ts', 'begun.has(node) ? null : node.firstMessage', 'null'],
  [
    'nobody speaks first',
    '5-lower/lower.ts',
    'lines.length === 0 ? null : joinLines(lines)',
    'null',
  ],
  [
    'a line before the first talk node is left out',
    '5-lower/lower.ts',
    'joinLines(lines)',
    'joinLines(lines.slice(-1))',
  ],
  [
    'a line before a tool is spoken, and the assistant waits',
    '5-lower/members.ts',
    'opening.size === 1 || isSpoken',
    'true',
  ],
  ['calls of tools are lost', '5-lower/prompt.ts', 'called : [own, ...called]', 'called : called'],
  [
    'what only some walks find out is said to be collected',
    '5-lower/members.ts',
    'passes(gates, from) ?',
    'true ?',
  ],
  [
    'tools of which nobody knows the name are called by that of the node',
    '5-lower/prompt.ts',
    'functionOf(given) ?? step',
    'given.name',
  ],
  ['transfers are lost', '5-lower/tools.ts', 'to.transfer !== null', 'false'],
  [
    'requests are lost',
    '5-lower/tools.ts',
    'Array.from(requests, (',
    'Array.from([...requests].slice(1), (',
  ],
  [
    'the prompt names another number',
    '5-lower/prompt.ts',
    'sipUri : value.number',
    "sipUri : '+14155550199'",
  ],
  ['models of the source are ignored', '5-lower/settings.ts', 'of ?? defaultModel', 'defaultModel'],
  ['guards say the opposite', '5-lower/tools.ts', 'false{% else %}true', 'true{% else %}false'],
  [
    'global nodes have no handoffs',
    '5-lower/tools.ts',
    '[...member.nodes, null]',
    '[...member.nodes]',
  ],
  [
    'global nodes are not spoken of',
    '5-lower/prompt.ts',
    'anyTime: branchesOf(null)',
    'anyTime: []',
  ],
  [
    'instructions lose their white space',
    '5-lower/prompt.ts',
    'instructions: sayAt(node, node.systemPrompt),',
    `instructions: node.systemPrompt && {
      ...node.systemPrompt,
      value: node.systemPrompt.value.trim(),
    },`,
  ],
  [
    'nobody says what a token stands for',
    '5-lower/prompt.ts',
    '      hasTokens,',
    '      hasTokens: false,',
  ],
  ['a name that was given is ignored', '5-lower/members.ts', 'names.get(id)', 'undefined'],
  [
    'answers about conditions are not carried out',
    '5-lower/tools.ts',
    '({ call }) => call.node === null',
    '() => false',
  ],
];

interface Case {
  readonly workflow: unknown;
  readonly options: CompileOptions;
  readonly output: string;
}

/** The output as text, or the name of the bug. */
function attempt(run: () => { readonly output: unknown }): string {
  try {
    return JSON.stringify(run().output);
  } catch (error) {
    return (error as Error).name;
  }
}

describe('a broken compiler', () => {
  const cases: Case[] = [];

  beforeAll(() => {
    const options = fc.constantFrom<CompileOptions>(
      { target: 'squad', names: { n0: 'Front desk' } },
      { target: 'vapi' },
      { target: 'vapi', pass: 'arguments' },
    );
    const numbers = fc.array(fc.nat(20), { maxLength: 6 });
    const drawn = fc.tuple(workflowArbitrary({ captures: 'many' }), numbers, options);
    const given: (readonly [workflow: unknown, options: CompileOptions])[] = [
      ...fc.sample(drawn, { seed, numRuns: runs(60) }).map(([workflow, choices, each]) => {
        return [workflow, settle(workflow, each, choosing(choices)).options] as const;
      }),
      ...listFolders().flatMap((name) => {
        const golden = readCase(name);
        return golden === null ? [] : [[golden.reading.workflow, golden.options] as const];
      }),
    ];
    for (const [workflow, each] of given) {
      const output = attempt(() => compile(workflow, each));
      // A workflow that nothing is made of shows nothing.
      if (output.startsWith('{')) cases.push({ workflow, options: each, output });
    }
  }, 120_000);

  it.each(patches)('refuses its output where %s', async (_, ...patch) => {
    const broken = await breakCompiler(patch);
    let refused = 0;
    for (const { workflow, options, output } of cases) {
      const made = attempt(() => broken.compile(workflow, options));
      if (made === 'VerificationRefuted') refused += 1;
      // A broken grouping may ask something else.
      else if (made !== 'null') expect(made).toBe(output);
      if (refused === 5) break;
    }
    expect(refused).toBeGreaterThan(0);
  });
});
