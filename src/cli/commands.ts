/** The commands, in the order in which the help lists them; each is loaded when it is named. */
import type { Command } from 'commander';
import type { Invocation } from './invocation.js';

/** Adds a command to the program. */
export type AddCommand = (program: Command, invocation: Invocation) => void;

const commands = new Map<string, () => Promise<AddCommand>>([
  ['compile', async () => (await import('./compile.js')).addCompileCommand],
  ['check', async () => (await import('./check.js')).addCheckCommand],
  ['migrate', async () => (await import('./migrate.js')).addMigrateCommand],
  ['assess', async () => (await import('./assess.js')).addAssessCommand],
  ['merge', async () => (await import('./merge.js')).addMergeCommand],
  ['report', async () => (await import('./report.js')).addReportCommand],
  ['answer', async () => (await import('./answer.js')).addAnswerCommand],
  ['scenarios', async () => (await import('./scenarios.js')).addScenariosCommand],
  ['graph', async () => (await import('./graph.js')).addGraphCommand],
  ['callers', async () => (await import('./callers.js')).addCallersCommand],
  ['pull', async () => (await import('./pull.js')).addPullCommand],
  ['push', async () => (await import('./push.js')).addPushCommand],
  ['rollback', async () => (await import('./rollback.js')).addRollbackCommand],
  ['explain', async () => (await import('./explain.js')).addExplainCommand],
  ['fuzz', async () => (await import('./fuzz.js')).addFuzzCommand],
  ['sandbox', async () => (await import('./sandbox.js')).addSandboxCommand],
  ['tools', async () => (await import('./tools.js')).addToolsCommand],
  ['serve', async () => (await import('./serve.js')).addServeCommand],
  ['schema', async () => (await import('./schema.js')).addSchemaCommand],
  ['completion', async () => (await import('./completion.js')).addCompletionCommand],
]);

/** These speak of all commands. */
const ofAll: ReadonlySet<string> = new Set(['completion', 'help']);

/**
 * The command that the arguments name; all of them where they name none, or one of all. The version
 * needs none of them.
 */
export async function commandsFor(argv: readonly string[]): Promise<readonly AddCommand[]> {
  if (argv[0] === '--version' || argv[0] === '-V') return [];
  const word = argv.find((each) => !each.startsWith('-')) ?? 'help';
  const named = ofAll.has(word) ? undefined : commands.get(word);
  const added: AddCommand[] = [];
  for (const load of named === undefined ? commands.values() : [named]) added.push(await load());
  return added;
}
