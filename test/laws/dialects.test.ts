/**
 * The laws on workflows in every dialect. `dialectsAgree` shows that a rewritten workflow gives the
 * squad of its counterpart to the byte, so that laws about squads carry over; it is tried with the
 * laws of one workflow elsewhere, and here where those do not look. Laws that look at no more of the
 * source than its places are tried on the rewritten documents themselves.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compile, verify } from '../../src/index.js';
import { choosing } from '../../src/testing/answering.js';
import {
  asRead,
  dialects,
  laws,
  neverThrows,
  rewriteAs,
  type SpecWorkflow,
  settle,
  workflowArbitrary,
} from '../../src/testing/index.js';
import { runs, seed } from '../seed.js';
import { worked } from './graphs.js';
import { type LawName, tryLaws } from './try-laws.js';

const targets = ['squad', 'vapi'] as const;

/** Laws that read no node of the document. */
const lawsOfDocuments: readonly LawName[] = [
  'inputNotMutated',
  'deterministic',
  'questionsTerminate',
  'staleAnswersReported',
  'sourceMapCovers',
  'squadVerified',
];

describe('on misleading texts, names and ids, for the target `vapi`', () => {
  const compile = { target: 'vapi' } as const;
  tryLaws(['dialectsAgree'], workflowArbitrary({ hostile: true }), { count: 40, compile });
});

describe.each(targets)(
  'where much is captured, read and critical, for the target `%s`',
  (target) => {
    const compile = { target, criticalVariables: ['alpha', 'beta'] };
    const workflows = workflowArbitrary({ captures: 'many', gaps: false, settings: false });
    tryLaws(['dialectsAgree'], workflows, { count: 30, compile });
  },
);

describe.each(dialects)('in the dialect `%s`', (dialect) => {
  const numbers = fc.array(fc.nat(99), { maxLength: 8 });
  const documents = fc
    .tuple(fc.oneof(workflowArbitrary(), workflowArbitrary({ hostile: true })), numbers)
    .map(([workflow, choices]) => rewriteAs(workflow, dialect, choices));

  // These laws take what `compile` takes, whatever it looks like inside.
  tryLaws(lawsOfDocuments, documents as unknown as fc.Arbitrary<SpecWorkflow>, { count: 12 });

  it('compile never throws', () => {
    const property = fc.property(documents, fc.constantFrom(...targets), (document, target) =>
      neverThrows(document, { target }),
    );
    fc.assert(property, { seed, numRuns: runs(30) });
  });

  it.each(targets)('the worked pattern gives the same squad for the target `%s`', (target) => {
    const document = rewriteAs(worked(), dialect);
    const { result, options } = settle(document, { target });
    const counterpart = settle(asRead(worked(), dialect), { target }).result;
    expect(result.status).toBe('complete');
    expect(JSON.stringify(result.output)).toBe(JSON.stringify(counterpart.output));
    expect(verify(document, result.output, options).holds).toBe(true);
  });
});

it('no dialect is taken for the one of the specification', () => {
  const told = dialects.map((dialect) =>
    compile(rewriteAs(worked(), dialect)).diagnostics.filter(
      ({ code }) => code === 'shape/dialect',
    ),
  );
  expect(told.map(({ length }) => length)).toEqual(dialects.map(() => 1));
});

describe('where the numbers tear equal nodes apart', () => {
  // Both ways round lead back, and the nodes on them are equal: no grouping may part them.
  const request = (id: string, to: string) => ({
    id,
    type: 'apiRequest' as const,
    url: `https://api.example.com/${to}`,
    method: 'GET',
    headers: { Authorization: 'Bearer sample' },
  });
  const talk = (id: string, said: string) => ({
    id,
    type: 'conversation' as const,
    systemPrompt: `Do the work of ${said}.`,
  });
  const workflow: SpecWorkflow = {
    name: 'Equal ways',
    nodes: [
      talk('n0', 'n0'),
      request('n1', 'n1'),
      talk('n2', 'n2'),
      talk('n3', 'n3'),
      request('n4', 'n4'),
      talk('n5', 'n3'),
      request('n6', 'n4'),
    ],
    edges: [
      { from: 'n0', to: 'n1' },
      { from: 'n1', to: 'n2' },
      { from: 'n0', to: 'n3', condition: 'c2 is wanted' },
      { from: 'n3', to: 'n4' },
      { from: 'n4', to: 'n0', condition: 'c4 is wanted' },
      { from: 'n5', to: 'n6' },
      { from: 'n0', to: 'n5', condition: 'c6 is wanted' },
      { from: 'n6', to: 'n0', condition: 'c4 is wanted' },
    ],
  };
  const numbers = [7, 94, 0, 0, 4, 31, 0];

  it('is refused alike in another dialect', () => {
    const { result } = settle(workflow, {}, choosing(numbers));
    expect(result.status).toBe('invalid');
    expect(() => laws.dialectsAgree(workflow, { numbers })).not.toThrow();
  });
});
