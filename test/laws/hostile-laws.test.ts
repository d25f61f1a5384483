/** All laws on texts, names and ids that try to mislead whoever reads or writes a prompt. */
import { workflowArbitrary } from '../../src/testing/index.js';
import { lawsOfChanges, lawsOfOne, tryLaws } from './try-laws.js';

tryLaws([...lawsOfOne, ...lawsOfChanges], workflowArbitrary({ hostile: true }), { count: 100 });
