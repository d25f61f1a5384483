/** The commands in the order of the help. Each is loaded only when it is needed. */
import type { CommandData } from './command.js';

const commands: Readonly<Record<string, () => Promise<CommandData>>> = {
  compile: async () => (await import('./commands/compile.js')).compileCommand,
  check: async () => (await import('./commands/check.js')).checkCommand,
  migrate: async () => (await import('./commands/migrate.js')).migrateCommand,
  assess: async () => (await import('./commands/assess.js')).assessCommand,
  report: async () => (await import('./commands/report.js')).reportCommand,
  answer: async () => (await import('./commands/answer.js')).answerCommand,
  walk: async () => (await import('./commands/walk.js')).walkCommand,
  playground: async () => (await import('./commands/playground.js')).playgroundCommand,
  scenarios: async () => (await import('./commands/scenarios.js')).scenariosCommand,
  graph: async () => (await import('./commands/graph.js')).graphCommand,
  callers: async () => (await import('./commands/callers.js')).callersCommand,
  pull: async () => (await import('./commands/pull.js')).pullCommand,
  push: async () => (await import('./commands/push.js')).pushCommand,
  rollback: async () => (await import('./commands/rollback.js')).rollbackCommand,
  explain: async () => (await import('./commands/explain.js')).explainCommand,
  fuzz: async () => (await import('./commands/fuzz.js')).fuzzCommand,
  sandbox: async () => (await import('./commands/sandbox.js')).sandboxCommand,
  tools: async () => (await import('./commands/tools.js')).toolsCommand,
  serve: async () => (await import('./commands/serve.js')).serveCommand,
  schema: async () => (await import('./commands/schema.js')).schemaCommand,
};

/** The command that the arguments name; all commands if they name none or ask for help. */
export async function commandsFor(argv: readonly string[]): Promise<readonly CommandData[]> {
  const word = argv.find((each) => !each.startsWith('-')) ?? 'help';
  const loads = Object.hasOwn(commands, word) ? [commands[word]!] : Object.values(commands);
  return Promise.all(loads.map((load) => load()));
}
