/** The result for what was not compiled: nothing in it was looked at. */
import type { CompileResult } from './result.js';

export const emptyResult: CompileResult = {
  status: 'invalid',
  output: null,
  draft: null,
  questions: [],
  diagnostics: [],
  checklist: [],
  sourceMap: [],
  ledger: [],
  stats: {
    nodes: 0,
    edges: 0,
    assistants: 0,
    handoffs: 0,
    extractions: 0,
    tools: 0,
    questions: 0,
  },
};
