/** `squadc scenarios`: test calls that cover a workflow, for the platform or for a person. */

import { type Command, Option } from 'commander';
import { bindFor } from '../adapters/tools/compile-bound.js';
import type { TestPlan } from '../scenarios/markdown.js';
import { compileExitCodes, helpAfter } from './command.js';
import { type Compiled, compileReporting, readToCompile } from './compiling.js';
import { type ExitCode, exitCodes, Refusal } from './exit.js';
import { standardInput } from './input/read.js';
import type { Invocation } from './invocation.js';
import type { Io } from './io.js';
import { type CompileFlags, compileOptions, outputOptions } from './options/squad.js';
import { reportSummary } from './output/compiled.js';
import { printable, styleFor } from './output/terminal.js';
import { jsonText, writeOutput } from './output/write.js';
import { scenariosDocument } from './scenarios-document.js';

export interface ScenariosFlags extends CompileFlags {
  readonly format: 'json' | 'markdown';
  readonly squadId?: string;
}

const help = helpAfter({
  exitCodes: compileExitCodes,
  examples: ['squadc scenarios workflow.json --format markdown -o test-calls.md'],
});

/** Adds the command to the program. */
export function addScenariosCommand(program: Command, invocation: Invocation): void {
  const command = program
    .command('scenarios')
    .summary('plan test calls that cover a workflow')
    .description(
      'Plans the fewest calls that take every edge, enter every global node and come to every ' +
        "exit of a workflow: as the platform's simulation scenarios, or as a test script in " +
        'Markdown. Give the answers and the options that the squad was made with.',
    )
    .argument('<file>', 'workflow as JSON; - reads standard input')
    .addHelpText('after', help)
    .action(async (file: string, flags: ScenariosFlags) => {
      if (flags.squadId !== undefined && flags.format !== 'json') {
        command.error('error: --squad-id is for the format json');
      }
      invocation.exitCode = await scenariosCommand(file, flags, invocation);
    });
  command
    .addOption(
      new Option('--format <format>', 'what to write')
        .choices(['json', 'markdown'])
        .default('json'),
    )
    .option(
      '--squad-id <id>',
      'write the body of a run against this squad instead of the list of scenarios',
    );
  for (const option of [...compileOptions, ...outputOptions]) command.addOption(option);
}

async function scenariosCommand(
  file: string,
  flags: ScenariosFlags,
  invocation: Invocation,
): Promise<ExitCode> {
  const { io } = invocation;
  const context = { io, api: await invocation.loadApi() };
  const input = await readToCompile(file, flags, context);
  const compiled = await compileReporting(input, flags, context);
  if (compiled.result.status !== 'complete') {
    reportSummary(compiled, io);
    return compiled.result.status === 'invalid' ? exitCodes.invalid : exitCodes.questionsOpen;
  }
  const plan = await planFor(input.workflow, compiled);
  await deliver(plan, flags, io);
  const { sizeOf } = await import('../scenarios/markdown.js');
  io.stderr.write(`${styleFor(io.stderr, io.env).green(`complete: ${sizeOf(plan)}`)}\n`);
  return exitCodes.complete;
}

/** The layer that plans is loaded only here; it compiles once more to see what lies between. */
async function planFor(workflow: unknown, { options }: Compiled): Promise<TestPlan> {
  const { planScenarios } = await import('../scenarios/plan-scenarios.js');
  const bound = bindFor(workflow, options);
  const plan = planScenarios(bound.workflow, bound.options);
  if (plan !== null) return plan;
  throw new Refusal(
    'the calls that cover this workflow have millions of steps; plan its parts one by one',
    exitCodes.invalid,
  );
}

async function deliver(plan: TestPlan, flags: ScenariosFlags, io: Io): Promise<void> {
  const text = await textOf(plan, flags);
  const { output } = flags;
  if (output !== undefined && output !== standardInput) await writeOutput(output, text, io);
  else io.stdout.write(io.stdout.isTTY ? printable(text) : text);
}

async function textOf(plan: TestPlan, { format, squadId }: ScenariosFlags): Promise<string> {
  if (format === 'json') return jsonText(await scenariosDocument(plan, squadId ?? null));
  const { toMarkdown } = await import('../scenarios/markdown.js');
  return toMarkdown(plan);
}
