/** All laws for the target `vapi`, where guards and arguments are among the answers. */
import { describe } from 'vitest';
import type { CompileOptions } from '../../src/compiler/ir/options.js';
import { type SpecWorkflow, workflowArbitrary } from '../../src/testing/index.js';
import { lawsOfChanges, lawsOfOne, tryLaws } from './try-laws.js';

describe('for the target `vapi`', () => {
  const compile = { target: 'vapi' } as const;
  tryLaws([...lawsOfOne, ...lawsOfChanges], workflowArbitrary(), { count: 75, compile });
});

describe('where what crosses is demanded as arguments', () => {
  const compile = { target: 'vapi', pass: 'arguments' } as const;
  const names = ['plansSound', 'plansMinimal', 'squadVerified', 'sourceMapCovers'] as const;
  tryLaws(names, workflowArbitrary({ captures: 'many', gaps: false }), { count: 60, compile });
  describe('and one variable bears the name of the argument that says where to', () => {
    const named = workflowArbitrary({ captures: 'many', gaps: false }).map((workflow) => {
      const text = JSON.stringify(workflow).replaceAll('alpha', 'destination');
      return JSON.parse(text) as SpecWorkflow;
    });
    tryLaws(names, named, { count: 30, compile });
  });
  describe('by whatever names', () => {
    const hostile = workflowArbitrary({ hostile: true, captures: 'many' });
    tryLaws(lawsOfOne, hostile, { count: 20, compile });
  });
});

describe('where much is captured, read and critical', () => {
  const compile: CompileOptions = { target: 'vapi', criticalVariables: ['alpha', 'beta'] };
  const workflows = workflowArbitrary({ captures: 'many', gaps: false, settings: false });
  tryLaws(['plansSound', 'plansMinimal', 'squadVerified'], workflows, { count: 100, compile });
});
