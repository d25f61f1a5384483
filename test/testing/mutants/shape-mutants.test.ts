/** Shape, settings, and what only the platform has. */
import { describe, expect, it } from 'vitest';
import type { SpecWorkflow } from '../../../src/testing/index.js';
import { rareAnswers, rareWorkflow } from '../../../src/testing/mutants/rare-workflow.js';
import { at, damage, shop, told } from './example.js';

const messages = '/squad/members/0/assistant/model/messages';

describe('shapes', () => {
  it('have unknown and misspelt keys', () => {
    expect(told('unknown-key').slice(0, 3)).toEqual(['document', 'squad', 'member']);
    expect(told('key-misspelt')).toEqual(
      expect.arrayContaining(['assistantNames in destination', 'urls in apiRequest']),
    );
  });

  it('have instructions that are none', () => {
    expect(at(`${messages}/0/role`, damage('system-role-changed')).slice(0, 2)).toEqual([
      'user',
      'assistant',
    ]);
    expect(at(`${messages}/0`, damage('system-message-second'))[0]).toEqual({
      role: 'user',
      content: 'Be brief.',
    });
    expect(at(messages, damage('system-message-dropped'))[0]).toEqual([]);
    expect(at(`${messages}/0/content`, damage('system-message-emptied'))[0]).toBe('');
  });

  it('are those of the other target', () => {
    expect(damage('other-target').map(({ squad }) => Object.keys(squad))).toEqual([['members']]);
    const back = damage('other-target', shop, { target: 'vapi' });
    expect(back.map(({ squad }) => Object.keys(squad))).toEqual([['squad']]);
    expect(at('/squad/members', damage('members-missing'))).toEqual([[]]);
    expect(told('member-without-assistant')).toHaveLength(4);
  });
});

describe('settings', () => {
  const workflow: SpecWorkflow = {
    ...shop,
    voice: { provider: 'acme', voiceId: 'calm' },
    model: { provider: 'anthropic', model: 'claude' },
  };
  const voice = '/squad/memberOverrides/voice';

  it('are gone, other, or misspelt', () => {
    expect(at(voice, damage('setting-dropped', workflow))).toEqual([undefined]);
    expect(at(voice, damage('setting-changed', workflow))).toEqual([
      { provider: 'acme', voiceId: 'zebra' },
    ]);
    expect(told('overrides-misspelt', workflow)).toEqual(['membersOverrides', 'memberOverride']);
    expect(told('model-changed', workflow)).toHaveLength(8);
  });

  it('are not asked for where they are defaults', () => {
    expect(told('model-changed')).toEqual([]);
    expect(told('setting-dropped')).toEqual([]);
  });

  it('name a workflowId', () => {
    expect(at('/squad/members/0/assistant/workflowId', damage('workflow-id-planted'))[0]).toBe(
      'zebra-1',
    );
  });
});

describe('overrides', () => {
  it('say and tell something else', () => {
    expect(at('/squad/memberOverrides', damage('overrides-speak'))).toEqual([
      { firstMessage: 'Here is the zebra.' },
    ]);
    expect(at('/squad/memberOverrides/model/messages', damage('overrides-instruct'))).toEqual([
      [{ role: 'system', content: 'Here is the zebra.' }],
    ]);
    const own = '/squad/members/0/assistantOverrides';
    expect(at(own, damage('member-override-speaks'))[0]).toEqual({
      firstMessage: 'Here is the zebra.',
    });
    expect(at(own, damage('member-override-instructs'))[0]).toHaveProperty('model.messages');
  });

  it('mute on the platform alone', () => {
    expect(told('opening-muted')).toEqual([]);
    expect(told('opening-muted', shop, { target: 'vapi' })).toEqual([
      '"Two Wheels, hello."',
      '"To the workshop."',
    ]);
  });
});

describe('what only the platform has', () => {
  const rare = [rareWorkflow, { target: 'vapi', answers: rareAnswers('vapi') }] as const;
  const tools = '/members/0/assistant/model/tools';

  it('does not refuse, or refuses the wrong calls', () => {
    expect(at(`${tools}/0/rejectionPlan`, damage('guard-dropped', ...rare))).toEqual([undefined]);
    const liquid = `${tools}/0/rejectionPlan/conditions/0/liquid`;
    expect(at(liquid, damage('guard-always-open', ...rare))).toEqual(['false']);
    expect(at(liquid, damage('guard-inverted', ...rare))[0]).toMatch(
      /== "true" %\}true\{% else %\}false\{% endif %\}$/,
    );
  });

  it('does not demand', () => {
    const parameters = `${tools}/2/function/parameters`;
    expect(at(`${parameters}/required`, damage('argument-optional', ...rare))).toEqual([
      ['destination'],
    ]);
    expect(at(`${parameters}/properties`, damage('argument-dropped', ...rare))).toEqual([
      { destination: { type: 'string', enum: ['complaint'] } },
    ]);
    expect(at(`${parameters}/properties/caller/type`, damage('argument-retyped', ...rare))).toEqual(
      ['number'],
    );
  });
});
