import { describe, expect, it } from 'vitest';
import { isJsonObject, type JsonObject } from '../../src/compiler/ir/json.js';
import type { CompileOptions } from '../../src/compiler/ir/options.js';
import { verify } from '../../src/index.js';
import type { SpecWorkflow } from '../../src/testing/spec-workflow.js';
import { checkVariables } from './checks.js';
import {
  captured,
  edge,
  faultsOf,
  handoff,
  type Migration,
  migrate,
  talk,
  valueAt,
  withElement,
  without,
  withValue,
} from './migration.js';

const workflow: SpecWorkflow = {
  name: 'Passing',
  nodes: [
    talk('a', {
      extractVariables: [
        captured('v'),
        { ...captured('w'), type: 'number' },
        { ...captured('size'), enum: ['small', 'large'] },
      ],
    }),
    talk('b', { systemPrompt: '{{v}} {{w}} {{size}}' }),
    talk('c', { systemPrompt: '{{v}}' }),
    talk('d'),
  ],
  edges: ['a>b: x', 'a>c: y', 'a>d: z'].map(edge),
};

const passing: CompileOptions = { target: 'vapi', pass: 'arguments' };
const passed = migrate(workflow, passing);
const planned = migrate(workflow, { target: 'vapi' });
const toB = handoff(passed, 'a', 'b');
const demand = parametersOf(toB);

/** Where the arguments of the tool stand. */
function parametersOf(destination: string): string {
  return `${destination.replace(/\/destinations\/\d+$/, '')}/function/parameters`;
}

const holds = ({ document }: Migration, options: CompileOptions = passing) =>
  verify(workflow, document, { dynamicVariables: ['secret'], ...options }).holds;

describe('item 4, for what passes as arguments', () => {
  it('holds where every crossing variable is a required argument', () => {
    const item = checkVariables(passed);
    expect(faultsOf(item)).toEqual([]);
    expect(item.evidence.map(({ output }) => output)).toEqual([
      [demand],
      [parametersOf(handoff(passed, 'a', 'c'))],
    ]);
    expect(holds(passed)).toBe(true);
  });

  it('fails where the squad was made in the other way', () => {
    expect(holds(planned, { target: 'vapi' })).toBe(true);
    expect(holds(planned, { target: 'vapi', pass: 'extraction' })).toBe(true);
    expect(holds(planned)).toBe(false);
    expect(holds(passed, { target: 'vapi' })).toBe(false);
    expect(holds(passed, { target: 'vapi', pass: 'extraction' })).toBe(false);
    expect(faultsOf(checkVariables({ ...planned, options: passed.options }))).toEqual([
      'The handoff from “a” to “b” carries “v”, “w” and “size” and need not.',
      'The handoff from “a” to “b” does not demand “v”, “w” and “size” as an answer or the ' +
        'options want it.',
      'The handoff from “a” to “c” carries “v” and need not.',
      'The handoff from “a” to “c” does not demand “v” as an answer or the options want it.',
    ]);
  });

  it.each([
    ['an argument is missing', withoutArgument(passed, 'w')],
    ['no argument is there', without(passed, demand)],
    ['an argument is optional', withRequired('w')],
    ['the destination is optional', withRequired('destination')],
    ['nothing is required', withValue(passed, `${demand}/required`, [])],
    ['an argument is of another type', withValue(passed, `${demand}/properties/w/type`, 'string')],
    [
      'an argument is described otherwise',
      withValue(passed, `${demand}/properties/v/description`, 'v'),
    ],
    ['an argument has other values', withElement(passed, `${demand}/properties/size/enum`, 'huge')],
    ['an argument may have any value', without(passed, `${demand}/properties/size/enum`)],
    ['an argument stands in the plan', movedToPlan('v')],
    ['an argument stands in the plan, too', withPlan(passed, 'v')],
    ['an argument is demanded in vain', withoutNeed()],
  ])('fails where %s', (_case, damaged) => {
    expect(checkVariables(damaged).holds).toBe(false);
    expect(holds(damaged)).toBe(false);
  });
});

function withRequired(missing: string): Migration {
  const required = valueAt(passed.document, `${demand}/required`) as string[];
  return withValue(
    passed,
    `${demand}/required`,
    required.filter((it) => it !== missing),
  );
}

function withoutArgument(input: Migration, name: string): Migration {
  const kept = (valueAt(input.document, `${demand}/required`) as string[]).filter(
    (it) => it !== name,
  );
  return withValue(without(input, `${demand}/properties/${name}`), `${demand}/required`, kept);
}

function withPlan(input: Migration, name: string): Migration {
  const property = valueAt(passed.document, `${demand}/properties/${name}`) as JsonObject;
  const schema = { type: 'object', properties: { [name]: property }, required: [name] };
  return withValue(input, `${toB}/variableExtractionPlan`, { schema });
}

function movedToPlan(name: string): Migration {
  return withPlan(withoutArgument(passed, name), name);
}

/** The arguments of another tool at the one whose target reads nothing. */
function withoutNeed(): Migration {
  const at = handoff(passed, 'a', 'd');
  const others = valueAt(passed.document, parametersOf(handoff(passed, 'a', 'c')));
  if (!isJsonObject(others)) throw new Error('no arguments');
  const destination = { type: 'string', enum: ['d'] };
  const properties = { ...(others['properties'] as JsonObject), destination };
  return withValue(passed, parametersOf(at), { ...others, properties });
}

describe('a variable called destination', () => {
  const named = JSON.parse(
    JSON.stringify(workflow)
      .replaceAll('"v"', '"destination"')
      .replaceAll('{{v}}', '{{destination}}'),
  ) as SpecWorkflow;
  const input = migrate(named, passing);
  const plan = `${handoff(input, 'a', 'c')}/variableExtractionPlan`;

  it('is wanted in the plan, whatever passes as an argument', () => {
    expect(faultsOf(checkVariables(input))).toEqual([]);
    expect(checkVariables(without(input, plan)).holds).toBe(false);
    expect(valueAt(input.document, parametersOf(handoff(input, 'a', 'c')))).toBeUndefined();
  });
});

describe('options that do not fit', () => {
  it('are told, and nothing is checked', () => {
    const squad = migrate(workflow).document;
    const { holds: held, diagnostics } = verify(workflow, squad, { pass: 'arguments' });
    expect(held).toBe(false);
    expect(diagnostics).toMatchObject([{ code: 'api/option', at: '/pass' }]);
  });

  it('fit where the document is of the platform’s shape', () => {
    const dynamicVariables = ['secret'];
    expect(verify(workflow, passed.document, { pass: 'arguments', dynamicVariables }).holds).toBe(
      true,
    );
  });
});
