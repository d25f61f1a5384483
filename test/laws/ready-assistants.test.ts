/** Workflows in which some nodes are assistants already: what is compiled is always faithful. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { CompileOptions } from '../../src/compiler/ir/options.js';
import { validateSquad, validateVapiSquad } from '../../src/schemas/validators.generated.js';
import type { SpecNode, SpecWorkflow } from '../../src/testing.js';
import { choosing, settle, workflowArbitrary } from '../../src/testing.js';
import { runs, seed } from '../seed.js';

const modes = [
  'assistant-speaks-first',
  'assistant-waits-for-user',
  'assistant-speaks-first-with-model-generated-message',
];

/** The node as an assistant: whole, or by the id of a saved one. */
function asAssistant(node: SpecNode, pick: number): object {
  const { id, isGlobal, condition, firstMessage, systemPrompt } = node;
  const entry = { ...(isGlobal ? { isGlobal } : {}), ...(condition ? { condition } : {}) };
  if (pick < 2) return { id, ...entry, type: 'assistant', assistantId: `asst-${pick}` };
  const messages = [{ role: 'system', content: systemPrompt ?? 'Help.' }];
  const assistant = {
    ...(firstMessage === undefined ? {} : { firstMessage }),
    ...(pick < 5 ? { firstMessageMode: modes[pick - 2] } : {}),
    ...(pick % 2 === 0 ? { endCallMessage: `Bye from ${id}.`, backgroundSound: 'off' } : {}),
    model: { provider: 'openai', model: 'gpt-4o', temperature: pick / 10, messages },
  };
  return { id, ...entry, type: 'assistant', assistant };
}

function withAssistants(workflow: SpecWorkflow, picks: readonly number[]): object {
  const isTalk = ({ type }: SpecNode) => type === 'conversation' || type === 'gather';
  const nodes = workflow.nodes.map((node, at) => {
    const pick = picks[at % picks.length]!;
    return isTalk(node) && pick < 7 ? asAssistant(node, pick) : node;
  });
  // One at least, so that the document is one of the platform's.
  const extra = asAssistant({ id: 'extra', type: 'conversation' }, 6);
  return { backgroundSound: 'office', ...workflow, nodes: [...nodes, extra] };
}

it.each<CompileOptions>([
  { target: 'vapi' },
  { target: 'vapi', handoffTools: 'grouped', boundary: 'tools', pass: 'arguments' },
  { target: 'squad' },
])('assistants of the source come out as they are (%j)', (options) => {
  const validate = options.target === 'vapi' ? validateVapiSquad : validateSquad;
  let complete = 0;
  const numbers = fc.array(fc.nat(99), { minLength: 1, maxLength: 8 });
  const picks = fc.array(fc.nat(16), { minLength: 1, maxLength: 10 });
  const property = fc.property(workflowArbitrary(), picks, numbers, (workflow, own, choices) => {
    const document = withAssistants(workflow, own);
    const { output, ledger, sourceMap } = settle(document, options, choosing(choices)).result;
    if (output === null) return;
    complete += 1;
    validate(output);
    expect(validate.errors ?? []).toEqual([]);
    expect(ledger.length).toBeGreaterThan(0);
    expect(sourceMap.length).toBeGreaterThan(0);
  });
  const count = runs(120);
  fc.assert(property, { seed, numRuns: count });
  expect(complete).toBeGreaterThan(count / 8);
});
