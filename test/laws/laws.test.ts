/** The laws of one workflow, on generated workflows with generated answers. */
import { workflowArbitrary } from '../../src/testing/index.js';
import { lawsOfOne, tryLaws } from './try-laws.js';

tryLaws(lawsOfOne, workflowArbitrary(), { count: 400 });
