/** What a node does, as a text that two nodes share when they do the same. */
import {
  givenToolKey,
  type NamedSetting,
  type Operation,
  type Text,
  type Transfer,
  type WorkflowNode,
} from '../ir/workflow.js';

/** Everything that a node does, its id, name and continuations aside. */
export function behaviourOf(node: WorkflowNode): string {
  return JSON.stringify([
    node.type,
    textKey(node.firstMessage),
    textKey(node.systemPrompt),
    node.captures.map((it) => [
      it.name,
      it.type,
      textKey(it.description),
      it.enum,
      it.details?.value ?? null,
      textKey(it.alias ?? null),
    ]),
    node.calls.map((it) => [it.tool, it.node, it.variables]),
    node.transfer && transferKey(node.transfer),
    requestKey(node),
    // The order in which a node has its tools says nothing.
    [...new Set(node.tools.map(givenToolKey))].sort(),
    [node.settings.model, node.settings.voice, node.settings.transcriber].map(
      (setting) => setting?.value ?? null,
    ),
    node.assistant?.savedAs?.value ?? null,
  ]);
}

function requestKey(node: WorkflowNode): unknown {
  const request = node.request;
  if (request === null) return null;
  return [
    request.url?.value ?? null,
    request.method?.value ?? null,
    request.headers?.value ?? null,
    request.body?.value ?? null,
    request.timeoutSeconds?.value ?? null,
    request.credentialId?.value ?? null,
    request.operation && operationKey(request.operation),
    request.responses.map((it) => [it.name, it.path, textKey(it.value)]),
    request.responseSchema?.value ?? null,
    textKey(request.description),
    settingsKey(request.statics),
    settingsKey(request.passed),
  ];
}

function operationKey({ id, bound, account }: Operation): unknown {
  return [id.value, settingsKey(bound), settingsKey(account)];
}

function transferKey(transfer: Transfer): unknown {
  return [
    transfer.destination?.value ?? null,
    textKey(transfer.message),
    textKey(transfer.description),
    settingsKey(transfer.passed),
    transfer.others.map(transferKey),
  ];
}

function settingsKey(settings: readonly NamedSetting[]): unknown {
  return settings.map(({ key, value }) => [key, value.value]);
}

function textKey(text: Text | null): string | null {
  return text === null ? null : text.value;
}
