/** What a request calls: a tool of the platform's own, or an older node that says it itself. */
import { child } from '../../ir/ids.js';
import { isJsonObject } from '../../ir/json.js';
import { fromSource, traced } from '../../ir/provenance.js';
import type { NamedSetting, Request } from '../../ir/workflow.js';
import { readRequest, requestFields } from '../read-request.js';
import { textsWithin } from '../texts.js';
import { type Reading, take, takeInsides, takeString, takeText, takeValue } from './reading.js';
import { takeResponses, takeSchema } from './responses.js';

/** Fields that are passed on as they are. */
const passedFields = ['backoffPlan', 'encryptedPaths', 'messages', 'rejectionPlan'];

export function takeRequest(tool: Reading): Request {
  const { value, at, faults } = tool;
  // Its older form says what it takes from the response in a field of its own.
  const { responseVariables: _, ...fields } = value;
  const request = readRequest({ value: fields, at, faults }, []);
  for (const field of requestFields) if (field !== 'responseVariables') take(tool, field);
  const planned = takeResponses(tool);
  const output = isJsonObject(value['output']) ? takeSchema(tool, 'output') : null;
  const credentialId = takeString(tool, 'credentialId');
  const passed = passedFields.flatMap((key): NamedSetting[] => {
    const part = takeValue(tool, key);
    return part === null ? [] : [{ key, value: part }];
  });
  const statics = takeStatics(tool);
  if (value['mode'] === 'blocking') take(tool, 'mode');
  const description = takeText(tool, 'description');
  const variables = [...planned.variables, ...(output?.variables ?? [])];
  return {
    ...request,
    credentialId:
      credentialId === null ? null : traced(credentialId, fromSource(child(at, 'credentialId'))),
    authenticated: request.authenticated || credentialId !== null,
    responses: variables,
    responseSchema: planned.schema ?? output?.schema ?? null,
    description,
    statics,
    passed,
    texts: [
      ...request.texts,
      ...statics.flatMap((it) => textsWithin(it.value.value, child(at, 'parameters'), faults)),
      ...passed.flatMap((part) => textsWithin(part.value.value, child(at, part.key), faults)),
      ...(description === null ? [] : [description]),
      ...variables.flatMap((it) => it.value ?? []),
    ],
  };
}

/** Arguments that the model neither sees nor fills. */
function takeStatics(tool: Reading): NamedSetting[] {
  return takeInsides(tool, 'parameters').flatMap((entry) => {
    const key = takeString(entry, 'key');
    const value = takeValue(entry, 'value');
    return key === null || value === null ? [] : [{ key, value }];
  });
}
