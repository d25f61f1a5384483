/** Variables that a node derives from others, from the export to the squad. */
import { describe, expect, it } from 'vitest';
import { type CompileOptions, compile, verify } from '../../src/index.js';

type Captured = Record<string, { type: string; description?: string }>;
type Aliases = readonly { key: string; value: string }[];

const text = (description: string) => ({ type: 'string', description });
const first = { first: text('first name') };
const last = { last: text('last name') };
const full = { key: 'full', value: '{{first}} {{last}}' };

/** A node of an export that talks. */
function talk(name: string, prompt: string, schema: Captured = {}, aliases: Aliases = []): object {
  const properties =
    Object.keys(schema).length > 0 ? { schema: { type: 'object', properties: schema } } : {};
  const plan = { ...properties, ...(aliases.length > 0 ? { aliases } : {}) };
  const extracts = Object.keys(plan).length > 0 ? { variableExtractionPlan: plan } : {};
  return { name, type: 'conversation', prompt, ...extracts };
}

function way(from: string, to: string, condition?: string): object {
  return {
    from,
    to,
    ...(condition === undefined ? {} : { condition: { type: 'ai', prompt: condition } }),
  };
}

function flow(nodes: readonly object[], edges: readonly object[]): object {
  const [start, ...others] = nodes;
  return { name: 'Desk', nodes: [{ ...start, isStart: true }, ...others], edges };
}

/** One desk that asks, and two that follow it. */
function desk(
  schema: Captured,
  aliases: Aliases,
  [booking, other]: readonly [string, string],
): object {
  return flow(
    [
      talk('desk', 'Ask who calls.', schema, aliases),
      talk('booking', booking),
      talk('other', other),
    ],
    [way('desk', 'booking', 'wants a room'), way('desk', 'other', 'wants something else')],
  );
}

interface Plan {
  readonly schema?: {
    readonly properties: Record<string, unknown>;
    readonly required: readonly string[];
  };
  readonly aliases?: Aliases;
}

function compiled(workflow: object, options: CompileOptions = { target: 'vapi' }) {
  const result = compile(workflow, options);
  expect(result.questions).toEqual([]);
  expect(result.diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  return result;
}

interface Member {
  readonly assistant: {
    readonly name: string;
    readonly model: {
      readonly messages: readonly { readonly content: string }[];
      readonly tools?: readonly { readonly destinations?: readonly Destination[] }[];
    };
  };
}

interface Destination {
  readonly assistantName: string;
  readonly variableExtractionPlan?: Plan;
}

function membersOf(workflow: object, options?: CompileOptions): readonly Member[] {
  const output = compiled(workflow, options).output as unknown as {
    readonly members?: readonly Member[];
    readonly squad?: { readonly members: readonly Member[] };
  };
  return output.members ?? output.squad?.members ?? [];
}

/** The plans of the handoffs, by source and target. */
function plansOf(workflow: object, options?: CompileOptions): Record<string, Plan | undefined> {
  return Object.fromEntries(
    membersOf(workflow, options).flatMap(({ assistant: { name, model } }) =>
      (model.tools ?? []).flatMap(({ destinations = [] }) =>
        destinations.map((it) => [`${name} ${it.assistantName}`, it.variableExtractionPlan]),
      ),
    ),
  );
}

const shortOf = (plan: Plan | undefined) => [
  Object.keys(plan?.schema?.properties ?? {}).sort(),
  (plan?.aliases ?? []).map(({ key }) => key),
];

function promptOf(workflow: object, member = 0): string {
  return membersOf(workflow)[member]!.assistant.model.messages[0]!.content;
}

function codesOf(workflow: object, options: CompileOptions = { target: 'vapi' }): string[] {
  const { diagnostics } = compile(workflow, options);
  return diagnostics.filter(({ severity }) => severity !== 'info').map(({ code }) => code);
}

describe('an alias that is read in another assistant', () => {
  const workflow = desk({ ...first, ...last }, [full], ['Book for {{full}}.', 'Help.']);

  it.each(['vapi', 'squad'] as const)('crosses with what it is made of, in target %s', (target) => {
    const plans = plansOf(workflow, { target });
    expect(plans['desk booking']).toEqual({
      schema: {
        type: 'object',
        properties: { first: first.first, last: last.last },
        required: ['first', 'last'],
      },
      aliases: [full],
    });
    expect(plans['desk other']).toBeUndefined();
  });

  it('is told to the assistant that has it', () => {
    expect(promptOf(workflow)).toContain(
      '\n- derive full as {% raw %}{{first}} {{last}}{% endraw %}\n',
    );
    expect(codesOf(workflow)).toEqual([]);
  });

  it('is in the source map and the ledger, with its value', () => {
    const { ledger, sourceMap, output } = compiled(workflow);
    const at = '/nodes/0/variableExtractionPlan/aliases/0';
    const places = sourceMap.filter(
      (it) => it.origin.kind === 'source' && it.origin.at === `${at}/value`,
    );
    const plan = places.find((it) => it.output.endsWith('/aliases/0/value'));
    expect(plan).toBeDefined();
    expect(places.length).toBe(2);
    expect(ledger.find((it) => it.at === at)).toMatchObject({
      kind: 'variable',
      status: 'converted',
    });
    expect(ledger.find((it) => it.at === at)?.outputs.length).toBe(2);
    expect(ledger.find((it) => it.at === `${at}/value`)?.outputs).toContain(plan?.output);
    expect(JSON.stringify(output)).toContain('"value":"{{first}} {{last}}"');
  });

  it('cannot be demanded from the model where it is critical', () => {
    const options: CompileOptions = {
      target: 'vapi',
      pass: 'arguments',
      criticalVariables: ['full'],
    };
    const [question, ...others] = compile(workflow, options).questions;
    expect(others).toEqual([]);
    expect(question?.id).toBe('critical-variable:full');
    expect(question?.choices.map(({ key }) => key)).toEqual(['tool', 'best-effort']);
    const answers = { policies: { 'critical-variable': 'best-effort' } };
    expect(plansOf(workflow, { ...options, answers })['desk booking']).toEqual({ aliases: [full] });
  });

  it('stays in the plan where the rest crosses as arguments', () => {
    const plans = plansOf(workflow, { target: 'vapi', pass: 'arguments' });
    expect(plans['desk booking']).toEqual({ aliases: [full] });
  });
});

describe('what an alias is made of', () => {
  it('is carried to the handoff from wherever it was captured', () => {
    const workflow = flow(
      [
        talk('greet', 'Ask for the first name.', first),
        talk('desk', 'Ask for the last name.', last, [full]),
        talk('aside', 'Chat.'),
        talk('booking', 'Book for {{full}}.'),
        talk('other', 'Help.'),
      ],
      [
        way('greet', 'desk', 'gave a name'),
        way('greet', 'aside', 'wants to chat'),
        way('desk', 'booking', 'wants a room'),
        way('desk', 'other', 'wants something else'),
      ],
    );
    const plans = plansOf(workflow);
    expect(shortOf(plans['greet desk'])).toEqual([['first'], []]);
    expect(shortOf(plans['greet aside'])).toEqual([[], []]);
    expect(shortOf(plans['desk booking'])).toEqual([['last'], ['full']]);
    expect(shortOf(plans['desk other'])).toEqual([[], []]);
  });

  it('is not carried for an alias that nobody reads', () => {
    const workflow = flow(
      [
        talk('greet', 'Ask for the first name.', first),
        talk('desk', 'Ask for the last name.', last, [full]),
        talk('aside', 'Chat.'),
        talk('booking', 'Book.'),
        talk('other', 'Help.'),
      ],
      [
        way('greet', 'desk', 'gave a name'),
        way('greet', 'aside', 'wants to chat'),
        way('desk', 'booking', 'wants a room'),
        way('desk', 'other', 'wants something else'),
      ],
    );
    for (const plan of Object.values(plansOf(workflow))) expect(plan).toBeUndefined();
    expect(promptOf(workflow, 1)).toContain('{{first}} {{last}}');
    const { diagnostics } = compiled(workflow);
    expect(diagnostics.map(({ code }) => code)).toContain('data/unused-capture');
  });

  it('can be another alias, which stands before it', () => {
    const greeting = { key: 'greeting', value: 'Dear {{full}}' };
    const workflow = desk({ ...first, ...last }, [greeting, full], ['Say {{greeting}}.', 'Help.']);
    expect(plansOf(workflow)['desk booking']?.aliases).toEqual([full, greeting]);
  });

  it('can be the alias of an earlier assistant', () => {
    const workflow = flow(
      [
        talk('greet', 'Ask for the name.', { ...first, ...last }, [full]),
        talk('desk', 'Ask for the title.', { title: text('title') }, [
          { key: 'address', value: '{{title}} {{full}}' },
        ]),
        talk('aside', 'Chat.'),
        talk('booking', 'Book for {{address}}.'),
        talk('other', 'Help.'),
      ],
      [
        way('greet', 'desk', 'gave a name'),
        way('greet', 'aside', 'wants to chat'),
        way('desk', 'booking', 'wants a room'),
        way('desk', 'other', 'wants something else'),
      ],
    );
    const plans = plansOf(workflow);
    expect(shortOf(plans['greet desk'])).toEqual([['first', 'last'], ['full']]);
    expect(shortOf(plans['desk booking'])).toEqual([['title'], ['address']]);
  });

  it('is carried to global nodes that read it', () => {
    const helper = {
      ...talk('helper', 'Note what {{full}} says.'),
      globalNodePlan: { enabled: true, enterCondition: 'the caller complains' },
    };
    const workflow = flow(
      [talk('greet', 'Ask for the name.', { ...first, ...last }, [full]), helper],
      [],
    );
    expect(shortOf(plansOf(workflow)['greet helper'])).toEqual([['first', 'last'], ['full']]);
  });

  it('can be what the node finds out under the same name', () => {
    const loud = { key: 'first', value: '{{first | upcase}}' };
    const workflow = desk(first, [loud], ['Book for {{first}}.', 'Help.']);
    expect(plansOf(workflow)['desk booking']).toEqual({
      schema: { type: 'object', properties: first, required: ['first'] },
      aliases: [loud],
    });
    expect(codesOf(workflow)).toEqual([]);
  });

  it('is asked about where nothing sets it', () => {
    const workflow = desk(last, [full], ['Book for {{full}}.', 'Help.']);
    const { questions } = compile(workflow, { target: 'vapi' });
    expect(questions.map(({ id }) => id)).toEqual(['undefined-variable:first']);
    const answers = {
      answers: { 'undefined-variable:first': { choice: 'rename', value: 'last' } },
    };
    const renamed = plansOf(workflow, { target: 'vapi', answers });
    expect(renamed['desk booking']?.aliases).toEqual([{ key: 'full', value: '{{last}} {{last}}' }]);
  });
});

describe('an alias that a squad cannot keep', () => {
  it('is warned about where its own assistant reads it', () => {
    const workflow = flow(
      [
        talk('desk', 'Ask who calls.', { ...first, ...last }, [full]),
        talk('confirm', 'Repeat {{full}}.'),
      ],
      [way('desk', 'confirm')],
    );
    const { diagnostics } = compiled(workflow);
    const found = diagnostics.find(({ code }) => code === 'data/alias-read-early');
    expect(found?.at).toBe('/nodes/1');
    expect(found?.related).toEqual(['/nodes/0/variableExtractionPlan/aliases/0']);
  });

  it('is warned about where a condition of its own assistant reads it', () => {
    const workflow = flow(
      [
        talk('desk', 'Ask who calls.', { ...first, ...last }, [full]),
        talk('one', 'Chat.'),
        talk('two', 'Help.'),
      ],
      [way('desk', 'one', '{{full}} has called before'), way('desk', 'two', 'is new')],
    );
    const { diagnostics } = compiled(workflow);
    const found = diagnostics.find(({ code }) => code === 'data/alias-read-early');
    expect(found?.at).toBe('/edges/0/condition/prompt');
  });

  /** Two nodes of one assistant that set `full`, on different walks to one handoff. */
  const twoWays = (one: object, other: object) =>
    flow(
      [
        talk('hub', 'Ask what is wanted.', { ...first, ...last }),
        one,
        other,
        talk('booking', 'Book for {{full}}.'),
        talk('bye', 'Say goodbye.'),
      ],
      [
        way('hub', 'one', 'is new'),
        way('hub', 'two', 'is known'),
        way('one', 'hub', 'again'),
        way('two', 'hub', 'again'),
        way('hub', 'booking', 'wants a room'),
        way('hub', 'bye', 'is done'),
      ],
    );
  const grouped: CompileOptions = {
    target: 'vapi',
    answers: { policies: { 'cyclic-stages': 'consolidate' } },
  };

  it('gives way to what is found out on another walk', () => {
    const workflow = twoWays(
      talk('one', 'Make it up.', {}, [full]),
      talk('two', 'Ask for it.', { full: text('full name') }),
    );
    expect(shortOf(plansOf(workflow, grouped)['hub booking'])).toEqual([['full'], []]);
  });

  it('is the first of several', () => {
    const workflow = twoWays(
      talk('one', 'Make it up.', {}, [full]),
      talk('two', 'Turn it round.', {}, [{ key: 'full', value: '{{last}}, {{first}}' }]),
    );
    expect(plansOf(workflow, grouped)['hub booking']?.aliases).toEqual([full]);
  });

  it('is warned about where it builds upon itself', () => {
    const more = { key: 'full', value: '{{full}} and company' };
    expect(codesOf(desk({}, [more], ['Book for {{full}}.', 'Help.']))).toContain(
      'data/alias-of-itself',
    );
  });
});

describe('an alias as the source has it', () => {
  it('is refused by its key', () => {
    for (const key of ['1st', 'two words', 'a-b', 'x'.repeat(41), '__proto__']) {
      const workflow = desk(first, [{ key, value: '{{first}}' }], ['Book.', 'Help.']);
      expect(codesOf(workflow)).toContain('data/alias-key');
    }
  });

  it('is refused where its value is too long or no template', () => {
    const withValue = (value: string) => desk(first, [{ key: 'long', value }], ['Book.', 'Help.']);
    const at = '/nodes/0/variableExtractionPlan/aliases/0/value';
    const { diagnostics } = compile(withValue('x'.repeat(10_001)), { target: 'vapi' });
    expect(diagnostics.find(({ severity }) => severity === 'error')).toMatchObject({ at });
    expect(codesOf(withValue('x'.repeat(10_000)))).not.toContain('shape/wrong-type');
    expect(codesOf(withValue('{{ first'))).toContain('shape/liquid-syntax');
  });

  it('is told where a part is missing, or more stands there', () => {
    const broken = [{ key: 'full' }, { key: 'full', value: 'x', note: 1 }] as never;
    const codes = codesOf(desk(first, broken, ['Book.', 'Help.']));
    expect(codes).toEqual(expect.arrayContaining(['shape/missing-field', 'shape/unknown-field']));
  });

  it('tells apart nodes that are else equal', () => {
    const twin = (name: string, value: string) =>
      talk(name, 'Ask.', { ...first, ...last }, [{ key: 'full', value }]);
    const build = (value: string) =>
      flow(
        [
          talk('hub', 'Greet.'),
          twin('one', '{{first}}'),
          twin('two', value),
          talk('end', 'Book for {{full}}.'),
          talk('fin', 'Bye.'),
        ],
        [
          way('hub', 'one', 'is new'),
          way('hub', 'two', 'is known'),
          ...['one', 'two'].flatMap((it) => [
            way(it, 'end', 'wants a room'),
            way(it, 'fin', 'is done'),
          ]),
        ],
      );
    expect(compiled(build('{{first}}')).stats.assistants).toBe(3);
    expect(compiled(build('{{last}}')).stats.assistants).toBe(5);
  });

  it('may end the passage that keeps it from being filled in', () => {
    const raw = { key: 'sign', value: '{% raw %}{{x}}{% endraw %} {{first}}' };
    const workflow = desk(first, [raw], ['Write {{sign}}.', 'Help.']);
    expect(promptOf(workflow)).toContain(`- derive sign as ${raw.value}\n`);
    expect(plansOf(workflow)['desk booking']?.aliases).toEqual([raw]);
  });

  it('may be a long chain', () => {
    const chain = Array.from({ length: 400 }, (_, at) => ({
      key: `a${at + 1}`,
      value: `{{a${at}}}!`,
    }));
    const workflow = desk({ a0: text('seed') }, chain.toReversed(), ['Say {{a400}}.', 'Help.']);
    expect(plansOf(workflow)['desk booking']?.aliases).toEqual(chain);
  });
});

describe('the verifier', () => {
  const workflow = desk({ ...first, ...last }, [full], ['Book for {{full}}.', 'Help.']);
  const squad = JSON.stringify(compiled(workflow).output);
  const check = (document: string) => verify(workflow, JSON.parse(document), { target: 'vapi' });
  const failing = (document: string) =>
    check(document)
      .checklist.filter(({ holds }) => !holds)
      .map(({ item }) => item);
  const aliases = JSON.stringify([full]);

  it('takes it as it is', () => expect(check(squad).holds).toBe(true));

  it.each([
    ['dropped', aliases, '[]'],
    ['renamed', '"key":"full"', '"key":"whole"'],
    ['reworded', '"value":"{{first}} {{last}}"', '"value":"{{last}} {{first}}"'],
    ['given twice', aliases, JSON.stringify([full, full])],
    ['beside another', aliases, JSON.stringify([full, { key: 'more', value: 'x' }])],
    ['of another shape', aliases, '{}'],
  ])('refuses it %s', (_, from, to) => {
    expect(squad).toContain(from);
    const changed = squad.replace(from, () => to);
    expect(failing(changed)).toContain(4);
  });

  it('refuses a plan without what the alias is made of', () => {
    const changed = squad
      .replace('"first":{"type":"string","description":"first name"},', '')
      .replace('"required":["first","last"]', '"required":["last"]');
    expect(changed).not.toBe(squad);
    expect(failing(changed)).toEqual([4]);
  });

  it('refuses an alias before the one that it is made of', () => {
    const greeting = { key: 'greeting', value: 'Dear {{full}}' };
    const chained = desk({ ...first, ...last }, [full, greeting], ['Say {{greeting}}.', 'Help.']);
    const right = JSON.stringify(compiled(chained).output);
    const wrong = right.replace(JSON.stringify([full, greeting]), JSON.stringify([greeting, full]));
    expect(wrong).not.toBe(right);
    const { checklist } = verify(chained, JSON.parse(wrong), { target: 'vapi' });
    expect(checklist.find(({ item }) => item === 4)?.holds).toBe(false);
  });
});
