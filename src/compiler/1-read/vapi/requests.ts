/** What a request calls: a tool of the platform's own, or an older node that says it itself. */
import { child } from '../../ir/ids.js';
import { isJsonObject } from '../../ir/json.js';
import { fromSource, traced } from '../../ir/provenance.js';
import type { Diagnostic } from '../../ir/result.js';
import type { NamedSetting, Request } from '../../ir/workflow.js';
import { readRequest, requestFields } from '../read-request.js';
import { textsWithin } from '../texts.js';
import { type Reading, take, takeInsides, takeString, takeText, takeValue } from './reading.js';
import { takeResponses, takeSchema } from './responses.js';

/** Fields that are passed on as they are. */
const passedFields = ['backoffPlan', 'encryptedPaths', 'messages', 'rejectionPlan'];

export function takeRequest(tool: Reading): Request {
  const { value, at, faults } = tool;
  const request = readRequest(tool, []);
  for (const field of requestFields) take(tool, field);
  const planned = takeResponses(tool);
  const output = isJsonObject(value['output']) ? takeSchema(tool, 'output') : null;
  const credentialId = takeString(tool, 'credentialId');
  const passed = passedFields.flatMap((key): NamedSetting[] => {
    const part = takeValue(tool, key);
    return part === null ? [] : [{ key, value: part }];
  });
  const statics = takeStatics(tool);
  // A request that a call waits for is what a request is.
  if (value['mode'] === 'blocking') take(tool, 'mode');
  const description = takeText(tool, 'description');
  const responses = [...request.responses, ...planned.variables, ...(output?.variables ?? [])];
  const furtherTexts = [
    ...[...statics, ...passed].flatMap((field) => textsOf(field, at, faults)),
    ...(description === null ? [] : [description]),
    ...responses.flatMap((it) => it.value ?? []),
  ];
  return {
    ...request,
    credentialId:
      credentialId === null ? null : traced(credentialId, fromSource(child(at, 'credentialId'))),
    authenticated: request.authenticated || credentialId !== null,
    responses,
    responseSchema: planned.schema ?? output?.schema ?? null,
    description,
    statics,
    passed,
    texts: [...request.texts, ...furtherTexts],
    furtherTexts,
  };
}

function textsOf({ value: { value, origin } }: NamedSetting, at: string, faults: Diagnostic[]) {
  return textsWithin(value, origin.kind === 'source' ? origin.at : at, faults);
}

/** Arguments that the model neither sees nor fills. */
function takeStatics(tool: Reading): NamedSetting[] {
  return takeInsides(tool, 'parameters').flatMap((entry) => {
    const key = takeString(entry, 'key');
    const value = takeValue(entry, 'value');
    return key === null || value === null ? [] : [{ key, value }];
  });
}
