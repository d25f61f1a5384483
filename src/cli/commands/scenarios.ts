/** `squadc scenarios`: plans test calls that cover a workflow, for the platform or for a person. */
import { bindFor } from '../../adapters/tools/compile-bound.js';
import type { TestPlan } from '../../scenarios/plan-scenarios.js';
import { type CommandData, compileExitCodes } from '../command.js';
import { type Compiled, compileReporting, exitCodeOf, readToCompile } from '../compiling.js';
import { exitCodes, Refusal, WrongUsage } from '../exit.js';
import { deliver, jsonText } from '../files.js';
import { type CompileFlags, compileOptions, outputOptions } from '../options.js';
import { reportSummary } from '../output/compiled.js';
import { styleFor } from '../output/terminal.js';

interface Flags extends CompileFlags {
  readonly format: 'json' | 'markdown';
  readonly squadId?: string;
}

export const command: CommandData<[file: string], Flags> = {
  description:
    'Plans a few calls that together take every edge, enter every global node and reach every ' +
    "exit of a workflow, as the platform's simulation scenarios or as a test script in " +
    'Markdown. Give answers and options that the squad was made with.',
  arguments: { '<file>': 'workflow as JSON; - reads standard input' },
  options: {
    '--format <format>': [
      'what to write',
      (it) => it.choices(['json', 'markdown']).default('json'),
    ],
    '--squad-id <id>':
      'write the body of a run against this squad instead of the list of scenarios',
    ...compileOptions,
    ...outputOptions,
  },
  exitCodes: compileExitCodes,
  examples: ['squadc scenarios workflow.json --format markdown -o test-calls.md'],
  async action([file], flags, context) {
    if (flags.squadId !== undefined && flags.format !== 'json') {
      throw new WrongUsage('--squad-id requires the format json');
    }
    const { io } = context;
    const input = await readToCompile(file, flags, context);
    const compiled = await compileReporting(input, flags, context);
    if (compiled.result.status !== 'complete') {
      reportSummary(compiled, io);
      return exitCodeOf(compiled);
    }
    const plan = await planFor(compiled);
    const { sizeOf, toMarkdown } = await import('../../scenarios/markdown.js');
    const text = flags.format === 'json' ? await jsonOf(plan, flags) : toMarkdown(plan);
    await deliver(text, flags.output, io);
    io.stderr.write(`${styleFor(io.stderr, io.env).green(`complete: ${sizeOf(plan)}`)}\n`);
    return exitCodes.complete;
  },
};

/** Loads the planner only here. It compiles again, because it needs the intermediate results. */
async function planFor({ input, options }: Compiled): Promise<TestPlan> {
  const { planScenarios } = await import('../../scenarios/plan-scenarios.js');
  const bound = bindFor(input.workflow, options);
  const plan = planScenarios(bound.workflow, bound.options);
  if (plan !== null) return plan;
  throw new Refusal(
    'calls that cover this workflow would have millions of steps; plan its parts separately',
  );
}

/**
 * An array of request bodies that create scenarios on the platform. With a squad, one body that
 * creates a run instead; the tester's personality still has to be added to it.
 */
async function jsonOf({ scripts }: TestPlan, { squadId }: Flags): Promise<string> {
  const { longestInstructions, toSimulationScenario } = await import(
    '../../scenarios/simulation.js'
  );
  const scenarios = scripts.map((script) => toSimulationScenario(script, scripts.length));
  const long = scenarios.find(({ instructions }) => instructions.length > longestInstructions);
  if (long !== undefined) {
    throw new Refusal(
      `${long.name}: the instructions have ${long.instructions.length} characters, and the ` +
        `platform takes ${longestInstructions}; --format markdown has no limit`,
    );
  }
  if (squadId === undefined) return jsonText(scenarios);
  return jsonText({
    simulations: scenarios.map((scenario) => ({ type: 'simulation', scenario })),
    target: { type: 'squad', squadId },
  });
}
