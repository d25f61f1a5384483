/** `squadc/tools`: the operations as tools of voice assistants, and the handler of their calls. */

export { type ParametersSchema, parametersSchema } from './serve/arguments.js';
export { type BoundWorkflow, bindOperations } from './serve/bind-operations.js';
export type { BindOptions } from './serve/bindings.js';
export { createToolHandler, type ToolHandler } from './serve/handler.js';
export {
  type CallStore,
  type Claim,
  createMemoryStore,
  type MemoryStoreOptions,
} from './serve/memory.js';
export type {
  Authorize,
  Bound,
  CallReport,
  Limits,
  Secret,
  ToolBinding,
  ToolCallsMessage,
  ToolHandlerOptions,
} from './serve/options.js';
export type { CallResult, ResultCode, SayableFact } from './serve/say.js';
export {
  type Effect,
  type SaidAs,
  type Sayable,
  type ToolDefinition,
  type ToolParameter,
  toolDefinitions,
  type ValueSchema,
} from './serve/table.js';
