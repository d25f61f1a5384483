/** What the generators promise: valid workflows, texts that stand once, every shape there is. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compile, type JsonObject } from '../../src/index.js';
import {
  hostileValue,
  makeValue,
  type SpecWorkflow,
  type WorkflowShape,
  workflowArbitrary,
} from '../../src/testing.js';
import { toolDefinitions } from '../../src/tools.js';
import { runs, seed } from '../seed.js';
import { textsOf } from './graphs.js';

const settings = { seed, numRuns: runs(1000) };
const hostile = workflowArbitrary({ hostile: true });

type Sign = (workflow: SpecWorkflow, texts: readonly string[]) => boolean;
function anyNode(fits: (node: SpecWorkflow['nodes'][number]) => boolean): Sign {
  return ({ nodes }) => nodes.some(fits);
}
function anyText(part: string): Sign {
  return (_, texts) => texts.some((text) => text.includes(part));
}
function isAsked(kind: string): Sign {
  return (workflow) => compile(workflow).questions.some((question) => question.kind === kind);
}
const several = (count: number): boolean => count > 1;

const signs: Readonly<Record<string, Sign>> = {
  'a global tool': anyNode(({ isGlobal, type }) => isGlobal === true && type === 'apiRequest'),
  'a global exit': anyNode(({ isGlobal, type }) => isGlobal === true && type === 'transferCall'),
  'a self-loop': ({ edges }) => edges.some(({ from, to }) => from === to),
  'a tool at the start': ({ nodes }) => nodes[0]?.type === 'apiRequest',
  'an edge out of an exit': (workflow) =>
    compile(workflow).diagnostics.some(({ code }) => code === 'flow/edge-out-of-exit'),
  'an expression': ({ edges }) => edges.some(({ condition = '' }) => condition.includes('==')),
  'a response': anyNode(({ responseVariables }) => responseVariables !== undefined),
  'a missing number': isAsked('missing-destination'),
  'a missing url': isAsked('missing-endpoint'),
  'no or several starts': isAsked('ambiguous-start'),
  'a cycle': isAsked('cyclic-stages'),
  'an unknown variable': anyText('{{omega}}'),
  'equal prompts': ({ nodes }) => {
    const prompts = nodes.flatMap(({ systemPrompt = [] }) => systemPrompt);
    return new Set(prompts).size < prompts.length;
  },
  'strange texts': anyText('𝄞'),
};

const hostileSigns: Readonly<Record<string, Sign>> = {
  'a heading': anyText('\nStep 2\n'),
  'a bullet': anyText('\n- If: asked\n'),
  'a line to say': anyText('Say: "'),
  'words between conditions': anyText('; or '),
  'where to begin': anyText('Then: begin at step 1.'),
  'any time': anyText('At any time'),
  'an end': anyText('Then: end the call'),
  braces: anyText('{"assistantName"'),
  'other line ends': anyText('\r\n'),
  'white space around': (_, texts) => texts.some((text) => /^\s+\S.*\s+$/s.test(text)),
  'a part of another text': (_, texts) => {
    const long = texts.filter((text) => text.trim().length > 3);
    return long.some((one) => long.some((other) => other !== one && other.includes(one)));
  },
  'one letter': (_, texts) => texts.includes('a') && texts.includes('e'),
  'blank texts': (_, texts) => texts.includes(' ') && texts.includes('\n'),
  'empty texts': (_, texts) => texts.includes(''),
  'nodes without texts': anyNode(
    ({ type, firstMessage, systemPrompt }) =>
      /conversation|gather/.test(type) && !firstMessage && !systemPrompt,
  ),
  'equal instructions': (_, texts) => several(texts.filter((text) => text === 'Go on.').length),
  'equal requests': ({ nodes }) =>
    several(nodes.filter(({ url = '' }) => url.endsWith('/same')).length),
  'equal conditions': ({ edges }) => {
    const said = edges.flatMap(({ from, condition }) => (condition ? `${from} ${condition}` : []));
    return new Set(said).size < said.length;
  },
  'a reserved name': anyNode(({ name }) => name === '__proto__' || name === 'constructor'),
  'an id like a method': anyNode(({ id }) => id === 'toString'),
  'an id like a heading': anyNode(({ id }) => id === 'Step 1'),
  'long names': anyNode(({ name = '' }) => name.length === 200),
  'long ids': anyNode(({ id }) => id.length === 200),
};

describe('workflowArbitrary', () => {
  it.each([
    ['usual', workflowArbitrary(), signs],
    ['hostile', hostile, hostileSigns],
  ])('comes to every kind of %s node, edge, gap and text', (_, workflows, missing) => {
    let left = Object.entries(missing);
    for (const workflow of fc.sample(workflows, settings)) {
      const texts = textsOf(workflow);
      left = left.filter(([, sign]) => !sign(workflow, texts));
    }
    expect(left.map(([name]) => name)).toEqual([]);
  });

  it.each<WorkflowShape>([{}, { hostile: true }])(
    'gives nodes with unique ids, edges between them, and nothing that is invalid: %j',
    (shape) => {
      for (const workflow of fc.sample(workflowArbitrary(shape), { seed, numRuns: runs(200) })) {
        const ids = workflow.nodes.map(({ id }) => id);
        expect(new Set(ids).size).toBe(ids.length);
        for (const { from, to } of workflow.edges)
          expect(ids).toEqual(expect.arrayContaining([from, to]));
        expect(compile(workflow).status).not.toBe('invalid');
      }
    },
  );

  it('repeats no text unless it may make equal nodes', () => {
    const unequal = workflowArbitrary({ equals: false, logical: false });
    for (const texts of fc.sample(unequal, settings).map(textsOf))
      expect(new Set(texts).size).toBe(texts.length);
  });

  it('leaves nothing open, and nothing out, where it may not', () => {
    const closed = workflowArbitrary({ cycles: false, dead: false, gaps: false });
    for (const workflow of fc.sample(closed, { seed, numRuns: runs(150) })) {
      const { questions, diagnostics } = compile(workflow);
      const open = questions.filter(({ kind }) => kind === 'ambiguous-start');
      const out = diagnostics.filter(({ code }) => code === 'flow/unreachable');
      expect([...open, ...out]).toEqual([]);
    }
  });

  it('gives as many nodes as are asked for, or a few more', () => {
    const counts = (shape: WorkflowShape): number[] =>
      fc.sample(workflowArbitrary(shape), settings).map(({ nodes }) => nodes.length);
    expect(Math.max(...counts({ size: 4 }))).toBeLessThanOrEqual(7);
    expect(counts({ maxNodes: 4 })).toEqual(counts({ size: 4 }));
    const most = Math.max(...counts({ size: 60 }));
    expect(most).toBeGreaterThanOrEqual(60);
    expect(most).toBeLessThanOrEqual(63);
  });

  it('shrinks to the text that matters', () => {
    const says = ({ nodes }: SpecWorkflow): boolean =>
      nodes.some(({ systemPrompt = '' }) => systemPrompt.includes('\nStep 2\n'));
    const { counterexample } = fc.check(
      fc.property(hostile, (workflow) => !says(workflow)),
      settings,
    );
    const [workflow] = counterexample ?? [];
    expect(workflow?.nodes.length).toBeLessThanOrEqual(3);
    const strange = workflow && textsOf(workflow).filter((text) => !/^[\w .]+$/.test(text));
    expect(strange).toEqual([expect.stringMatching(/^Do the work of n\d\.\n\nStep 2\n/)]);
  });
});

it('hostileValue gives values of every kind', () => {
  const values = fc.sample(hostileValue(), { seed, numRuns: 500 });
  const kinds = new Set(values.map((value) => (value === null ? 'null' : typeof value)));
  expect([...kinds]).toEqual(expect.arrayContaining(['null', 'object', 'string', 'undefined']));
});

it('makeValue gives what fits, for all that can be asked about an operation', () => {
  const ajv = new Ajv2020({ strict: false, logger: false });
  const asked = Object.values(toolDefinitions).flatMap(({ parameters }) => parameters);
  for (const { name, schema } of asked.filter(({ required }) => required)) {
    for (const number of [0, 1, 7]) {
      const made = makeValue(schema as JsonObject, [number, 3]);
      expect(ajv.validate(schema, made), name).toBe(true);
    }
  }
});
