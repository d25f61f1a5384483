/** Ways inside an assistant, captures, beginnings, global nodes. */
import { describe, expect, it } from 'vitest';
import type { SpecWorkflow } from '../../../src/testing/index.js';
import { rareAnswers, rareWorkflow } from '../../../src/testing/mutants/rare-workflow.js';
import { damage, prompts, told } from './example.js';
import { edge, talk } from './nodes.js';

const rare = [rareWorkflow, { answers: rareAnswers('squad') }] as const;

/** One assistant: a leads to b or c, and both back; two ways of a have no condition. */
const knot: SpecWorkflow = {
  nodes: [talk('s'), talk('a'), talk('b'), talk('c'), { id: 'e', type: 'endCall' }],
  edges: ['s>a', 'a>b', 'a>e', 'a>c: pays', 'b>a: goes back', 'c>a', 'c>e: leaves'].map(edge),
};
const together = { answers: { policies: { 'cyclic-stages': 'consolidate' } } };

/** One assistant: a leads to b and c alike, and both back. */
const twins: SpecWorkflow = {
  nodes: [talk('s'), talk('a'), talk('b'), talk('c')],
  edges: ['s>a', 'a>b', 'a>c', 'b>a', 'c>a'].map(edge),
};

describe('steps that are come to alike', () => {
  it.each(['instructions-swapped', 'step-numbers-swapped'])(
    'have nothing of each other that could be told: %s',
    (name) => {
      expect(told(name, twins, together)).not.toContain('3 and 4');
      expect(told(name, twins, together)).toContain('1 and 2');
    },
  );
});

describe('ways to other steps', () => {
  it('lead elsewhere or nowhere', () => {
    expect(told('step-retargeted')).toEqual(['2 became 1', '2 became 1', '1 became 2']);
    expect(prompts(0, damage('step-to-nowhere'))[0]).toContain('- when done, go to step 3\n');
  });

  it('are gone or new', () => {
    expect(prompts(0, damage('way-lost'))[0]).not.toContain('go to step');
    expect(prompts(0, damage('way-invented'))[0]).toContain(
      '- when done, go to step 2\n- when the caller mentions a zebra, go to step 2\n',
    );
    expect(told('step-lost').slice(0, 2)).toEqual(['step 1 of "hello"', 'step 2 of "hello"']);
  });

  it('are taken for another reason', () => {
    expect(prompts(2, damage('way-reworded'))[0]).toContain('- when zebra a day, go to step 2\n');
    expect(prompts(2, damage('way-unconditioned'))[0]).toContain('- when done, go to step 2\n');
    expect(told('ways-swapped')).toEqual(['"when the day is taken" and "when the day is free"']);
  });

  it('are not swapped where neither has a condition', () => {
    expect(told('ways-swapped', knot, together)).toEqual([
      '"otherwise, when done with s" and "when pays"',
      '"otherwise" and "when leaves"',
    ]);
  });

  it('lead to the wrong step by its number', () => {
    expect(prompts(0, damage('step-numbers-swapped'))[0]).toMatch(/^\nStep 2\n[\s\S]*\nStep 1\n/);
  });

  it('do without what has to be known first', () => {
    expect(prompts(0, damage('demand-dropped', ...rare))[0]).toContain('\n- when side == "north",');
  });

  it('hand off to somebody whom the tools do not know', () => {
    expect(told('told-handoff-misled')).toEqual([
      '"where" became "hello"',
      '"where" became "repair"',
      '"where" became "hello"',
      '"where" became "sales"',
    ]);
  });
});

describe('captures', () => {
  it('are lost or other', () => {
    expect(prompts(0, damage('capture-lost'))[0]).not.toContain('size (string)');
    expect(prompts(0, damage('capture-renamed'))[0]).toContain('- find out zebra (string): size');
    expect(prompts(0, damage('capture-retyped'))[0]).toContain('- find out size (number): size');
    expect(prompts(0, damage('capture-reworded'))[0]).toContain(
      '- find out size (string): zebra of the frame; one of s, l\n',
    );
  });
});

describe('beginnings', () => {
  it('are lost or elsewhere, but for one that goes without saying', () => {
    expect(told('beginning-lost', ...rare)).toEqual([
      '"If the caller wants a date, begin at step 2."',
    ]);
    expect(told('beginning-retargeted', ...rare).slice(0, 2)).toEqual(['1 became 2', '1 became 3']);
    expect(prompts(1, damage('beginning-reworded', ...rare))[0]).toContain(
      'If zebra caller wants a date, begin at step 2.\n',
    );
  });
});

describe('global nodes', () => {
  it('are not known of, or otherwise', () => {
    expect(prompts(3, damage('global-way-lost'))[0]).not.toContain('go to step 1');
    expect(prompts(3, damage('global-way-reworded'))[0]).toContain(
      '- when zebra caller asks for the way, go to step 1\n',
    );
  });
});
