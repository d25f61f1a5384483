import { describe, expect, it } from 'vitest';
import { readOptions } from '../../../../src/compiler/1-read/read-options.js';
import type { CompileOptions } from '../../../../src/index.js';

const faults = (options: object) =>
  readOptions(options as CompileOptions).diagnostics.map(({ code, at }) => `${code} ${at}`);

describe('options of tools', () => {
  it.each<[string, object]>([
    ['/bindings', { bindings: [] }],
    ['/bindings/find', { bindings: { find: 'bills.get' } }],
    ['/bindings/find', { bindings: { find: { operation: 1 } } }],
    ['/bindings/find', { bindings: { find: { operation: 'bills.get', bind: [] } } }],
    ['/bindings/find', { bindings: { find: { operation: 'bills.get', binds: {} } } }],
    ['/tools', { tools: 'both' }],
    ['/toolServer', { toolServer: 'https://x.example.com' }],
    ['/toolServer', { toolServer: { url: 'ftp://x.example.com' } }],
    ['/toolServer', { toolServer: { url: 'https://name:secret@x.example.com' } }],
    ['/toolServer', { toolServer: { url: 'https://{{host}}/calls' } }],
    ['/toolServer', { toolServer: { url: 'https://x.example.com', credentialId: '' } }],
    ['/toolServer', { toolServer: { url: 'https://x.example.com', secret: 's' } }],
    ['/toolServer', { tools: 'direct', toolServer: { url: 'https://x.example.com' } }],
    ['/serviceUrls', { serviceUrls: { pay: 'https://x.example.com' } }],
    ['/serviceUrls', { serviceUrls: { bills: 'x.example.com' } }],
  ])('have a fault at %s: %j', (at, options) => {
    expect(faults(options)).toEqual([`api/option ${at}`]);
  });

  it('bind nothing that no operation takes', () => {
    const bindings = {
      a: { operation: 'constructor' },
      b: { operation: 'bills.get', bind: { idBill: '{{' } },
      c: { operation: 'bills.getAttachment', bind: { returnObject: true } },
      d: { operation: 'bills.get', bind: { isPrototypeOf: 1 } },
    };
    expect(faults({ bindings })).toEqual([
      'tools/unknown-operation /bindings/a/operation',
      'tools/bad-value /bindings/b/bind/idBill',
      'tools/bad-value /bindings/c/bind/returnObject',
      'tools/bad-value /bindings/d/bind/isPrototypeOf',
    ]);
  });
});
