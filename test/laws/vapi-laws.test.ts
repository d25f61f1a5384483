/** All laws for the target `vapi`, where guards and arguments are among the answers. */
import { describe } from 'vitest';
import type { CompileOptions } from '../../src/compiler/ir/options.js';
import { workflowArbitrary } from '../../src/testing/index.js';
import { lawsOfChanges, lawsOfOne, tryLaws } from './try-laws.js';

describe('for the target `vapi`', () => {
  const compile = { target: 'vapi' } as const;
  tryLaws([...lawsOfOne, ...lawsOfChanges], workflowArbitrary(), { count: 150, compile });
});

describe('where much is captured, read and critical', () => {
  const compile: CompileOptions = { target: 'vapi', criticalVariables: ['alpha', 'beta'] };
  const workflows = workflowArbitrary({ captures: 'many', gaps: false, settings: false });
  tryLaws(['plansSound', 'plansMinimal', 'squadVerified'], workflows, { count: 200, compile });
});
