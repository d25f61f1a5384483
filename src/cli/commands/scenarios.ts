/** `squadc scenarios`: plans test calls that cover a workflow, for the platform or for a person. */
import { sizeOf, toMarkdown } from '../../scenarios/markdown.js';
import { planScenarios, type TestPlan } from '../../scenarios/script.js';
import { longestInstructions, toBundle, toSimulationScenario } from '../../scenarios/simulation.js';
import { bindFor } from '../../serve/compile-bound.js';
import type { CommandData } from '../command.js';
import { type Compiled, compileFile, reportSummary } from '../compiling.js';
import { deliver, jsonText } from '../files.js';
import { exitCodes, Refusal } from '../io.js';
import { type CompileFlags, compileOptions, outputOptions } from '../options.js';
import { styleFor } from '../output/terminal.js';

interface Flags extends CompileFlags {
  readonly format: 'json' | 'bundle' | 'markdown';
  readonly live?: boolean;
}

export const command: CommandData<[file: string], Flags> = {
  description:
    'Plans a few calls that together take every edge, enter every global node and reach every ' +
    "exit of a workflow, as the platform's simulation scenarios or as a test script in " +
    'Markdown. Pass the answers and options that the squad was made with.',
  arguments: { '<file>': 'workflow as JSON; - reads standard input' },
  hasConfig: true,
  options: {
    ...compileOptions,
    'Output:': {
      '--format <format>': [
        'what to write; bundle: every request of a run, in order',
        (it) => it.choices(['json', 'bundle', 'markdown']).default('json'),
      ],
      '--live': 'without mocks: transfers dial, and requests reach their servers',
      ...outputOptions,
    },
  },
  exits: [2],
  examples: [
    'squadc scenarios workflow.json --format markdown -o test-calls.md',
    'squadc scenarios workflow.json --format bundle -o run.json',
  ],
  async action([file], flags, context) {
    const { io } = context;
    const compiled = await compileFile(file, flags, context);
    if (compiled.result.status !== 'complete') return reportSummary(compiled, io);
    const plan = planFor(compiled);
    const text =
      flags.format === 'markdown' ? toMarkdown(plan) : jsonText(jsonOf(plan, flags, compiled));
    await deliver(text, flags.output, io);
    io.stderr.write(`${styleFor(io.stderr, io.env).green(`complete: ${sizeOf(plan)}`)}\n`);
    return exitCodes.complete;
  },
};

/** Compiles again, because it needs the intermediate results. */
function planFor({ input, options }: Compiled): TestPlan {
  const bound = bindFor(input.workflow, options);
  const plan = planScenarios(bound.workflow, bound.options);
  if (plan !== null) return plan;
  throw new Refusal(
    'calls that cover this workflow would have millions of steps; plan its parts separately',
  );
}

function jsonOf({ title, scripts, tools }: TestPlan, flags: Flags, { result }: Compiled): object {
  const mocked = flags.live ? [] : tools;
  const scenarios = scripts.map((it) => toSimulationScenario(it, scripts.length, mocked));
  const long = scenarios.find(({ instructions }) => instructions.length > longestInstructions);
  if (long !== undefined) {
    throw new Refusal(
      `${long.name}: the instructions have ${long.instructions.length} characters, and the ` +
        `platform takes ${longestInstructions}; --format markdown has no limit`,
    );
  }
  if (flags.format === 'json') return scenarios;
  const squad = result.output!;
  if (Object.hasOwn(squad, 'members')) return toBundle(title, scenarios, squad);
  throw new Refusal('a run needs a squad of the platform; add --target vapi');
}
