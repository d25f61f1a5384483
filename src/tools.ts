/** `squadc/tools`: the operations as tools of voice assistants, and the handler of their calls. */

export {
  type BoundWorkflow,
  bindOperations,
} from './adapters/tools/bind/bind-operations.js';
export type { BindOptions } from './adapters/tools/bind/bindings.js';
export type { CallReport } from './adapters/tools/handler/call-report.js';
export { createToolHandler, type ToolHandler } from './adapters/tools/handler/handler.js';
export type {
  Authorize,
  Bound,
  Limits,
  Secret,
  ToolBinding,
  ToolHandlerOptions,
} from './adapters/tools/handler/options.js';
export type { ToolCallsMessage } from './adapters/tools/handler/request.js';
export type { SayableFact } from './adapters/tools/handler/say.js';
export {
  type CallStore,
  type Claim,
  createMemoryStore,
  type MemoryStoreOptions,
} from './adapters/tools/handler/store.js';
export type { CallResult, ResultCode } from './adapters/tools/handler/texts.js';
export { toolDefinitions } from './adapters/tools/table/definitions.js';
export {
  type ParametersSchema,
  parametersSchema,
} from './adapters/tools/table/parameters-schema.js';
export type {
  Effect,
  SaidAs,
  Sayable,
  ToolDefinition,
  ToolParameter,
  ValueSchema,
} from './adapters/tools/table/tool.js';
