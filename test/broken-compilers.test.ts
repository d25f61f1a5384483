/**
 * The compiler with one rule broken at a time. Damage to single parts of squads is in test/mutants.
 *
 * The verifier and the laws are bundled with it, so what they share with the compiler is broken for
 * them, too.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, resolve } from 'node:path';
import { build } from 'esbuild';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { type CompileOptions, compile } from '../src/index.js';
import { choosing, laws, type SpecWorkflow, settle, workflowArbitrary } from '../src/testing.js';
import { captures, exported, flow, sketch, transfer } from './compiler/build.js';
import { listFolders, readCase } from './golden/cases.js';
import { drawn } from './laws/graphs.js';
import { runs, seed } from './seed.js';

/** A text that occurs exactly once in a file of the compiler, and its replacement. */
interface Patch {
  readonly rule: string;
  readonly file: string;
  readonly from: string;
  readonly to: string;
  /** The name of a workflow that shows the difference. */
  readonly shownBy: string;
}

/** `the broken rule | file | workflow`, and below it the old text and the new one. */
function patches(text: string): Patch[] {
  return [...text.matchAll(/^(.+?) \| (\S+)(?: \| (.+))?\n- (.+)\n\+(?: (.*))?$/gm)].map(
    ([, rule = '', file = '', shownBy = '', from = '', to = '']) => {
      return { rule, file, from, to, shownBy };
    },
  );
}

/** Rules that, if broken, can give a squad that is consistent in itself, such as another grouping. */
const rules = patches(`
every variable is live everywhere | 3-analyze/reads.ts
- at: (node) => live.has(node), only: live
+ at: () => true, only: null
no variable is live | 3-analyze/reads.ts
- flood(from, (node)
+ flood([], (node: number)
chains are not merged | 4-group/partition.ts
- joining.join(from, to)
+ 0
stages are merged across a boundary | 4-group/partition.ts
- to === undefined || others.length > 0 ||
+ to === undefined ||
equal nodes are not merged | 4-group/stages.ts
- firstOf.get(classes[index]!)
+ index
variables that must be arguments are in plans | 5-lower/tools.ts
- ? demanded : plan
+ ? plan : plan
shared handoffs are lost | 5-lower/tools.ts
- return alike.flat().map(({ handoff }) => handoff);
+ return [];
conditions are reworded | 5-lower/tools.ts
- transitions.flatMap(whenOf)
+ transitions.flatMap(whenOf).map((it) => ({ ...it, value: "now" }))
all properties are strings | 5-lower/plans.ts
- isOne ? first.type : 'string'
+ 'string'
arguments are optional | 6-emit/assemble.ts
- , ...demanded.map((it) => it.name)
+
lines are lost | 5-lower/prompt.ts
- begun.has(node) ? null : node.firstMessage
+ null
there is no first message | 5-lower/lower.ts
- lines.length === 0 ? null : joinLines(lines)
+ null
a line before the first talk node is left out | 5-lower/lower.ts
- joinLines(lines)
+ joinLines(lines.slice(-1))
a line before a tool is spoken, and the assistant waits | 5-lower/members.ts
- opening.size === 1 || isSpoken
+ true
tool calls are missing from prompts | 5-lower/prompt.ts
- called : [own, ...called]
+ called : called
captures of some walks are said to be collected | 5-lower/members.ts
- passes(gates, from) ?
+ true ?
an unnamed tool is called by the name of its node | 5-lower/prompt.ts
- functionOf(given) ?? step
+ given.name
transfers are lost | 5-lower/tools.ts
- to.transfer !== null
+ false
requests are lost | 5-lower/tools.ts
- Array.from(requests, (
+ Array.from([...requests].slice(1), (
a prompt names another number | 5-lower/prompt.ts
- sipUri : value.number
+ sipUri : '+14155550199'
models of the source are ignored | 5-lower/settings.ts
- of ?? defaultModel
+ defaultModel
guards are inverted | 5-lower/tools.ts
- false{% else %}true
+ true{% else %}false
global nodes have no handoffs | 5-lower/tools.ts
- [...member.nodes, null]
+ [...member.nodes]
prompts do not mention global nodes | 5-lower/prompt.ts
- (transitionsFrom.get(null) ?? [])
+ []
a global node is entered from its own step | 5-lower/prompt.ts
- except: own ?? null
+ except: null
instructions lose their white space | 5-lower/prompt.ts
- instructions: sayAt(node, node.systemPrompt),
+ instructions: node.systemPrompt && { ...node.systemPrompt, value: node.systemPrompt.value.trim() },
the opening does not explain tokens | 5-lower/prompt.ts
-       hasTokens,
+       hasTokens: false,
the option names is ignored | 5-lower/members.ts
- names.get(id)
+ undefined
answers about conditions have no effect | 5-lower/tools.ts
- ({ call }) => call.node === null
+ () => false
`);

/** Rules about the values of variables. */
const ofValues = patches(`
a request lacks what the model fills in | 5-lower/tools.ts | a request
- naming, suppliedTo(request!)
+ naming, { ...suppliedTo(request!), filled: [] }
what the model fills in is optional | 5-lower/supply.ts | a request
- nodes.every(({ index }) => member
+ !nodes.every(({ index }) => member
a function tool lacks what the model fills in | 5-lower/tools.ts | a function
- supplies.get(member)!.suppliedTo(tool)
+ { filled: [], isSilent: false }
a static parameter of a function tool is kept beside its property | ir/tool.ts | a function
- (_, at) => !taken.has(sent.statics[at]!.key)
+ () => true
no schema requires what the model fills in | ir/tool.ts | a request
- it.isRequired ? [keyOf(it)]
+ it.isRequired ? []
a tool speaks a message that cannot be rendered | 5-lower/supply.ts | a request that speaks
- line !== null && isTold
+ false && isTold
a static parameter is kept beside its property | ir/tool.ts | a request with a field
- unseen.filter(({ key }) => !taken.has(key))
+ unseen
a response is not kept | ir/tool.ts | a response
- return [...new Map(aliases)];
+ return [...new Map(aliases)].slice(1);
a token is rendered too early | 5-lower/supply.ts | two captures
- ? [output] : []
+ ? [] : []
the opening lacks what is known on entry | 5-lower/prompt.ts | a way back
-       known,
+       known: [],
a handoff forgets a variable | 5-lower/tools.ts | a capture
- get(handoff) ?? []) {
+ get(handoff)?.slice(1) ?? []) {
a value asked for again is lost | 3-analyze/reads.ts | a capture again
- replacingNodes(variable)
+ definingNodes(variable)
a transfer speaks a message that cannot be rendered | 5-lower/tools.ts | a message
- isSilent: isTold,
+ isSilent: () => false,
a node that only says a line becomes an assistant | ir/workflow.ts | a line in passing
- hasOnlyLine(node) && movesOn(node) ?
+ false ?
an assistant that is entered again has lost its captures | 5-lower/supply.ts | a return
- return known.has(index);
+ return known.has(index) && !sites.get(member)?.has(name);
`);

/** One assistant captures the order, which its request reads. */
function sending(fields: object) {
  const schema = { type: 'object', properties: { order: { type: 'string', description: 'it' } } };
  const url = 'https://api.example.com';
  const request = { type: 'apiRequest', name: 'find', url, method: 'POST' };
  const nodes = {
    ask: { prompt: 'Ask for the order.', variableExtractionPlan: { schema } },
    find: { type: 'tool', tool: 'function' in fields ? fields : { ...request, ...fields } },
    tell: { prompt: 'Tell what was found.' },
  };
  return exported(nodes, 'ask > find | find > tell');
}

const parameters = [{ key: 'number', value: '{{order}}' }];
const asking = { systemPrompt: 'Ask for the order.', ...captures('order') };
const line = { systemPrompt: undefined, firstMessage: 'One moment.' };
const workflows: Readonly<Record<string, object>> = {
  'a request': sending({ url: 'https://api.example.com/{{order}}' }),
  'a request that speaks': sending({
    messages: [{ type: 'request-start', content: 'I look for {{order}}.' }],
  }),
  'a request with a field': sending({ parameters }),
  'a function': sending({ type: 'function', function: { name: 'find' }, parameters }),
  'a response': drawn('t > a | a > b: 1 | a > c: 2', 't responds, b reads'),
  'two captures': drawn('a > b: 1 | a > c: 2 | c > d', 'a sets, c sets reads, d reads'),
  'a way back': drawn('s > c: 1 | s > b: 2 | c > d | d > c', 's sets, d sets, c reads'),
  'a capture': drawn('a > b: 1 | a > c: 2', 'a sets, b reads'),
  'a capture again': drawn('a > b: 1 | a > c: 2 | b > e: 3 | b > d: 4', 'a sets, b sets, d reads'),
  'a message': flow(
    { ask: asking, desk: transfer({ transferPlan: { message: 'I pass on {{order}}.' } }) },
    'ask > desk',
  ),
  // The node after the line has another predecessor, too.
  'a line in passing': sketch('a > s: 1 | a > b: 2 | s > b | a > c: 3 | b > c', { s: line }),
  // An assistant that a call returns to decides by an earlier capture.
  'a return': sketch('a > b: has said it | b > c: {{x}} fits | c > b: does not fit', {
    b: { systemPrompt: 'Ask for x.', ...captures('x') },
    c: { systemPrompt: 'Offer {{x}}.' },
  }),
};

type Broken = Pick<typeof laws, 'valuesHold' | 'linesSpoken'> & {
  readonly compile: typeof compile;
  /** If it is unchecked, the compiler returns a squad that the verifier refutes. */
  readonly state: { isUnchecked: boolean };
};

async function breakCompiler(patch: Patch): Promise<Broken> {
  const from = "verification?.verdict === 'fails'";
  const edits = [patch, { file: 'compile.ts', from, to: `!state.isUnchecked && ${from}` }];
  const waiting = new Map(edits.map((edit) => [resolve('src/compiler', edit.file), edit]));
  const contents =
    'export { compile } from "./compiler/compile.ts";' +
    'export { linesSpoken, valuesHold } from "./testing/laws-of-calls.ts";';
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: resolve('src'), loader: 'ts' },
    bundle: true,
    write: false,
    format: 'iife',
    globalName: 'broken',
    packages: 'external',
    // Most of the text, and never broken.
    external: ['*-validator.generated.js'],
    define: { 'import.meta.url': JSON.stringify(import.meta.url) },
    plugins: [
      {
        name: 'edit',
        setup({ onLoad }) {
          onLoad({ filter: /\.ts$/ }, ({ path }) => {
            const edit = waiting.get(path);
            if (edit === undefined) return undefined;
            waiting.delete(path);
            const parts = readFileSync(path, 'utf8').split(edit.from);
            if (parts.length !== 2) throw new Error(`not once: ${edit.from}`);
            return { contents: parts.join(edit.to), loader: 'ts' };
          });
        },
      },
    ],
  });
  // If a file has moved, it was not edited.
  expect([...waiting.keys()]).toEqual([]);
  const load = createRequire(import.meta.url);
  const provide = (name: string) =>
    load(name.startsWith('.') ? resolve('src/schemas', basename(name)) : name);
  const code = `${outputFiles[0]?.text}; return { ...broken, state };`;
  return new Function('require', 'state', code)(provide, { isUnchecked: false });
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
  const cases: { workflow: unknown; options: CompileOptions; output: string }[] = [];

  beforeAll(() => {
    const given = fc.constantFrom<CompileOptions>(
      { target: 'squad', names: { n0: 'Front desk' } },
      { target: 'vapi' },
      { target: 'vapi', pass: 'arguments' },
    );
    const numbers = fc.array(fc.nat(20), { maxLength: 6 });
    const drawn = fc.tuple(workflowArbitrary({ captures: 'many' }), numbers, given);
    const all = fc.sample(drawn, { seed, numRuns: runs(60) }).map(([workflow, choices, each]) => {
      return { workflow, options: settle(workflow, each, choosing(choices)).options };
    });
    const goldens = listFolders().flatMap((name) => {
      const golden = readCase(name);
      return golden === null
        ? []
        : [{ workflow: golden.reading.workflow, options: golden.options }];
    });
    for (const { workflow, options } of [...all, ...goldens]) {
      const output = attempt(() => compile(workflow, options));
      // Workflows without an output show nothing.
      if (output.startsWith('{')) cases.push({ workflow, options, output });
    }
  }, 120_000);

  it.each(rules)('rejects its own output or gives the same if $rule', async (patch) => {
    const broken = await breakCompiler(patch);
    let refused = 0;
    for (const { workflow, options, output } of cases) {
      const made = attempt(() => broken.compile(workflow, options));
      if (made === 'VerificationRefuted') refused += 1;
      // A broken grouping may ask something else.
      else if (made !== 'null') expect(made).toBe(output);
      if (refused === 3) break;
    }
    expect(refused).toBeGreaterThan(0);
  });
});

/** The law plays calls and knows no rules, so the two check each other. */
it.each(ofValues)(
  'the verifier and the laws of values and lines notice if $rule',
  async (patch) => {
    const workflow = workflows[patch.shownBy];
    const policies = { 'cyclic-stages': 'keep-split', 'missing-auth': 'none' };
    const options: CompileOptions = patch.shownBy === 'a return' ? { answers: { policies } } : {};
    const settled = settle(workflow, options).options;
    expect(compile(workflow, settled).status).toBe('complete');
    const broken = await breakCompiler(patch);
    expect(() => broken.compile(workflow, settled)).toThrow('not a faithful migration');

    broken.state.isUnchecked = true;
    const holds = (law: typeof laws.valuesHold) =>
      law(structuredClone(workflow) as SpecWorkflow, { compile: options });
    const holdsBoth = ({ valuesHold, linesSpoken }: Pick<Broken, 'valuesHold' | 'linesSpoken'>) => {
      holds(valuesHold);
      holds(linesSpoken);
    };
    expect(() => holdsBoth(laws)).not.toThrow();
    expect(() => holdsBoth(broken)).toThrow();
  },
);
