/**
 * What a setting of the platform can do to a call if neither the workflow nor an option asks for it.
 *
 * Everything that is not in the table changes what a caller hears or what is done, so it is a
 * difference.
 */
import { asObject, isObject, type Json } from '../../text/json.js';

/**
 * - `none`: nothing.
 * - `outside`: something before or after the call, or for those who watch it.
 * - `unclear`: perhaps something in the call.
 * - `call`: something in the call.
 */
type Effect = 'none' | 'outside' | 'unclear' | 'call';

const effects = new Map<string, Effect | ((value: Json) => Effect)>([
  ['metadata', 'none'],
  ['analysisPlan', 'outside'],
  ['artifactPlan', 'outside'],
  ['clientMessages', 'outside'],
  ['modelOutputInMessagesEnabled', 'outside'],
  ['observabilityPlan', 'outside'],
  // Tools without a server of their own are checked separately.
  ['server', 'outside'],
  ['serverMessages', 'outside'],
  ['credentialIds', 'unclear'],
  ['transportConfigurations', 'unclear'],
  // Who controls a call can speak in it and end it.
  ['monitorPlan', (value) => (asObject(value)['controlEnabled'] === true ? 'unclear' : 'outside')],
  [
    'compliancePlan',
    (value) => {
      const { recordingConsentPlan, securityFilterPlan } = asObject(value);
      // It speaks, and can end the call.
      if (isObject(recordingConsentPlan)) return 'call';
      return securityFilterPlan === undefined ? 'outside' : 'unclear';
    },
  ],
]);

/** What the platform does anyway; settings of the model by path. */
const defaults: ReadonlyMap<string, Json> = new Map<string, Json>([
  ['firstMessageInterruptionsEnabled', false],
  ['modelOutputInMessagesEnabled', false],
  ['voicemailDetection', 'off'],
  ['model/maxTokens', 250],
  ['model/temperature', 0],
]);

export function effectOf(setting: string, value: Json): Effect {
  if (defaults.get(setting) === value) return 'none';
  const effect = effects.get(setting) ?? 'call';
  return typeof effect === 'function' ? effect(value) : effect;
}
