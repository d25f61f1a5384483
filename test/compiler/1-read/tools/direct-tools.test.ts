import { describe, expect, it } from 'vitest';
import type { CompileOptions, CompileResult } from '../../../../src/index.js';
import { bound, compileCall, direct, toolsOf } from './rent-office.js';

const here = { url: 'https://pay.example.com/api/Bill/17', method: 'GET' };
const elsewhere = { url: 'https://old.example.com/bills/17', method: 'GET' };

/** Calls the service itself, whose base address only the source can say. */
const { serviceUrls: _, ...unaddressed } = direct;

function urlOf(result: CompileResult): string | undefined {
  return toolsOf(result).find(({ type }) => type === 'apiRequest')?.url;
}

function whyServer(request: object, options: CompileOptions): string | undefined {
  const { diagnostics } = compileCall(request, options);
  const found = diagnostics.find(({ code }) => code === 'tools/needs-server');
  return found?.message.replace(/^.+, which needs a server: /, '');
}

describe('the base address of a service', () => {
  it('is that of the source, where it calls the operation', () => {
    expect(urlOf(compileCall(here, bound('bills.get', {}, unaddressed)))).toBe(here.url);
  });

  it('is that of the option before that of the source', () => {
    const options = { ...direct, serviceUrls: { bills: 'https://new.example.com' } };
    expect(urlOf(compileCall(here, bound('bills.get', {}, options)))).toBe(
      'https://new.example.com/Bill/17',
    );
  });

  it('is not that of another operation or of no operation', () => {
    const options = bound('bills.list', { entry: 'main' }, unaddressed);
    const why = 'the base address of its service is not known.';
    expect(whyServer(here, options)).toBe(why);
    expect(whyServer(elsewhere, options)).toBe(why);
  });
});

describe('a server is needed', () => {
  it('for whatever does more than read', () => {
    expect(whyServer({}, bound('bills.delete', { idBill: 17 }, direct))).toBe(
      'it does more than read an answer of JSON.',
    );
  });

  it('for an address that cannot be written, and the value is named', () => {
    expect(whyServer({}, bound('bills.get', { idBill: '1{{bill}}' }, direct))).toBe(
      'the value of idBill cannot stand in an address: it must be one variable and nothing else.',
    );
  });
});
