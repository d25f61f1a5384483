/** `questions.md`: for whoever knows the business, with answers to copy. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readRunAnswers } from '../../src/batch/answers.js';
import { locateAll } from '../../src/index.js';
import { answersSnippet } from '../../src/report/answers-snippet.js';
import type { AskedQuestion } from '../../src/report/model.js';
import { questionsMarkdown } from '../../src/report/questions-markdown.js';
import { cyclicQuestion, exampleQuestion } from '../cli/fake-io.js';
import { skeleton } from '../scenarios/markdown-skeleton.js';
import { runs, seed } from '../seed.js';
import { exampleOf, goldenText } from './example-run.js';

const text = goldenText('saved-answers-with-a-policy');
const mover = exampleOf(text).result;

/** The block to copy. */
function snippet(markdown: string): string {
  const [, block = ''] = /\n(?:`{3,})json\n([\s\S]*)\n`{3,}\n$/.exec(markdown) ?? [];
  return block;
}

it('the answers to paste hold proposals, and choose nothing by themselves', () => {
  const value = { type: 'string' };
  const node = { key: 'node', label: 'A node', effect: '…', value };
  const [proposed, only, none, named] = Object.values(
    answersSnippet([
      exampleQuestion({ id: 'a', choices: [node], proposal: 'node', proposalValue: 'a' }),
      exampleQuestion({ id: 'b', choices: [node] }),
      exampleQuestion({ id: 'c' }),
      exampleQuestion({ ...cyclicQuestion, id: '__proto__' }),
    ])['answers'] as object,
  );
  expect(proposed).toEqual({ choice: 'node', value: 'a' });
  expect(only).toEqual({ choice: 'node', value: null });
  expect(none).toEqual({ choice: 'CHOOSE: number (with a value) | sip (with a value)' });
  expect(named).toEqual({ choice: 'consolidate' });
});

describe('questionsMarkdown', () => {
  it('has the question, its place, its source and its choices', () => {
    const at = mover.questions.flatMap((question) => question.at);
    const markdown = questionsMarkdown(mover, locateAll(text, at));
    expect(markdown).toContain('# Questions about Moving company\n');
    expect(markdown).toContain('3 questions of the workflow in `workflows/example.json` are open;');
    expect(markdown).toContain('## 1. A transfer has no destination');
    expect(markdown).toContain('The node “planner” transfers the call');
    expect(markdown).toContain('- Place: line 9, column 5: `/nodes/4`\n');
    expect(markdown).toContain('```text\n{\n  "id": "planner",\n  "type": "transferCall"\n}\n```');
    expect(markdown).toContain(
      '- `number`: **Transfer to a phone number**\n' +
        '  Callers are connected to this number, written like +4930123456.\n' +
        '  - Needs a value: A phone number in international form',
    );
    expect(markdown).toContain('    - `header`: A header name, such as Authorization');
  });

  it('names the pointer alone where there are no lines', () => {
    expect(questionsMarkdown(mover)).toContain('- Place: `/nodes/4`\n');
  });

  it('marks the proposal, and answers with it', () => {
    const markdown = questionsMarkdown(exampleOf(goldenText('cycle-open')).result);
    expect(markdown).toContain('1 question of the workflow in `workflows/example.json` is open;');
    expect(markdown).toContain('- `consolidate` (proposed): **Make them one assistant**');
    expect(snippet(markdown)).toContain('"choice": "consolidate"');
    expect(markdown).toContain('one of `collect`, `confirm`');
  });

  it('ends in answers that migrate reads', () => {
    const block = snippet(questionsMarkdown(mover));
    const answers = readRunAnswers([{ name: 'a.json', text: block }]);
    expect(answers.diagnostics).toEqual([]);
    const given = answers.workflows.get(mover.key);
    expect([...(given ?? [])].map(([id, { subject }]) => [id, subject])).toEqual(
      mover.questions.map(({ id, subject }) => [id, subject]),
    );
    // A placeholder decides nothing.
    expect(given?.get('missing-destination:planner')?.choice).toMatch(/^CHOOSE: /);
  });

  it('shows the beginning of what is long, and counts the rest', () => {
    const long = {
      ...mover,
      workflow: { nodes: [{ lines: Array.from({ length: 100 }, (_, index) => index) }] },
      questions: mover.questions.slice(0, 1).map((question) => ({
        ...question,
        at: Array.from({ length: 9 }, (_, index) => (index === 0 ? '/nodes/0' : `/nodes/${index}`)),
      })),
    };
    const markdown = questionsMarkdown(long);
    expect(markdown).toContain('and 4 more places');
    expect(markdown).toContain('\n…\n```');
    expect(markdown.split('\n').length).toBeLessThan(90);
  });

  const hostile = [
    '</details><script>alert(1)</script>',
    '![x](javascript:1) [a](http://evil.example) <http://evil.example>',
    '```\n# Heading\n- [ ] task\n```',
    '`` ` ```',
    '| a | b |\n|---|---|',
    '\u202egnp.exe\u0000\u001b[2J\u2028',
    '__proto__',
    '\ud800 lone',
    '    indented\n\n> quote',
  ];
  const bad = fc.oneof(fc.constantFrom(...hostile), fc.string({ unit: 'binary' }));

  it('lets no text become markup, and keeps what is to be copied', () => {
    fc.assert(
      fc.property(bad, bad, bad, (one, two, three) => {
        const [first, ...others] = mover.questions as [AskedQuestion, ...AskedQuestion[]];
        const asked: AskedQuestion = {
          ...first,
          id: `missing-destination:${one}`,
          text: `The node ${two} ${three}`,
          at: [`/${three.replaceAll('~', '~0').replaceAll('/', '~1')}`],
          choices: first.choices.map((choice) => ({
            ...choice,
            value: { type: 'string', description: two, enum: [one, three] },
          })),
          proposal: 'number',
          proposalValue: three,
        };
        const result = {
          ...mover,
          name: one,
          source: two,
          questions: [asked, ...others],
          workflow: Object.fromEntries([[three, { [two]: one, ['__proto__']: three }]]),
        };
        const markdown = questionsMarkdown(result);
        const left = skeleton(markdown);
        expect(left).not.toMatch(/[<>]|left by/);
        expect(left).not.toMatch(/(?<!\\)\]\(|(?<!\\)!\[/);
        // biome-ignore lint/suspicious/noControlCharactersInRegex: none may be left
        expect(markdown).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f\u202e\u2028]/);
        // As many headings as there are sections.
        expect(left.match(/^#+ /gm)).toHaveLength(2 + result.questions.length);
        const answers = readRunAnswers([{ name: 'a.json', text: snippet(markdown) }]);
        expect(answers.diagnostics).toEqual([]);
        expect(answers.workflows.get(mover.key)?.get(asked.id)).toEqual({
          choice: 'number',
          value: three,
          subject: asked.subject,
        });
      }),
      { seed, numRuns: runs(300) },
    );
  });
});
