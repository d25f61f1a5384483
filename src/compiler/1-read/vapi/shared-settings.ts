/**
 * Settings of the workflow that become settings of all assistants: whatever the platform lets a
 * squad override, the three aside that the grouping looks at.
 */
import type { NamedSetting } from '../../ir/workflow.js';
import { type Reading, takeValue } from './reading.js';

/** Fields of the platform's overrides. */
const overridable = [
  'analysisPlan',
  'artifactPlan',
  'backgroundSound',
  'backgroundSpeechDenoisingPlan',
  'clientMessages',
  'compliancePlan',
  'credentialIds',
  'credentials',
  'endCallMessage',
  'endCallPhrases',
  'hooks',
  'keypadInputPlan',
  'maxDurationSeconds',
  'metadata',
  'modelOutputInMessagesEnabled',
  'monitorPlan',
  'observabilityPlan',
  'server',
  'serverMessages',
  'startSpeakingPlan',
  'stopSpeakingPlan',
  'transportConfigurations',
  'variableValues',
  'voicemailDetection',
  'voicemailMessage',
];

export function takeShared(workflow: Reading): NamedSetting[] {
  return overridable.flatMap((key): NamedSetting[] => {
    const value = takeValue(workflow, key);
    return value === null ? [] : [{ key, value }];
  });
}
