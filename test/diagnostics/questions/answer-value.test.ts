import { describe, expect, it } from 'vitest';
import type { QuestionKind } from '../../../src/compiler/ir/answers.js';
import { checkAnswerValue } from '../../../src/diagnostics/questions.js';

/** Values that fit, by kind and choice. */
const fitting: readonly (readonly [QuestionKind, string, unknown])[] = [
  ['logical-condition', 'extract', undefined],
  ['logical-condition', 'guard', undefined],
  ['logical-condition', 'tool', { tool: 'check plan' }],
  ['critical-variable', 'tool', { tool: 'store_id' }],
  ['cyclic-stages', 'group', [['a', 'b'], ['c']]],
  ['missing-destination', 'number', '+4930123456'],
  ['missing-destination', 'sip', 'sips:desk@example.com'],
  ['missing-endpoint', 'request', { url: 'https://example.com/{{id}}', method: 'GET' }],
  [
    'missing-endpoint',
    'request',
    {
      url: 'https://example.com',
      method: 'PATCH',
      headers: { 'X-Tenant': '{{tenant}}' },
      body: { type: 'object' },
      timeoutSeconds: 300,
    },
  ],
  ['missing-endpoint', 'operation', { operation: 'bills.get' }],
  ['missing-parameter', 'variable', 'bill.number'],
  ['missing-parameter', 'fixed', 17],
  ['missing-parameter', 'fixed', ['approver@example.com']],
  ['missing-endpoint', 'operation', { operation: 'documents.extractions.create', bind: { id: 1 } }],
  ['missing-auth', 'none', undefined],
  ['missing-auth', 'header', { header: 'X-Api-Key', secret: 'crm_token' }],
  ['missing-auth', 'credential', { credentialId: 'c1' }],
  ['ambiguous-start', 'node', 'greeting'],
  ['undefined-variable', 'caller', undefined],
  ['undefined-variable', 'rename', 'customer_name'],
  ['undefined-variable', 'captured-at', 'collect'],
  ['conflicting-settings', 'use', 'collect'],
  ['conflicting-settings', 'keep-split', undefined],
];

/** Values that do not fit, and what is said of them. */
const refused: readonly (readonly [QuestionKind, string, unknown, string])[] = [
  ['logical-condition', 'tool', undefined, 'the answer must have “value”'],
  ['logical-condition', 'tool', 'check', 'value must be an object'],
  ['logical-condition', 'tool', { tool: '' }, 'value/tool must not be empty'],
  ['logical-condition', 'tool', { tool: 'a', more: 1 }, 'value must not have “more”'],
  ['logical-condition', 'prose', 'x', 'value must not be given here'],
  ['cyclic-stages', 'group', [], 'value must not be empty'],
  ['cyclic-stages', 'group', [[]], 'value/0 must not be empty'],
  ['cyclic-stages', 'group', [['a', 'a']], 'value/0 must not name anything twice'],
  ['cyclic-stages', 'group', [['a'], ['a', 'b']], 'value names a stage in two groups'],
  ['cyclic-stages', 'group', ['a'], 'value/0 must be a list'],
  [
    'missing-destination',
    'number',
    '030 123',
    'value must be a phone number in international form (E.164), such as +4930123456',
  ],
  ['missing-destination', 'number', 49, 'value must be a text'],
  [
    'missing-destination',
    'sip',
    'desk@example.com',
    'value must be a SIP address, such as sip:desk@example.com',
  ],
  ['missing-endpoint', 'request', { url: 'https://x' }, 'value must have “method”'],
  ['missing-endpoint', 'request', { url: 1, method: 'GET' }, 'value/url must be a text'],
  [
    'missing-endpoint',
    'request',
    { url: 'x', method: 'get' },
    'value/method must be “GET”, “POST”, “PUT”, “PATCH” or “DELETE”',
  ],
  [
    'missing-endpoint',
    'request',
    { url: 'x', method: 'GET', timeoutSeconds: 301 },
    'value/timeoutSeconds must be at most 300',
  ],
  ['missing-endpoint', 'operation', { operation: 7 }, 'value/operation must be a text'],
  [
    'missing-auth',
    'header',
    { header: 'X Key', secret: 'a' },
    'value/header must be a header name, such as Authorization',
  ],
  [
    'missing-auth',
    'header',
    { header: 'X-Key', secret: 'sk-123' },
    'value/secret must be the name under which the secret is supplied ' +
      '(letters, digits and underscores), never its value',
  ],
  ['missing-auth', 'credential', { credentialId: '' }, 'value/credentialId must not be empty'],
  [
    'undefined-variable',
    'rename',
    'a b',
    'value must be the name of a variable (letters, digits, underscores and hyphens, ' +
      'a letter or an underscore first)',
  ],
  ['ambiguous-start', 'node', '', 'value must not be empty'],
  ['missing-auth', 'no-such-choice', undefined, 'choice must be “none”, “header” or “credential”'],
];

describe('checkAnswerValue', () => {
  it.each(fitting)('takes %s %s %j', (kind, choice, value) => {
    expect(checkAnswerValue(kind, choice, value)).toBeNull();
  });

  it.each(refused)('refuses %s %s %j', (kind, choice, value, problem) => {
    expect(checkAnswerValue(kind, choice, value)).toBe(problem);
  });

  it('is not moved by what other faults a value has', () => {
    expect(checkAnswerValue('missing-auth', 'header', null)).toBe('value must be an object');
    expect(checkAnswerValue('missing-auth', 'header', {})).toBe('value must have “header”');
  });
});
