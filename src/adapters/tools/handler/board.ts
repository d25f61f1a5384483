/**
 * What a handler works with, settled once: the tools, which of them may be called, what may be said.
 *
 * In: options. Out: the same for every message. All that can be wrong with the options is found here
 * (`api/invalid-option`), before there is a message.
 */
import { toolDefinitions } from '../table/definitions.js';
import { bindingFault, boundFor, checkNames } from './binding.js';
import { type FileHosts, fileHostsOf } from './file-hosts.js';
import { type HandlerSettings, wrongOption } from './options.js';
import { isSayable, type SayableFact } from './say-answer.js';
import { hasService } from './services.js';
import { type Tool, toolsByName } from './tools-by-name.js';

export interface Board {
  /** A map: a name of a tool is anything that a model may write. */
  readonly tools: ReadonlyMap<string, Tool>;
  /** Operations. */
  readonly allowed: ReadonlySet<string>;
  readonly hosts: FileHosts;
  /** What may be said of an operation. */
  readonly sayable: (operation: string) => readonly SayableFact[];
}

export function boardOf(options: HandlerSettings): Board {
  const tools = toolsByName(options.tools);
  const allowed = allowedOperations(options);
  checkBinding(options, [...tools.values()], allowed);
  return { tools, allowed, hosts: fileHostsOf(options.fileHosts), sayable: sayableBy(options) };
}

function allowedOperations({ allow = [], ...services }: HandlerSettings): ReadonlySet<string> {
  for (const operation of allow) {
    const definition = toolDefinitions[operation];
    if (!definition || !hasService(services, definition)) throw wrongOption(`allow: ${operation}`);
  }
  return new Set(allow);
}

function sayableBy({ say = {} }: HandlerSettings): Board['sayable'] {
  for (const [operation, facts] of Object.entries(say)) {
    const right = toolDefinitions[operation] && facts.every(isSayable);
    if (!right) throw wrongOption(`say.${operation}`);
  }
  return (operation) => [
    ...(toolDefinitions[operation]?.sayable ?? []),
    ...(Object.hasOwn(say, operation) ? (say[operation] ?? []) : []),
  ];
}

/** What is bound by a function is known with a message only, and judged then. */
function checkBinding(
  { bind = {} }: HandlerSettings,
  tools: readonly Tool[],
  allowed: ReadonlySet<string>,
): void {
  for (const tool of tools) checkNames(tool.bind, `tools.${tool.name}.bind`);
  if (typeof bind === 'function') return;
  checkNames(bind, 'bind');
  for (const operation of allowed) {
    const those = tools.filter(({ definition }) => definition.operation === operation);
    const configured = those.filter((tool) => tool.configured);
    // Where a squad has a tool of its own, the one of the table is not called.
    for (const tool of configured.length > 0 ? configured : those) {
      const fault = bindingFault(tool, boundFor(tool, bind));
      const option = tool.configured ? `tools.${tool.name}.bind` : 'bind';
      if (fault !== undefined) throw wrongOption(`${option}.${fault}`);
    }
  }
}
