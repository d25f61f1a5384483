/** Some laws on workflows of their own: with much to carry, bigger, and for the boundary `tools`. */
import { describe } from 'vitest';
import { workflowArbitrary } from '../../src/testing/index.js';
import { lawsOfChanges, lawsOfOne, tryLaws } from './try-laws.js';

describe('where much is captured and read', () => {
  const workflows = workflowArbitrary({ captures: 'many', gaps: false, settings: false });
  const compile = { criticalVariables: ['alpha', 'beta'] };
  tryLaws(['plansSound', 'plansMinimal'], workflows, { count: 200 });
  tryLaws(['plansSound', 'plansMinimal'], workflows, { count: 150, compile });
});

describe('for the boundary `tools`', () => {
  const compile = { boundary: 'tools' } as const;
  tryLaws([...lawsOfOne, ...lawsOfChanges], workflowArbitrary(), { count: 60, compile });
});

describe('on bigger workflows', () => {
  const names = ['groupingCanonical', 'plansSound', 'plansMinimal', 'squadVerified'] as const;
  tryLaws(names, workflowArbitrary({ size: 25 }), { count: 20 });
});
