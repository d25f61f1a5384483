import { describe, expect, it } from 'vitest';
import { checkCallers } from './checks.js';
import { clinic, migrate, withValue } from './migration.js';

const input = migrate(clinic);

describe('item 9', () => {
  it('holds where nothing is called workflowId, and says how to find callers', () => {
    const item = checkCallers(input);
    expect(item.holds).toBe(true);
    expect(item.evidence[0]?.text).toContain('`squadc callers`');
  });

  it('fails where a key is', () => {
    const at = '/squad/members/0/assistant/workflowId';
    const item = checkCallers(withValue(input, at, 'w1'));
    expect(item.holds).toBe(false);
    expect(item.evidence).toEqual([expect.objectContaining({ output: [at] })]);
  });

  it('fails where a text is, wherever it stands', () => {
    const at = '/squad/memberOverrides';
    const item = checkCallers(withValue(input, at, { variables: ['squadId', 'workflowId'] }));
    expect(item.evidence[0]?.output).toEqual([`${at}/variables/1`]);
  });

  it('says nothing about texts that only speak of it', () => {
    const at = '/squad/members/0/assistant/model/messages/0/content';
    expect(checkCallers(withValue(input, at, 'Never mention the workflowId.')).holds).toBe(true);
  });
});
