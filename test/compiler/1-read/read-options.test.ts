import { describe, expect, it } from 'vitest';
import { readOptions } from '../../../src/compiler/1-read/read-options.js';
import type { CompileOptions } from '../../../src/compiler/ir/options.js';
import { codes } from '../build.js';

const read = (options: unknown) => readOptions(options as CompileOptions);

describe('readOptions', () => {
  it('fills in the defaults', () => {
    expect(read({})).toEqual({
      options: {
        answers: {},
        target: 'squad',
        model: null,
        memberOverrides: {},
        handoffTools: 'grouped',
        pass: 'extraction',
        context: { type: 'all' },
        boundary: 'branch',
        names: new Map(),
        dynamicVariables: new Set(),
        criticalVariables: new Set(),
        bindings: new Map(),
        tools: 'server',
        toolServer: null,
        serviceUrls: new Map(),
      },
      diagnostics: [],
    });
  });

  it('groups handoffs by the model where the target is the platform', () => {
    expect(read({ target: 'vapi' }).options.handoffTools).toBe('auto');
    expect(read({ target: 'vapi', handoffTools: 'grouped' }).options.handoffTools).toBe('grouped');
    expect(read({ handoffTools: 'auto' }).options.handoffTools).toBe('auto');
  });

  it('takes what it is given', () => {
    const given = {
      target: 'vapi',
      model: { provider: 'anthropic', model: 'm' },
      memberOverrides: { voice: { voiceId: 'v' } },
      handoffTools: 'separate',
      pass: 'arguments',
      context: { type: 'lastNMessages', maxMessages: 4 },
      boundary: 'tools',
      names: { a: 'Intake' },
      dynamicVariables: ['x', 'x'],
      criticalVariables: ['y'],
      answers: { policies: { 'cyclic-stages': 'consolidate' } },
      bindings: { find: { operation: 'bills.get' } },
      tools: 'server',
      toolServer: { url: 'https://tools.example.com/calls', credentialId: 'c' },
      serviceUrls: { bills: 'https://api.example.com/api/' },
    };
    const { options, diagnostics } = read(given);
    expect(diagnostics).toEqual([]);
    expect(options).toEqual({
      ...given,
      names: new Map([['a', 'Intake']]),
      dynamicVariables: new Set(['x']),
      criticalVariables: new Set(['y']),
      bindings: new Map([['find', { operation: 'bills.get' }]]),
      serviceUrls: new Map([['bills', 'https://api.example.com/api']]),
    });
  });

  it.each(['all', 'none', 'userAndAssistantMessages', 'previousAssistantMessages'])(
    'takes the context %s',
    (type) => {
      expect(read({ context: { type } }).options.context).toEqual({ type });
    },
  );

  it('sorts the keys of what is passed through', () => {
    const { options } = read({
      model: { provider: 'p', model: 'm', a: { z: 1, b: 2 } },
      memberOverrides: { z: 1, a: 1 },
    });
    expect(Object.keys(options.model!)).toEqual(['a', 'model', 'provider']);
    expect(Object.keys(options.model!['a']!)).toEqual(['b', 'z']);
    expect(Object.keys(options.memberOverrides)).toEqual(['a', 'z']);
  });

  it('names an option that there is not, and the one that was probably meant', () => {
    const { diagnostics } = read({ boundry: 'tools', answer: {} });
    expect(codes(diagnostics)).toEqual(['api/unknown-option', 'api/unknown-option']);
    expect(diagnostics.map(({ at }) => at)).toEqual(['/answer', '/boundry']);
    expect(`${diagnostics[1]!.message} ${diagnostics[1]!.help}`).toContain('boundary');
  });

  it('tells the faults of several options at once, and goes on with the defaults', () => {
    const { options, diagnostics } = read({ target: 7, boundary: 'x', names: [], answers: 7 });
    expect(codes(diagnostics)).toEqual([
      'api/option',
      'api/option',
      'api/option',
      'api/answer-shape',
    ]);
    expect(options).toMatchObject({ target: 'squad', boundary: 'branch' });
  });

  it.each([{ pass: 'arguments' }, { pass: 'arguments', target: 'squad' }])(
    'passes nothing as arguments where handoffs have none, and says what to do: %j',
    (given) => {
      const { options, diagnostics } = read(given);
      expect(diagnostics).toMatchObject([{ code: 'api/option', at: '/pass', in: 'options' }]);
      expect(diagnostics[0]!.message).toMatch(/set `target` to vapi, or `pass` to extraction/);
      expect(options.pass).toBe('extraction');
      expect(read({ ...given, pass: 'extraction' }).diagnostics).toEqual([]);
    },
  );

  it('tells only that the target is wrong where nobody can know what it should be', () => {
    const { diagnostics } = read({ pass: 'arguments', target: 'vapi2' });
    expect(diagnostics.map(({ at }) => at)).toEqual(['/target']);
  });

  it('points into the value that is not JSON', () => {
    const { diagnostics } = read({ memberOverrides: { voice: { speed: Number.NaN } } });
    expect(diagnostics[0]).toMatchObject({ at: '/memberOverrides/voice/speed', in: 'options' });
  });

  it('never runs anything of the caller’s', () => {
    let calls = 0;
    const options = {
      get target() {
        calls += 1;
        return 'vapi' as const;
      },
      memberOverrides: {
        get voice() {
          calls += 1;
          return {};
        },
      },
    };
    expect(codes(read(options).diagnostics)).toEqual(['api/option', 'api/option']);
    expect(calls).toBe(0);
  });
});
