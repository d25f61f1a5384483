/** `squadc/tools`: the operations as tools of voice assistants, and the handler of their calls. */

export { type ParametersSchema, parametersSchema } from './adapters/tools/arguments.js';
export { type BoundWorkflow, bindOperations } from './adapters/tools/bind-operations.js';
export type { BindOptions } from './adapters/tools/bindings.js';
export { createToolHandler, type ToolHandler } from './adapters/tools/handler.js';
export {
  type CallStore,
  type Claim,
  createMemoryStore,
  type MemoryStoreOptions,
} from './adapters/tools/memory.js';
export type {
  Authorize,
  Bound,
  CallReport,
  Limits,
  Secret,
  ToolBinding,
  ToolCallsMessage,
  ToolHandlerOptions,
} from './adapters/tools/options.js';
export type { CallResult, ResultCode, SayableFact } from './adapters/tools/say.js';
export {
  type Effect,
  type SaidAs,
  type Sayable,
  type ToolDefinition,
  type ToolParameter,
  toolDefinitions,
  type ValueSchema,
} from './adapters/tools/table.js';
