/** Small workflows for the laws, and the texts of a workflow. */
import type { SpecWorkflow } from '../../src/testing.js';
import { captures, flow, says, sketch, variable, withRoles } from '../compiler/build.js';

const roles = {
  sets: captures('x'),
  reads: says('Use {{x}}.'),
  sends: { url: 'https://api.example.com/{{x}}' },
  responds: { responseVariables: [{ ...variable('x'), path: 'x' }] },
};

/** A sketch in which nodes set, read, send or respond with the variable x: `a sets, b sets reads`. */
export function drawn(edges: string, given = ''): SpecWorkflow {
  return sketch(edges, withRoles(given, roles)) as object as SpecWorkflow;
}

/** The worked pattern: greeting, collection of two variables, two branches, one end. */
export function worked(): SpecWorkflow {
  const extractVariables = [variable('topic', { enum: ['a', 'b'] }), variable('account')];
  const nodes = {
    greet: { systemPrompt: 'Greet the caller.', firstMessage: 'Hello.' },
    collect: { systemPrompt: 'Ask for topic and account.', extractVariables },
    billing: 'Talk about the bills of {{account}}.',
    support: 'Solve the problem of {{account}}.',
    end: { type: 'endCall' },
  };
  const branches = ['billing', 'support'].map(
    (topic) => `collect > ${topic}: the topic is ${topic}`,
  );
  return flow(nodes, [
    'greet > collect',
    ...branches,
    'billing > end',
    'support > end',
  ]) as SpecWorkflow;
}

/** The texts of a workflow that its squad must contain. */
export function textsOf({ nodes, edges }: SpecWorkflow): string[] {
  const texts = [
    ...nodes.flatMap(({ firstMessage, systemPrompt, transferPlan, condition, ...node }) => [
      ...[firstMessage, systemPrompt, transferPlan?.message, condition],
      ...(node.extractVariables ?? []).map(({ description }) => description),
    ]),
    ...edges.map(({ condition }) => condition),
  ];
  return texts.filter((text) => text !== undefined);
}
