/**
 * What a handler works with, settled once: the tools, which of them may be called, what may be said.
 *
 * In: options. Out: the same for every message. All that can be wrong with the options is found here
 * (`api/invalid-option`), before there is a message.
 */
import { toolDefinitions } from '../table/definitions.js';
import type { ToolDefinition } from '../table/tool.js';
import { isSayable, type SayableFact } from './answer-facts.js';
import { type BoundTool, bindTool, checkNames } from './binding.js';
import { type FileHosts, fileHostsOf } from './file-hosts.js';
import { type HandlerSettings, type Limits, wrongOption } from './options.js';
import { type Say, sayerOf } from './say-answer.js';
import { hasService } from './services.js';
import { type Tool, toolsByName } from './tools-by-name.js';

export interface Board {
  /** A map: a name of a tool is anything that a model may write. */
  readonly tools: ReadonlyMap<string, Tool>;
  /** With all that is bound for them; empty where that is known with a message only. */
  readonly bound: ReadonlyMap<Tool, BoundTool>;
  /** Of the operations that may be called, and of no others: how their answers are said. */
  readonly sayers: ReadonlyMap<string, Say>;
  readonly hosts: FileHosts;
}

export function boardOf(options: HandlerSettings, { resultChars }: Limits): Board {
  const tools = toolsByName(options.tools);
  const allowed = allowedOperations(options);
  const bound = boundTools(options, [...tools.values()]);
  checkBound([...bound.values()], allowed);
  const hosts = fileHostsOf(options.fileHosts);
  return { tools, bound, hosts, sayers: sayersOf(options, allowed, resultChars) };
}

function allowedOperations({ allow = [], ...services }: HandlerSettings): ReadonlySet<string> {
  for (const operation of allow) {
    const definition = toolDefinitions[operation];
    if (!definition || !hasService(services, definition)) throw wrongOption(`allow: ${operation}`);
  }
  return new Set(allow);
}

function sayersOf(
  { say = {} }: HandlerSettings,
  allowed: ReadonlySet<string>,
  maxChars: number,
): Board['sayers'] {
  for (const [operation, facts] of Object.entries(say)) {
    const right = toolDefinitions[operation] && facts.every(isSayable);
    if (!right) throw wrongOption(`say.${operation}`);
  }
  const sayer = ({ operation, effect, sayable }: ToolDefinition) => {
    const more: readonly SayableFact[] = Object.hasOwn(say, operation)
      ? (say[operation] ?? [])
      : [];
    return [operation, sayerOf([...sayable, ...more], effect, maxChars)] as const;
  };
  const definitions = Object.values(toolDefinitions);
  return new Map(definitions.filter(({ operation }) => allowed.has(operation)).map(sayer));
}

/** What is bound by a function is known with a message only, and judged then. */
function boundTools({ bind = {} }: HandlerSettings, tools: readonly Tool[]): Board['bound'] {
  for (const tool of tools) checkNames(tool.bind, `tools.${tool.name}.bind`);
  if (typeof bind === 'function') return new Map();
  checkNames(bind, 'bind');
  return new Map(tools.map((tool) => [tool, bindTool(tool, bind)]));
}

function checkBound(bound: readonly BoundTool[], allowed: ReadonlySet<string>): void {
  for (const operation of allowed) {
    const those = bound.filter(({ tool }) => tool.definition.operation === operation);
    const configured = those.filter(({ tool }) => tool.configured);
    // Where a squad has a tool of its own, the one of the table is not called.
    for (const { tool, fault } of configured.length > 0 ? configured : those) {
      const option = tool.configured ? `tools.${tool.name}.bind` : 'bind';
      if (fault !== undefined) throw wrongOption(`${option}.${fault}`);
    }
  }
}
