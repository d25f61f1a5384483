import { describe, expect, it } from 'vitest';
import type { SpecWorkflow } from '../../src/testing/spec-workflow.js';
import { checkEndings } from './checks.js';
import {
  clinic,
  edge,
  faultsOf,
  member,
  migrate,
  places,
  talk,
  without,
  withValue,
} from './migration.js';

const input = migrate(clinic);

describe('item 6', () => {
  it('holds where every prompt says when to end the call', () => {
    const item = checkEndings(input);
    expect(faultsOf(item)).toEqual([]);
    expect(item.evidence.map(({ text }) => text)).toEqual(
      ['scheduling', 'billing', 'operator'].map(
        (name) => `The prompt of “${name}” says when to end the call and what to say before.`,
      ),
    );
    expect(item.evidence[1]?.source).toEqual(['/edges/7']);
  });

  it('holds where no call ends, and says so', () => {
    const item = checkEndings(migrate({ name: 'One', nodes: [talk('a')], edges: [] }));
    expect(item.evidence.map(({ text }) => text)).toEqual([
      'No endCall or hangup node can be reached.',
    ]);
  });

  it('wants a global end in every prompt', () => {
    const nodes = clinic.nodes.map((node) =>
      node.id === 'bye' ? { ...node, isGlobal: true, condition: 'says goodbye' } : node,
    );
    const everywhere = migrate({ ...clinic, nodes });
    expect(checkEndings(everywhere).evidence).toHaveLength(4);
    expect(checkEndings(everywhere).holds).toBe(true);
    const at = `${member(everywhere, 'billing')}/assistant/model/messages/0/content`;
    expect(checkEndings(withValue(everywhere, at, 'Be kind.')).holds).toBe(false);
  });

  it('does not know what a saved assistant says', () => {
    const saved = withValue(input, member(input, 'billing'), { assistantId: 'saved' });
    expect(faultsOf(checkEndings(saved))).toEqual([]);
  });
});

describe.each(['squad', 'vapi'] as const)('item 6 for target %s', (target) => {
  const given = migrate(clinic, { target });
  const prompt = (name: string) => `${member(given, name)}/assistant/model/messages/0/content`;

  it('fails where a prompt does not say it', () => {
    const endless = withValue(given, prompt('billing'), (old) =>
      old.replaceAll('end the call', 'go on'),
    );
    expect(faultsOf(checkEndings(endless))).toEqual([
      'A call can end in “billing”, but its prompt does not say “end the call”.',
    ]);
  });

  it('fails where a prompt says it less often, or more often, than a call can end', () => {
    const once = withValue(given, prompt('scheduling'), (old) =>
      old.replace('then end the call', 'then go on'),
    );
    expect(faultsOf(checkEndings(once))).toEqual([
      'The prompt of “scheduling” says 1 time to “end the call”, but it can end there in 2 ways.',
    ]);
    const more = withValue(
      given,
      prompt('billing'),
      (old) => `${old}- at once, then end the call\n`,
    );
    expect(faultsOf(checkEndings(more))).toEqual([
      'The prompt of “billing” says 2 times to “end the call”, but it can end there in 1 way.',
    ]);
  });

  it('fails where a prompt says it and no call can end', () => {
    const wrong = withValue(given, prompt('greeting'), (old) => `${old}Now end the call.`);
    expect(faultsOf(checkEndings(wrong))).toEqual([
      'The prompt of “greeting” says “end the call”, but no call can end there.',
    ]);
  });

  it('fails where the closing line or the condition is lost', () => {
    const rude = withValue(given, prompt('billing'), (old) => old.replaceAll('Goodbye.', ''));
    expect(faultsOf(checkEndings(rude))).toEqual([
      'The prompt of “billing” lacks “Goodbye.”, which belongs to the end of the call.',
    ]);
    const vague = withValue(given, prompt('billing'), (old) =>
      old.replaceAll('has understood', 'is happy'),
    );
    expect(faultsOf(checkEndings(vague))).toEqual([
      'The prompt of “billing” lacks “has understood”, which belongs to the end of the call.',
    ]);
  });

  it('wants the tool to end it on the platform', () => {
    const tools = places(given.document).filter(({ value }) => value === 'endCall');
    expect(tools).toHaveLength(target === 'vapi' ? 3 : 0);
    for (const { at } of tools.slice(0, 1)) {
      expect(faultsOf(checkEndings(without(given, at.replace(/\/type$/, ''))))).toEqual([
        'A call can end in “scheduling”, but it has no tool to end it.',
      ]);
    }
  });
});

describe('the source’s own words', () => {
  const wordy: SpecWorkflow = {
    name: 'Wordy',
    nodes: [
      talk('start', { systemPrompt: 'Be kind, then end the call\nNever end the call first.' }),
      talk('the one to end the call', { systemPrompt: 'Ask what they want.' }),
      talk('other'),
      { id: 'bye', type: 'hangup', systemPrompt: 'Say thanks, then end the call' },
    ],
    edges: [
      edge('start>other: then end the call'),
      { from: 'start', to: 'the one to end the call', condition: 'wants to end the call' },
      edge('other>bye: asks to end the call'),
      edge('other>bye: then end the call'),
    ],
  };
  const given = migrate(wordy);

  it('are not squadc’s', () => {
    const item = checkEndings(given);
    expect(faultsOf(item)).toEqual([]);
    expect(item.evidence).toHaveLength(1);
  });

  it('are no fault, whatever they are', () => {
    const asks = { name: 'x', type: 'string' as const, description: 'then end the call' };
    const hostile = migrate({
      name: 'Hostile',
      nodes: [
        talk('a', { extractVariables: [{ ...asks, enum: ['  then end the call', 'x'] }] }),
        { id: 'b', type: 'hangup' },
        talk('end the call'),
        {
          id: 'end {the} call',
          type: 'transferCall',
          destination: '+14155550100',
          isGlobal: true,
        },
      ],
      edges: [
        { from: 'a', to: 'b' },
        { from: 'a', to: 'end the call', condition: ', then end the call' },
      ],
    });
    expect(faultsOf(checkEndings(hostile))).toEqual([]);
  });

  it('do not stand for squadc’s', () => {
    const at = `${member(given, 'other')}/assistant/model/messages/0/content`;
    const none = withValue(given, at, (old) => old.replaceAll('end the call', 'go on'));
    expect(checkEndings(none).holds).toBe(false);
    const thrice = withValue(given, at, (old) => `${old}- at once, then end the call\n`.repeat(3));
    expect(checkEndings(thrice).holds).toBe(false);
    const start = `${member(given, 'start')}/assistant/model/messages/0/content`;
    const more = withValue(given, start, (old) => `${old}Now end the call.`);
    expect(checkEndings(more).holds).toBe(false);
  });
});
