import { describe, expect, it } from 'vitest';
import { bound, callAt, compileCall, direct, ids } from './rent-office.js';

const open = (name: string) => ({
  body: { type: 'object', properties: { [name]: { type: 'string' } } },
});

function questionAbout(request: object, options: Parameters<typeof compileCall>[1]) {
  const { questions } = compileCall(request, options);
  const [{ id, choices, proposal }] = questions as [(typeof questions)[number]];
  return { id, choices: choices.map(({ key }) => key), proposal };
}

describe('a value that an operation needs', () => {
  it('is proposed to be asked of the caller where a server answers', () => {
    expect(questionAbout({}, bound('bills.get'))).toEqual({
      id: 'missing-parameter:call.idBill',
      choices: ['variable', 'caller', 'fixed'],
      proposal: 'caller',
    });
  });

  it('is not asked for where the source has the model fill it', () => {
    expect(ids(compileCall(open('idBill'), bound('bills.get')))).toEqual([]);
  });

  it.each([
    ['', {}],
    [', not even where the source has it so', open('idBill')],
  ])('is nothing for a model to fill where the platform calls the service%s', (_, request) => {
    expect(questionAbout(request, bound('bills.get', {}, direct))).toEqual({
      id: 'missing-parameter:call.idBill',
      choices: ['variable', 'fixed'],
      proposal: null,
    });
  });

  it('is asked for where a human has taken away what the source says', () => {
    const request = { url: 'https://pay.example.com/api/Bill/17', method: 'GET' };
    const result = compileCall(request, bound('bills.get', { idBill: null }));
    expect(ids(result)).toEqual(['missing-parameter:call.idBill']);
  });

  it('is not asked for where another variable of its name is known, but for the account', () => {
    const known = { dynamicVariables: ['idBill', 'entry'] };
    expect(ids(compileCall({}, bound('bills.get', {}, known)))).toEqual([]);
    // Whoever starts the call may say whose account it is, even where the source asks the model.
    expect(ids(compileCall(open('entry'), bound('bills.list', {}, known)))).toEqual([]);
  });
});

describe('a value that the source has the model fill and that is not needed', () => {
  it('is told to be left out where the platform calls the service', () => {
    const result = compileCall(open('status'), bound('bills.list', { entry: 'main' }, direct));
    const found = result.diagnostics.filter(({ code }) => code === 'tools/no-such-value');
    expect(found.map(({ at, message }) => [at, message])).toEqual([
      [
        `${callAt}/body/properties/status`,
        '“call” sends “status”, which bills.list leaves out: what the platform calls itself is ' +
          'given nothing by the model.',
      ],
    ]);
    const fixed = bound('bills.list', { entry: 'main', status: '1' }, direct);
    expect(compileCall(open('status'), fixed).diagnostics.map(({ code }) => code)).not.toContain(
      'tools/no-such-value',
    );
  });
});
