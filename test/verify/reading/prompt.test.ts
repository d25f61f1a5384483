import { describe, expect, it } from 'vitest';
import { parseWorkflow } from '../../../src/compiler/1-read/parse-workflow.js';
import { findDisguises } from '../../../src/verify/reading/disguises.js';
import { type PromptReading, readPrompt, type Span } from '../../../src/verify/reading/prompt.js';

/** The parts of a prompt, where these instructions stand in the workflow. */
function read(text: string, ...instructions: readonly string[]) {
  const nodes = instructions.map((systemPrompt, at) => ({
    id: `n${at}`,
    type: 'conversation',
    systemPrompt,
  }));
  const { workflow } = parseWorkflow({ name: 'W', nodes, edges: [] });
  return show(readPrompt(text, findDisguises(workflow!)));
}

function show({ text, openingEnd, steps, anytime }: PromptReading) {
  const cut = ({ start, end }: Span) => text.slice(start, end);
  return {
    opening: text.slice(0, openingEnd),
    steps: steps.map(cut),
    anytime: anytime === null ? null : cut(anytime),
  };
}

describe('a prompt', () => {
  it('falls into its opening, its steps, and what can happen at any time', () => {
    expect(read('Open.\n\nStep 1\nA\n\nStep 2\nB\n\nAt any time\n- C\n', 'A')).toEqual({
      opening: 'Open.\n',
      steps: ['A\n', 'B\n'],
      anytime: '- C\n',
    });
  });

  it('is read as a whole where it has no steps', () => {
    const text = '[Task]\nStep 1: ask.\nAt any time\nhang up';
    expect(read(text, 'A')).toEqual({ opening: text, steps: [], anytime: null });
  });

  it('takes headings in their order only', () => {
    const { steps } = read('O\n\nStep 1\nA\n\nStep 3\nB\n', 'A');
    expect(steps).toEqual(['A\n\nStep 3\nB\n']);
  });

  it('lets steps be empty', () => {
    expect(read('O\n\nStep 1\n\nStep 2\n', 'A').steps).toEqual(['', '']);
  });

  it('is not misled by an instruction with a heading in it', () => {
    const instruction = 'First.\n\nStep 2\nSecond.\n\nAt any time\nThird.';
    const text = `O\n\nStep 1\n${instruction}\n\nStep 2\nB\n\nAt any time\n- C\n`;
    expect(read(text, instruction)).toEqual({
      opening: 'O\n',
      steps: [`${instruction}\n`, 'B\n'],
      anytime: '- C\n',
    });
  });

  it('takes a heading for one where the source has nothing but such lines', () => {
    expect(read('O\n\nStep 1\nA\n\nStep 2\nB\n', 'Step 2').steps).toEqual(['A\n', 'B\n']);
  });
});
