import { describe, expect, it } from 'vitest';
import { checkEndings } from './checks.js';
import { clinic, faultsOf, member, migrate, talk, withValue } from './migration.js';

const input = migrate(clinic);
const prompt = `${member(input, 'billing')}/assistant/model/messages/0/content`;

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

  it('fails where a prompt does not say it', () => {
    const endless = withValue(input, prompt, (old) => old.replaceAll('end the call', 'go on'));
    expect(faultsOf(checkEndings(endless))).toEqual([
      'A call can end in “billing”, but its prompt does not say “end the call”.',
    ]);
  });

  it('fails where the closing line or the condition is lost', () => {
    const rude = withValue(input, prompt, (old) => old.replaceAll('Goodbye.', ''));
    expect(faultsOf(checkEndings(rude))).toEqual([
      'The prompt of “billing” lacks “Goodbye.”, which belongs to the end of the call.',
    ]);
    const vague = withValue(input, prompt, (old) => old.replaceAll('has understood', 'is happy'));
    expect(checkEndings(vague).holds).toBe(false);
  });

  it('wants a global end in every prompt', () => {
    const nodes = clinic.nodes.map((node) =>
      node.id === 'bye' ? { ...node, isGlobal: true, condition: 'says goodbye' } : node,
    );
    const everywhere = migrate({ ...clinic, nodes });
    expect(checkEndings(everywhere).evidence).toHaveLength(4);
    expect(checkEndings(everywhere).holds).toBe(true);
    const silent = withValue(everywhere, prompt, 'Be kind.');
    expect(checkEndings(silent).holds).toBe(false);
  });

  it('wants the tool to end it in the shape of the voice platform', () => {
    const bare = { ...input, document: input.document['squad'] as typeof input.document };
    expect(faultsOf(checkEndings(bare))).toContain(
      'A call can end in “billing”, but it has no tool to end it.',
    );
  });
});
