/** `squadc/tools`: the operations as tools of voice assistants, and the handler of their calls. */

export { type BoundWorkflow, bindOperations } from './adapters/tools/bind-operations.js';
export type { BindOptions } from './adapters/tools/bindings.js';
export { createToolHandler, type ToolHandler } from './adapters/tools/handler.js';
export type {
  Authorize,
  Bound,
  CallReport,
  CallStore,
  Claim,
  Limits,
  Secret,
  ToolBinding,
  ToolCallsMessage,
  ToolHandlerOptions,
} from './adapters/tools/options.js';
export type { CallResult, ResultCode, SayableFact } from './adapters/tools/say.js';
export { createMemoryStore, type MemoryStoreOptions } from './adapters/tools/store.js';
export {
  type ParametersSchema,
  parametersSchema,
  toolDefinitions,
} from './adapters/tools/table.js';
export type {
  Effect,
  SaidAs,
  Sayable,
  ToolDefinition,
  ToolParameter,
  ValueSchema,
} from './adapters/tools/tool.js';
