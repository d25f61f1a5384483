/** Lines, instructions, ends of the call. */
import { describe, expect, it } from 'vitest';
import type { SpecWorkflow } from '../../../src/testing/index.js';
import { at, damage, prompts, told } from './example.js';
import { edge, talk } from './nodes.js';

const opening = (member: number, name: string) =>
  at(`/squad/members/${member}/assistant/firstMessage`, damage(name));

describe('what is said first', () => {
  it('is lost, other, or said by somebody else', () => {
    expect(opening(0, 'first-message-lost')[0]).toBeUndefined();
    expect(opening(0, 'first-message-reworded')[0]).toBe('zebra Wheels, hello.');
    expect(opening(1, 'first-message-moved')[0]).toBe('Two Wheels, hello.');
    expect(opening(0, 'first-messages-swapped')[0]).toBe('To the workshop.');
    expect(prompts(0, damage('first-message-said-twice'))[0]).toMatch(
      /^\nStep 1\nSay: "Two Wheels, hello\."\nDo the work/,
    );
  });
});

describe('what nobody asked for', () => {
  it('is said first or at a step', () => {
    expect(opening(1, 'first-message-invented')[0]).toBe('Here is the zebra.');
    expect(told('first-message-invented')).toEqual(['"sales"', '"where"']);
    expect(prompts(0, damage('line-invented'))[0]).toContain('Step 1\nSay: "Here is the zebra."\n');
  });
});

describe('lines of steps', () => {
  it('are lost, other, said twice, or said elsewhere', () => {
    const line = 'Say: "What is it about?"\n';
    expect(prompts(0, damage('line-lost'))[0]).not.toContain('Say');
    expect(prompts(0, damage('line-reworded'))[0]).toContain('Say: "zebra is it about?"\n');
    expect(prompts(0, damage('line-doubled'))[0]).toContain(line + line);
    expect(prompts(1, damage('line-moved'))[0]).toMatch(/^\nStep 1\nSay: "What is it about\?"\n/);
    expect(prompts(0, damage('line-moved-to-another-step'))[0]).toMatch(
      /^\nStep 1\nSay: "What is it about\?"\nDo the work of hello/,
    );
  });

  it('do not move to a step that has nothing to say before or behind', () => {
    const tool = {
      id: 'tool',
      type: 'apiRequest' as const,
      url: 'https://api.example.com/',
      method: 'GET',
      headers: { Authorization: 'Bearer sample' },
    };
    const workflow: SpecWorkflow = {
      nodes: [talk('a'), tool, talk('b', { firstMessage: 'Hello.' })],
      edges: ['a>tool', 'tool>b'].map(edge),
    };
    expect(told('line-moved-to-another-step', workflow)).toEqual(['"Hello." at step 1']);
  });

  it('are those before the end of a call, too', () => {
    expect(prompts(2, damage('goodbye-lost'))[0]).toContain(
      '- when the day is free:\n  Thank the caller.\n  then end the call\n',
    );
    expect(prompts(2, damage('goodbye-reworded'))[0]).toContain('  Say: "zebra."\n');
    expect(prompts(2, damage('goodbye-doubled'))[0]).toContain(
      '  Say: "Goodbye."\n  Say: "Goodbye."\n',
    );
    expect(prompts(0, damage('goodbye-moved'))[0]).toMatch(/^\nStep 1\nSay: "Goodbye\."\n/);
  });

  it('are those on the way back, too', () => {
    expect(prompts(2, damage('repeated-line-lost'))[0]).toContain(
      '- when the day is taken:\n  then go to step 1\n',
    );
    expect(told('repeated-line-moved')).toHaveLength(3);
  });
});

describe('instructions', () => {
  it('are lost or other', () => {
    expect(prompts(0, damage('instruction-lost'))[0]).toMatch(/^\nStep 1\n- when done/);
    expect(prompts(0, damage('instruction-reworded'))[0]).toContain('\nzebra the work of hello.\n');
    expect(prompts(2, damage('last-instruction-lost'))[0]).not.toContain('Thank');
    expect(prompts(2, damage('last-instruction-reworded'))[0]).toContain('  zebra the caller.\n');
  });

  it('are told to another assistant or at another step', () => {
    const [moved] = damage('instruction-moved');
    expect(prompts(0, [moved!])[0]).not.toContain('Do the work of hello.');
    expect(prompts(1, [moved!])[0]).toContain('Do the work of hello.\nOffer a bicycle');
    const [copied] = damage('instruction-copied');
    expect(prompts(0, [copied!])[0]).toContain('Do the work of hello.');
    const [later, earlier] = damage('instruction-moved-to-another-step');
    expect(prompts(0, [later!])[0]).toContain('Do the work of ask.\nDo the work of hello.\n');
    expect(prompts(0, [earlier!])[0]).toContain('Do the work of ask.\nDo the work of hello.\n');
    expect(told('instructions-swapped')).toEqual(['1 and 2']);
  });

  it('are those for all, too', () => {
    const workflow = { nodes: [talk('a')], edges: [], globalPrompt: 'Be kind.' };
    const place = '/squad/members/0/assistant/model/messages/0/content';
    expect(at(place, damage('global-prompt-lost', workflow))[0]).toMatch(/^\n\nYou are/);
    expect(at(place, damage('global-prompt-reworded', workflow))[0]).toMatch(/^zebra kind\.\n\n/);
  });
});

describe('ends of the call', () => {
  it('are lost, put off, or elsewhere', () => {
    expect(prompts(2, damage('ending-lost'))[0]).not.toContain('the day is free');
    expect(prompts(2, damage('ending-put-off'))[0]).toContain('  then ask the caller to hold\n');
    const [moved] = damage('ending-moved');
    expect(prompts(0, [moved!])[0]).toContain('  then end the call\n');
    expect(prompts(2, [moved!])[0]).not.toContain('end the call');
  });

  it('are new', () => {
    expect(prompts(1, damage('ending-invented').slice(2))[0]).toContain(
      '- when the caller mentions a zebra, then end the call\n',
    );
    expect(prompts(0, damage('step-became-ending'))[0]).toContain(
      '- when done, then end the call\n',
    );
    expect(told('end-call-tool-invented')).toHaveLength(4);
    expect(told('end-call-tool-dropped', undefined, { target: 'vapi' })).toHaveLength(1);
  });
});
