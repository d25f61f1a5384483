/** What squadc compiles has no fault in tools, endings, names, shape and settings. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseWorkflow } from '../../src/compiler/1-read/parse-workflow.js';
import { readOptions } from '../../src/compiler/1-read/read-options.js';
import type { Json, JsonObject } from '../../src/compiler/ir/json.js';
import type { CompileOptions } from '../../src/compiler/ir/options.js';
import { compile } from '../../src/index.js';
import { choosing, settle } from '../../src/testing/answering.js';
import type { SpecWorkflow } from '../../src/testing/spec-workflow.js';
import { workflowArbitrary } from '../../src/testing/workflows.js';
import { checks } from '../../src/verify/checklist.js';
import { findSettingFaults } from '../../src/verify/settings.js';
import { listFolders, readCase } from '../golden/cases.js';
import { runs, seed } from '../seed.js';
import {
  compareMigration,
  faultsOf,
  type Migration,
  places,
  valueAt,
  without,
  withValue,
} from './migration.js';

/** What the verifier looks at. */
function read(workflow: unknown, document: object, options: CompileOptions): Migration {
  return {
    source: parseWorkflow(workflow).workflow!,
    options: readOptions(options).options,
    document: document as JsonObject,
  };
}

/** The faults of items 5 to 9 and of the settings. */
function faultsIn(migration: Migration): string[] {
  const comparison = compareMigration(migration);
  const items = checks.slice(4).map((check) => check(comparison));
  const settings = findSettingFaults(comparison, comparison.grouping.decisions);
  return [
    ...items.flatMap((item) => faultsOf(item).map((text) => `${item.item}: ${text}`)),
    ...settings.map(({ text }) => `settings: ${typeof text === 'string' ? text : text()}`),
  ];
}

const numbers = fc.array(fc.nat(99), { minLength: 1, maxLength: 8 });
const settings = fc.record(
  {
    target: fc.constantFrom('squad' as const, 'vapi' as const),
    handoffTools: fc.constantFrom('grouped' as const, 'separate' as const),
    boundary: fc.constantFrom('branch' as const, 'tools' as const),
    model: fc.constant({ provider: 'acme', model: 'm1' }),
    memberOverrides: fc.constantFrom<object>(
      { voice: { provider: 'acme', voiceId: 'v9' } },
      { backgroundSound: 'office', model: { temperature: 0 } },
    ),
  },
  { requiredKeys: ['target', 'handoffTools', 'boundary'] },
);
const given = fc
  .tuple(settings, fc.constantFrom('extraction' as const, 'arguments' as const))
  .map(
    ([options, pass]): CompileOptions =>
      options.target === 'vapi' ? { ...options, pass } : options,
  );

/** Nodes that want different voices, bodies and headers of all kinds, names that are no names. */
const dressed = fc
  .tuple(workflowArbitrary(), fc.array(fc.nat(20), { minLength: 1, maxLength: 9 }))
  .map(([workflow, picks]): SpecWorkflow => {
    const pick = <T>(all: readonly T[], at: number): T | undefined =>
      all[(picks[at % picks.length] ?? 0) % (all.length + 2)];
    const nodes = workflow.nodes.map((node, at) => {
      const voice = pick(
        [
          { provider: 'acme', voiceId: 'v1' },
          { provider: 'acme', voiceId: 'v2' },
        ],
        at,
      );
      const name = pick(['Look up!', 'lookup', 'x'.repeat(50), '_lookup_'], at + 1);
      const body = pick(bodies, at + 2);
      const headers = pick(headerKinds, at + 3);
      const more = node.type === 'apiRequest' ? { name, body, headers } : { voice };
      const given = Object.entries(more).filter(([, value]) => value !== undefined);
      return { ...node, ...Object.fromEntries(given) };
    });
    return { ...workflow, nodes };
  });

const bodies = [
  { plain: 'value', list: [1, null], none: null },
  {
    type: 'object',
    properties: {
      fixed: { type: 'string', const: 'x' },
      valued: { value: { b: 1, a: [true] } },
      day: {
        type: ['string', 'null'],
        format: 'date',
        minLength: 3,
        description: 'the {{alpha}} day',
      },
      list: { items: { enum: [1, 2] }, maxItems: 4 },
    },
    required: ['fixed', 'day'],
  },
  { type: 'object', properties: { only: { const: 5 } } },
];

const headerKinds = [
  { Authorization: 'Bearer {{alpha}}', 'X-Count': 3, 'X-Null': null },
  {
    type: 'object',
    properties: { Authorization: { type: 'string', value: 'Bearer x' }, 'X-Day': { default: 'd' } },
  },
];

describe('what squadc compiles', () => {
  it.each([
    ['generated workflows', workflowArbitrary()],
    ['workflows with settings, bodies and names of all kinds', dressed],
  ])('has no fault: %s', (_what, workflows) => {
    let tried = 0;
    const property = fc.property(workflows, given, numbers, (workflow, options, choices) => {
      const { result, options: answered } = settle(workflow, options, choosing(choices));
      if (result.output === null) return;
      tried += 1;
      expect(faultsIn(read(workflow, result.output, answered))).toEqual([]);
    });
    fc.assert(property, { seed, numRuns: runs(200) });
    expect(tried).toBeGreaterThan(150);
  });

  it.each(listFolders())('has no fault: golden/%s', (name) => {
    const golden = readCase(name);
    if (golden === null || golden.input === 'input.txt') return;
    for (const target of ['squad', 'vapi'] as const) {
      const options = { ...golden.options, target };
      const { output } = compile(golden.reading.workflow, options);
      if (output !== null) {
        expect(faultsIn(read(golden.reading.workflow, output, options))).toEqual([]);
      }
    }
  });
});

describe('tools and settings of a compiled squad', () => {
  /** What a description says of a node without a condition, and whom nobody hands off to, is free. */
  const free = /^when the caller needs /;
  const isOfTool = /\/tools\/\d+\//;
  const isOfSetting = /\/(?:model\/(?:model|provider)|voice\/.*|members?Overrides\/.*)$/;

  /** Plain values of tools, handoffs aside, and of settings. */
  function listLeaves({ document }: Migration): string[] {
    return places(document).flatMap(({ at, value }) => {
      if (typeof value === 'object' || (typeof value === 'string' && free.test(value))) return [];
      if (isOfSetting.test(at)) return [at];
      const [tool] = /^.*?\/tools\/\d+/.exec(at) ?? [];
      const isHandoff = valueAt(document, `${tool}/type`) === 'handoff';
      return isOfTool.test(at) && (!isHandoff || at.includes('/rejectionPlan/')) ? [at] : [];
    });
  }

  function otherThan(value: Json): Json {
    if (typeof value === 'string') return `${value}x`;
    return typeof value === 'number' ? value + 1 : value !== true;
  }

  it.each(['squad', 'vapi'] as const)('cannot change unseen, target %s', (target) => {
    let tried = 0;
    const property = fc.property(dressed, numbers, fc.nat(), (workflow, choices, choice) => {
      const { result, options } = settle(workflow, { target }, choosing(choices));
      if (result.output === null) return;
      const document = JSON.parse(JSON.stringify(result.output));
      const migration = read(workflow, document, options);
      const leaves = listLeaves(migration);
      if (leaves.length === 0) return;
      const at = leaves[choice % leaves.length]!;
      tried += 1;
      const changed = withValue(migration, at, otherThan(valueAt(document, at)!));
      for (const damaged of [changed, without(migration, at)]) {
        if (faultsIn(damaged).length === 0) expect.unreachable(`${at} can change`);
      }
    });
    fc.assert(property, { seed, numRuns: runs(125) });
    expect(tried).toBeGreaterThan(75);
  });
});
