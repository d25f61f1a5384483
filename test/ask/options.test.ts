import { describe, expect, it } from 'vitest';
import { type CompileOptions, compile } from '../../src/index.js';
import { capture, promptsOf, said, talk, workflow } from './documents.js';

const document = workflow({ a: talk('Ask.', capture('x')), b: talk('Use {{x}}.'), c: talk('C.') }, [
  'a > b: one',
  'a > c: two',
]);
const compiled = (options: unknown) => compile(document, options as CompileOptions);
const textOf = (options: unknown) => JSON.stringify(compiled(options).output);

describe('options', () => {
  it.each<[unknown, string]>([
    [undefined, '"squad":'],
    [{}, '"type":"all"'],
    [{ target: 'vapi' }, '{"name":"By hand","members"'],
    [
      { model: { provider: 'anthropic', model: 'm', z: 1, a: 2 } },
      '"model":{"a":2,"model":"m","provider":"anthropic","z":1,',
    ],
    [
      { memberOverrides: { z: 1, voice: { voiceId: 'v' } } },
      '"memberOverrides":{"voice":{"voiceId":"v"},"z":1}',
    ],
    [{ handoffTools: 'separate' }, '"destinations":[{'],
    [{ target: 'vapi', pass: 'arguments' }, '"required":["destination","x"]'],
    [
      { context: { type: 'lastNMessages', maxMessages: 4 } },
      '{"type":"lastNMessages","maxMessages":4}',
    ],
    [{ context: { type: 'none', more: 1 } }, '"contextEngineeringPlan":{"type":"none"}'],
    [{ names: { a: 'Desk' } }, '"name":"Desk"'],
    [{ names: undefined, target: undefined }, '"squad":'],
    [{ dynamicVariables: null }, '"squad":'],
  ])('%j', (options, part) => {
    expect(compiled(options).status).toBe('complete');
    expect(textOf(options)).toContain(part);
  });

  it.each<[unknown, string[]]>([
    [{ target: 'team' }, ['/target']],
    [{ model: { provider: 'openai' } }, ['/model']],
    [{ model: null }, ['/model']],
    [{ model: { provider: 'p', model: 'm', tools: [], messages: [] } }, ['/model', '/model']],
    [{ memberOverrides: ['voice'] }, ['/memberOverrides']],
    [{ memberOverrides: { name: 'x', model: { messages: [] } } }, ['/memberOverrides']],
    [{ memberOverrides: { voice: { speed: Number.NaN } } }, ['/memberOverrides/voice/speed']],
    [{ handoffTools: 'both' }, ['/handoffTools']],
    [{ pass: 'plan-b' }, ['/pass']],
    [{ pass: 'arguments' }, ['/pass']],
    [{ pass: 'arguments', target: 'vapi2' }, ['/target']],
    [{ context: { type: 'lastNMessages', maxMessages: 0 } }, ['/context']],
    [{ context: 'all' }, ['/context']],
    [{ boundary: 'none' }, ['/boundary']],
    [{ names: { a: ' ' } }, ['/names']],
    [{ names: [] }, ['/names']],
    [{ dynamicVariables: 'all' }, ['/dynamicVariables']],
    [{ criticalVariables: [7] }, ['/criticalVariables']],
    [[], ['/options']],
    ['vapi', ['/options']],
    [{ target: 7, boundary: 'x', names: [] }, ['/target', '/boundary', '/names']],
  ])('that do not fit are told, all at once: %j', (options, places) => {
    const result = compiled(options);
    expect(result.status).toBe('invalid');
    expect(said(result)).toEqual(places.map((at) => `api/option ${at}`));
    expect(result.diagnostics.every((it) => it.in === 'options')).toBe(true);
  });

  it('that there are not are told, with the one that was probably meant', () => {
    const result = compiled({ boundry: 'tools', answer: {}, bindings: {}, toString: 1 });
    expect(said(result)).toEqual(
      ['answer', 'bindings', 'boundry', 'toString'].map((name) => `api/unknown-option /${name}`),
    );
    const [, , boundary] = result.diagnostics.filter(({ code }) => code === 'api/unknown-option');
    expect(`${boundary!.message} ${boundary!.help}`).toContain('boundary');
    expect(result.status).toBe('complete');
  });

  it('are looked at without running anything of the caller’s', () => {
    let calls = 0;
    const touch = () => {
      calls += 1;
      return 'vapi';
    };
    const options = Object.defineProperties(
      {},
      {
        target: { get: touch, enumerable: true },
        memberOverrides: {
          value: Object.defineProperty({}, 'voice', { get: touch, enumerable: true }),
        },
      },
    );
    expect(said(compiled(options))).toEqual([
      'api/option /target',
      'api/option /memberOverrides/voice',
    ]);
    const trap = new Proxy(
      {},
      {
        ownKeys: () => {
          throw new Error('no');
        },
      },
    );
    expect(compiled(trap).status).toBe('invalid');
    expect(calls).toBe(0);
  });

  it('say which variables the caller supplies', () => {
    const source = workflow({ a: talk('Hi {{who}}.') });
    expect(compile(source).questions).toHaveLength(1);
    const { questions, output, draft } = compile(source, { dynamicVariables: ['who', 'who'] });
    expect(questions).toEqual([]);
    expect(promptsOf({ output, draft } as never)).toContain('{{who}}');
  });
});
