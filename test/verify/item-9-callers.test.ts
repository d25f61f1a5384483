import { describe, expect, it } from 'vitest';
import { checkCallers } from './checks.js';
import { clinic, member, migrate, withValue } from './migration.js';

describe.each(['squad', 'vapi'] as const)('item 9 for target %s', (target) => {
  const input = migrate(clinic, { target });
  const first = member(input, 'greeting');

  it('holds where nothing is called workflowId, and says how to find callers', () => {
    const item = checkCallers(input);
    expect(item.holds).toBe(true);
    expect(item.evidence[0]?.text).toContain('`squadc callers`');
  });

  it('fails where a key is', () => {
    const at = `${first}/assistant/workflowId`;
    const item = checkCallers(withValue(input, at, 'w1'));
    expect(item.holds).toBe(false);
    expect(item.evidence).toEqual([expect.objectContaining({ output: [at] })]);
  });

  it('fails where a text is, wherever it stands', () => {
    const at = `${first}/assistantOverrides`;
    const item = checkCallers(
      withValue(input, at, {
        'a/b': [{}, ['squadId', 'workflowId']],
        workflowId: { workflowId: 1 },
      }),
    );
    expect(item.evidence.map(({ output }) => output)).toEqual([
      [`${at}/a~1b/1/1`],
      [`${at}/workflowId`],
      [`${at}/workflowId/workflowId`],
    ]);
  });

  it('says where the workflow itself does, and fails where only the squad does', () => {
    const nodes = clinic.nodes.map((node) =>
      node.id === 'lookup' ? { ...node, body: { workflowId: 'w1' } } : node,
    );
    const carrying = migrate({ ...clinic, nodes }, { target });
    const item = checkCallers(carrying);
    expect(item.holds).toBe(true);
    expect(item.evidence[1]?.text).toContain('The workflow itself names a workflowId here');
    expect(checkCallers(withValue(carrying, `${first}/assistant/workflowId`, 'w1')).holds).toBe(
      false,
    );
  });

  it('says nothing about texts that only speak of it', () => {
    const at = `${first}/assistant/model/messages/0/content`;
    expect(checkCallers(withValue(input, at, 'Never mention the workflowId.')).holds).toBe(true);
  });
});
