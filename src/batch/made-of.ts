/** Hashes of what workflows' files are made of beside the workflows. */

import type { WorkflowAnswers } from './answers/run-answers.js';
import { hashOf } from './canonical.js';
import type { RunRequest, RunSetup } from './setup.js';

export function madeOf(request: OfRun): RunSetup['made'] {
  const { workflows } = request.answers;
  return {
    ofRun: madeOfRun(request),
    ofAnswers: new Map([...workflows].map(([key, given]) => [key, hashOfAnswers(given)])),
  };
}

type OfRun = Pick<RunRequest, 'squadc' | 'options' | 'acceptProposals' | 'answers'>;

/** Of all workflows. */
export function madeOfRun({ squadc, options, acceptProposals, answers }: OfRun): string {
  const { policies } = answers;
  return hashOf({ squadc, options, policies, acceptProposals });
}

/** The same for any order of them; empty where there are none. */
export function hashOfAnswers(answers: WorkflowAnswers | undefined): string {
  return answers === undefined || answers.size === 0 ? '' : hashOf(Object.fromEntries(answers));
}
