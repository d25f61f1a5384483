/** Squads of workflows with open questions: undecided, unless they contradict every choice. */
import { describe, expect, it } from 'vitest';
import type { CompileOptions } from '../../src/index.js';
import { captures, compile, flow, request, sketch } from '../compiler/build.js';
import { replaced } from './squads.js';

const round = sketch('s > b | b > c: x | c > b: y');
const tiers = sketch("ask > gold: tier == 'g' | ask > other: anything else", {
  ask: captures('tier'),
});
const shop = flow(
  { ask: 'Ask for the order.', look: request({ url: undefined }), tell: 'Tell the state.' },
  'ask > look: knows it | look > tell',
);
const halfShop = flow(
  { ask: 'Ask for the order.', look: request({ method: undefined }), tell: 'Tell the state.' },
  'ask > look: knows it | look > tell',
);
const policy = (kind: string, choice: string): CompileOptions => ({
  answers: { policies: { [kind]: choice } },
});
const address = { choice: 'request', value: { url: 'https://shop.example/state', method: 'GET' } };
const addressed: CompileOptions = {
  answers: {
    answers: { 'missing-endpoint:look': address },
    policies: { 'missing-auth': 'none' },
  },
};

/** The verdict without the answers that the squad was made with. */
function judged(workflow: object, made: CompileOptions, damage?: string) {
  const { output } = compile(workflow, { target: 'vapi', ...made });
  expect(output).not.toBeNull();
  const { verdict, undecided, calls } = replaced(workflow, damage, { target: 'vapi' }, output);
  return { verdict, undecided, calls };
}

describe('a squad whose workflow leaves a question open', () => {
  it.each([
    ['what the proposal gives', round, policy('cyclic-stages', 'consolidate'), 'cyclic-stages'],
    ['what another choice gives', round, policy('cyclic-stages', 'keep-split'), 'cyclic-stages'],
    ['a formula in words', tiers, policy('logical-condition', 'prose'), 'logical-condition'],
    ['a formula that is asked', tiers, policy('logical-condition', 'extract'), 'logical-condition'],
    ['an address that only an answer knows', shop, addressed, 'missing-endpoint'],
    ['an address that an answer replaces', halfShop, addressed, 'missing-endpoint'],
  ])('is undecided: %s', (_, workflow, made, kind) => {
    const found = judged(workflow, made);
    expect(found).toMatchObject({ verdict: 'undecided', calls: [] });
    expect(found.undecided).toContain(`The question “${kind}:`);
  });

  it.each([
    [
      'a lost instruction',
      round,
      policy('cyclic-stages', 'consolidate'),
      'Do the work of c. => Rest.',
    ],
    [
      'another word of a formula',
      tiers,
      policy('logical-condition', 'prose'),
      'anything else => nothing',
    ],
    ['a lost instruction beside an unknown address', shop, addressed, 'Tell the state. => Rest.'],
  ])('fails if it contradicts every choice: %s', (_, workflow, made, damage) => {
    expect(judged(workflow, made, damage).verdict).toBe('fails');
  });
});
