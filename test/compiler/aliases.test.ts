/** Variables that a node derives from others; that they cross with what they are made of, the laws say. */
import { describe, expect, it } from 'vitest';
import { type CompileOptions, compile } from '../../src/index.js';
import { type Any, compiled, crossings, destinationsOf, exported, type Fields } from './build.js';

const vapi = { target: 'vapi' } as const;
const full = { key: 'full', value: '{{first}} {{last}}' };

/** A node that finds out these variables, `first last`, and derives others from them. */
function talk(prompt: string, names = '', aliases: readonly object[] = []): Fields {
  const found = names.split(' ').filter(Boolean);
  const entries = found.map((name) => [name, { type: 'string', description: `the ${name}` }]);
  const schema = { type: 'object', properties: Object.fromEntries(entries) };
  const variableExtractionPlan = {
    ...(found.length > 0 && { schema }),
    ...(aliases.length > 0 && { aliases }),
  };
  return { prompt, variableExtractionPlan };
}

/** One desk that asks, and two that follow it. */
const desk = (names: string, aliases: readonly object[], booking: string) =>
  exported(
    { desk: talk('Ask who calls.', names, aliases), booking, other: 'Help.' },
    'desk > booking: wants a room | desk > other: wants something else',
  );

const planOf = (workflow: object, options: CompileOptions = vapi) =>
  destinationsOf(compiled(workflow, options))[0].variableExtractionPlan;

describe('an alias that is read in another assistant', () => {
  const workflow = desk('first last', [full], 'Book for {{full}}.');

  it('is no argument, and cannot be demanded from the model where it is critical', () => {
    const options: CompileOptions = { ...vapi, pass: 'arguments' };
    expect(planOf(workflow, options)).toEqual({ aliases: [full] });
    const critical = { ...options, criticalVariables: ['full'] };
    const [question] = compile(workflow, critical).questions;
    expect(question?.choices.map(({ key }) => key)).toEqual(['tool', 'best-effort']);
    const answers = { policies: { 'critical-variable': 'best-effort' } };
    expect(planOf(workflow, { ...critical, answers })).toEqual({ aliases: [full] });
  });
});

describe('what an alias is made of', () => {
  const greeting = { key: 'greeting', value: 'Dear {{full}}' };

  it.each<[string, object, string[]]>([
    [
      'can be another alias, which stands before it',
      desk('first last', [greeting, full], 'Say {{greeting}}.'),
      ['desk > booking: first,last=full=greeting'],
    ],
    [
      'can be what the node finds out under the same name',
      desk('first', [{ key: 'first', value: '{{first | upcase}}' }], 'Book for {{first}}.'),
      ['desk > booking: first=first'],
    ],
  ])('%s', (_, workflow, expected) => {
    expect(crossings(compiled(workflow, vapi))).toEqual(expected);
  });
});

describe('an alias that a squad cannot keep', () => {
  it.each<[string, Fields, string, Any[] | undefined]>([
    [
      'gives way to what is found out on another walk',
      talk('Ask for it.', 'full'),
      'full',
      undefined,
    ],
    [
      'is the first of several',
      talk('Turn it round.', '', [{ key: 'full', value: '{{last}}, {{first}}' }]),
      'first last',
      [full],
    ],
  ])('%s', (_, two, names, aliases) => {
    const hub = talk('Ask what is wanted.', 'first last');
    const one = talk('Make it up.', '', [full]);
    const workflow = exported(
      { hub: { ...hub, isStart: true }, one, two, booking: 'Book for {{full}}.', bye: 'Bye.' },
      'hub > one: new | hub > two: known | one > hub: again | two > hub: again | hub > booking: book | hub > bye: done',
    );
    const answers = { policies: { 'cyclic-stages': 'consolidate' } };
    const { schema, aliases: made } = planOf(workflow, { ...vapi, answers });
    expect([Object.keys(schema.properties).join(' '), made]).toEqual([names, aliases]);
  });
});

describe('an alias as the source has it', () => {
  const illegal = ['1st', 'a-b', 'x'.repeat(41), '__proto__'];
  it.each<[object, string]>([
    ...illegal.map((key): [object, string] => [{ key, value: 'x' }, 'data/alias-key']),
    [{ key: 'long', value: '{{ first' }, 'shape/liquid-syntax'],
    [{ key: 'full', value: 'x', note: 1 }, 'shape/unknown-field'],
  ])('is told where it does not fit: %j', (alias, code) => {
    const { diagnostics } = compile(desk('first', [alias], 'Book.'), vapi);
    expect(diagnostics.map((it) => it.code)).toContain(code);
  });
});
