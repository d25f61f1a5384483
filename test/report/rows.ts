/** Rows of runs that nobody made, hostile texts among them. */
import fc from 'fast-check';
import { questionKinds } from '../../src/diagnostics/questions.js';
import type { WorkflowRow } from '../../src/report/model.js';

export const stats = {
  nodes: 6,
  edges: 5,
  assistants: 3,
  handoffs: 2,
  extractions: 1,
  tools: 0,
  questions: 0,
};

/** A complete workflow that nobody has to look at, but for what is given. */
export function rowWith(given: Partial<WorkflowRow> = {}): WorkflowRow {
  return {
    index: 0,
    key: 'clinic-00c0ffee',
    folder: 'clinic-00c0ffee',
    source: 'flows/clinic.json',
    name: 'Clinic',
    status: 'complete',
    stats,
    errors: 0,
    warnings: 0,
    questions: {},
    assessment: { level: 'A', size: 1, minutes: 5, automatic: 11, manual: 0 },
    ...given,
  };
}

/** Texts that try to be something else where they are shown. */
export const hostileTexts = [
  '=HYPERLINK("https://example.test","x")',
  '+1',
  '-1+1',
  '@SUM(A1)',
  '\t=1',
  '\r=1',
  '\uff1dcmd',
  'a,b;c "quoted"',
  'two\r\nlines',
  '| a | b |',
  '\\| a',
  '`code` ``more``',
  '<script>alert(1)</script>',
  '[link](javascript:alert(1))',
  '![x](https://example.test/x.png)',
  'https://example.test www.example.test me@example.test',
  '&lt;b&gt; &#124;',
  '\u202eright to left\u202c',
  '\u001b[31mred\u001b[0m \u0000 \u0007',
  '__proto__',
  'constructor',
  '# heading',
  '- item',
  '1. item',
  '{0} {{name}}',
  '診療所の受付 🏥',
  'half \ud800',
  '',
  '   ',
];

const hostileText = fc.oneof(
  fc.constantFrom(...hostileTexts),
  fc.string({ unit: 'binary', maxLength: 30 }),
);

const amounts = fc.dictionary(fc.constantFrom(...questionKinds()), fc.integer({ min: 1, max: 9 }), {
  noNullPrototype: true,
});

/** A row without its place. */
const anyFacts: fc.Arbitrary<Omit<WorkflowRow, 'index' | 'key' | 'folder'>> = fc
  .record({
    source: hostileText,
    name: fc.option(hostileText),
    status: fc.constantFrom('complete', 'needs-answers', 'invalid', 'failed'),
    message: hostileText,
    line: fc.option(fc.integer({ min: 1, max: 999 }), { nil: undefined }),
    questions: amounts,
    errors: fc.nat(9),
    warnings: fc.nat(9),
    level: fc.constantFrom('A', 'B', 'C'),
    size: fc.constantFrom(1, 2, 3, 4, 5),
    minutes: fc.integer({ min: 1, max: 40 }).map((fives) => fives * 5),
  })
  .map(({ message, level, size, minutes, line, ...facts }) => ({
    ...facts,
    ...(line !== undefined && { line }),
    ...(facts.status === 'failed' && { failure: { code: 'batch/vanished', message } }),
    ...(facts.status === 'invalid' && {
      firstError: { code: 'flow/missing-node', at: '/edges/0/to', message },
    }),
    stats,
    assessment: { level, size, minutes, automatic: 3, manual: 1 },
  }));

/** The rows of a run, in order. */
export function anyRows(maxLength = 12): fc.Arbitrary<WorkflowRow[]> {
  return fc.array(anyFacts, { maxLength }).map((rows) =>
    rows.map((facts, index) => {
      const key = `w-${index.toString(16).padStart(8, '0')}`;
      return { index, key, folder: key, ...facts };
    }),
  );
}
