import { describe, expect, it } from 'vitest';
import type { Span } from '../../../src/testing/mutants/prompt-lines.js';
import { viewPrompt, waysOf, wordsOf } from '../../../src/testing/mutants/prompt-view.js';
import { shop, squadOf } from './example.js';

const text = `Be kind.

You are the assistant "desk" of a phone call. Work through the numbered steps; the lines say more.
At the start of the call, begin at step 1.
If the caller is back; or asks again, begin at step 2.

Step 1
Say: "Hello, "friend"."
Ask for the name.
- find out name (string): the name, or none; one of a, b
- call the tool look-up
- first make sure that you know name and age; when name == "a", go to step 2
- otherwise, when done with desk:
  Say: "Goodbye."
  Thank the caller.
  then end the call

Step 2
- when wants "more", hand off to "sales"
- when angry, then transfer the call to +14155550100
- when the name changes:
  Say: "Hello."
  then go to step 1

At any time
- when lost, hand off to "help"
`;
const view = viewPrompt(text, []);
const words = (span: Span | null | undefined) => (span ? wordsOf(view, span) : null);

describe('viewPrompt', () => {
  it('finds the steps, whole and in parts', () => {
    expect(view.steps.map(({ number }) => number)).toEqual([1, 2]);
    const [first, second] = view.steps;
    expect(words(first?.numberAt)).toBe('1');
    expect(first?.says.map((it) => words(it.text))).toEqual(['Hello, "friend".']);
    expect(words(first?.instruction)).toBe('Ask for the name.');
    expect(second?.instruction).toBeNull();
    expect(words(first?.whole)).toMatch(/^\nStep 1\n[\s\S]*end the call\n$/);
    expect(words(second?.body)).toMatch(/^- when wants[\s\S]*go to step 1\n$/);
    expect(words(view.alwaysAt)).toBe('\nAt any time\n- when lost, hand off to "help"\n');
  });

  it('finds what a step finds out and calls', () => {
    const [capture] = view.steps[0]!.captures;
    expect([capture?.name, capture?.type, capture?.rest].map(words)).toEqual([
      'name',
      'string',
      ': the name, or none; one of a, b',
    ]);
    expect(view.steps[0]!.calls.map(({ name }) => words(name))).toEqual(['look-up']);
  });

  it('finds the ways on', () => {
    expect(waysOf(view).map(({ kind, to }) => [kind, to])).toEqual([
      ['step', '2'],
      ['end', ''],
      ['handoff', 'sales'],
      ['transfer', '+14155550100'],
      ['step', '1'],
      ['handoff', 'help'],
    ]);
    expect(waysOf(view).map(({ sentence }) => words(sentence))).toEqual([
      'when name == "a"',
      'otherwise, when done with desk',
      'when wants "more"',
      'when angry',
      'when the name changes',
      'when lost',
    ]);
    expect(waysOf(view).map(({ target }) => words(target))).toEqual(
      waysOf(view).map(({ to }) => to),
    );
    const [way, end] = waysOf(view);
    expect(words(way?.demand)).toBe('first make sure that you know name and age; ');
    expect(words(way?.condition)).toBe('name == "a"');
    expect(end?.says.map((it) => words(it.text))).toEqual(['Goodbye.']);
    expect(end?.instructions.map((it) => words(it.line))).toEqual(['  Thank the caller.\n']);
    expect(words(end?.line)).toMatch(/^- otherwise[\s\S]*end the call\n$/);
  });

  it('finds where to begin', () => {
    expect(view.begins.map(({ step, sentence }) => [step, words(sentence)])).toEqual([
      [1, 'At the start of the call'],
      [2, 'If the caller is back; or asks again'],
    ]);
    expect(view.begins.map(({ number }) => words(number))).toEqual(['1', '2']);
  });

  it('does not take lines of a text for structure', () => {
    const odd = 'Read this:\n\nStep 9\n- when asked, go to step 9\n\nAt any time\n';
    const masked = viewPrompt(`You are the assistant "a" of a phone call. \n\nStep 1\n${odd}\n`, [
      odd,
    ]);
    expect(masked.steps.map(({ number }) => number)).toEqual([1]);
    expect(wordsOf(masked, masked.steps[0]!.instruction!)).toBe(odd);
    expect(masked.always).toEqual([]);
  });

  it('finds nothing in a prompt of somebody else', () => {
    const { steps, always, begins } = viewPrompt('Be nice. When asked, hand off to sales.', []);
    expect([steps, always, begins]).toEqual([[], [], []]);
  });

  it('leaves nothing of a compiled prompt unread', () => {
    for (const { assistant } of (squadOf(shop) as never)['squad']['members'] as never[]) {
      const prompt = viewPrompt(assistant['model']['messages'][0]['content'], []);
      const bullets = String(prompt.text).match(/^- /gm)?.length ?? 0;
      const read = prompt.steps.flatMap(({ captures, calls, ways }) => [captures, calls, ways]);
      expect(read.flat().length + prompt.always.length).toBe(bullets);
    }
  });
});
