import { describe, expect, it } from 'vitest';
import type { Json } from '../../src/compiler/ir/json.js';
import type { Validator } from '../../src/schemas/validators.generated.js';
import * as validators from '../../src/schemas/validators.generated.js';
import * as examples from './examples.js';

const left: unique symbol = Symbol('left out');

/** A place in an example, what is put there instead, and where the fault must be found. */
type Change = readonly [path: string, value: Json | typeof left, at?: string];

const handoffAt = '/squad/members/0/assistant/model/tools/0';
const destinationAt = `${handoffAt}/destinations/0`;
const planAt = `${destinationAt}/variableExtractionPlan/schema`;
const toolsAt = '/squad/members/1/assistant/model/tools';
const vapiToolsAt = '/members/1/assistant/model/tools';

const cases: readonly (readonly [name: string, Validator, Json, readonly Change[]])[] = [
  [
    'workflow',
    validators.validateWorkflow,
    examples.workflow,
    [
      ['/nodes', left, ''],
      ['/nodes', [], '/nodes'],
      ['/name', 7],
      ['/nodes/0/id', ''],
      ['/nodes/0/id', left, '/nodes/0'],
      ['/nodes/0/type', 'say'],
      ['/nodes/0/extractVariables/0/type', 'date'],
      ['/nodes/0/extractVariables/0/name', left, '/nodes/0/extractVariables/0'],
      ['/nodes/1/isGlobal', 'yes'],
      ['/nodes/2/method', 'FETCH'],
      ['/nodes/2/timeoutSeconds', 0],
      ['/nodes/2/responseVariables/0/path', left, '/nodes/2/responseVariables/0'],
      ['/edges/0/to', left, '/edges/0'],
      ['/edges/0/condition', { type: 'ai' }],
    ],
  ],
  [
    'squad',
    validators.validateSquad,
    examples.squad,
    [
      ['/more', 1, ''],
      ['/squad/membersOverrides', {}, '/squad'],
      ['/squad/name', 'x', '/squad'],
      ['/squad/members', [], '/squad/members'],
      ['/squad/members/0/assistantDestinations', [], '/squad/members/0'],
      ['/squad/members/0/assistant', left, '/squad/members/0'],
      ['/squad/members/0/assistantId', 'both', '/squad/members/0/assistant'],
      ['/squad/members/0/assistant/name', 'a'.repeat(41)],
      ['/squad/members/0/assistant/name', left, '/squad/members/0/assistant'],
      ['/squad/members/0/assistant/model/messages', []],
      ['/squad/members/0/assistant/model/messages/0/role', 'owner'],
      [`${handoffAt}/type`, 'handover'],
      [`${handoffAt}/type`, left, handoffAt],
      [`${handoffAt}/function`, {}, handoffAt],
      [`${handoffAt}/destinations`, []],
      [`${destinationAt}/type`, 'squad'],
      [`${destinationAt}/assistantName`, left, destinationAt],
      [`${destinationAt}/assistantId`, 'both', `${destinationAt}/assistantName`],
      [`${destinationAt}/description`, ''],
      [`${destinationAt}/variableExtractionPlans`, {}, destinationAt],
      [`${destinationAt}/contextEngineeringPlan`, left, destinationAt],
      [`${destinationAt}/contextEngineeringPlan/type`, 'some'],
      [
        `${destinationAt}/contextEngineeringPlan/type`,
        'all',
        `${destinationAt}/contextEngineeringPlan/maxMessages`,
      ],
      [
        `${destinationAt}/contextEngineeringPlan/maxMessages`,
        left,
        `${destinationAt}/contextEngineeringPlan`,
      ],
      [`${planAt}/type`, 'array'],
      [`${planAt}/required`, left, planAt],
      [`${planAt}/additionalProperties`, false, planAt],
      [`${planAt}/properties/day/type`, ['string', 'null']],
      [`${planAt}/properties/day/default`, 'x', `${planAt}/properties/day`],
      [`${planAt}/properties/day/description`, left, `${planAt}/properties/day`],
      [`${toolsAt}/0/destinations/0/number`, 7],
      [`${toolsAt}/0/destinations/0/numberE164CheckEnabled`, 'no'],
      [`${toolsAt}/0/destinations/0/type`, 'assistant'],
      [`${toolsAt}/1/destinations/0/sipUri`, left, `${toolsAt}/1/destinations/0`],
      [`${toolsAt}/2/method`, 'HEAD'],
      [`${toolsAt}/2/parameters`, {}],
      [`${toolsAt}/2/variableExtractionPlan/aliases/0/key`, '1st'],
      [`${toolsAt}/2/variableExtractionPlan/aliases/0/key`, `a${'b'.repeat(40)}`],
      [`${toolsAt}/2/variableExtractionPlan`, []],
      [`${toolsAt}/3/function/name`, 'a b'],
      [`${toolsAt}/3/variableExtractionPlan/aliases/0/key`, '1st'],
      [`${toolsAt}/3`, { type: 'endCalls' }, `${toolsAt}/3/type`],
      [`${toolsAt}/3`, { type: 'sms', name: 'a b' }, `${toolsAt}/3/name`],
      [`${toolsAt}/3`, { type: 'sms', function: { name: '' } }, `${toolsAt}/3/function/name`],
      ['/squad/members/0/assistant/model/toolIds', ['a', 'a']],
      [
        '/squad/members/0/assistant/model/toolIds',
        [7],
        '/squad/members/0/assistant/model/toolIds/0',
      ],
    ],
  ],
  [
    'vapi-squad',
    validators.validateVapiSquad,
    examples.vapiSquad,
    [
      ['/memberOverrides', {}, ''],
      ['/squad', {}, ''],
      ['/members/0/assistant/name', 'a'.repeat(41)],
      ['/members/0/assistant/model/tools/0/function/name', 'a b'],
      ['/members/0/assistant/model/tools/0/message', 'x', '/members/0/assistant/model/tools/0'],
      ['/members/0/assistant/model/tools/0/rejectionPlan/conditions/0/type', 'js'],
      [`${vapiToolsAt}/0/reason`, 'x', `${vapiToolsAt}/0`],
      [
        `${vapiToolsAt}/1/destinations/0/transferPlan/mode`,
        left,
        `${vapiToolsAt}/1/destinations/0/transferPlan`,
      ],
      [`${vapiToolsAt}/1/function`, { name: 'transfer' }, `${vapiToolsAt}/1`],
      [`${vapiToolsAt}/2/parameters/0/value`, left, `${vapiToolsAt}/2/parameters/0`],
      [`${vapiToolsAt}/2/parameters/0/value`, null],
      [
        `${vapiToolsAt}/2/headers/properties/Accept/default`,
        '*/*',
        `${vapiToolsAt}/2/headers/properties/Accept`,
      ],
      ['/members/0/assistant/firstMessageMode', 'assistant-waits'],
      [
        '/members/0/assistant/model/tools/0/function/parameters/properties',
        left,
        '/members/0/assistant/model/tools/0/function/parameters',
      ],
      [
        '/members/0/assistant/model/tools/0/rejectionPlan/conditions/0/liquid',
        left,
        '/members/0/assistant/model/tools/0/rejectionPlan/conditions/0',
      ],
    ],
  ],
  [
    'answers',
    validators.validateAnswers,
    examples.answers,
    [
      ['/answer', {}, ''],
      ['/answers', []],
      ['/answers/cyclic-stages:a,b', 'consolidate'],
      ['/answers/cyclic-stages:a,b/choice', left, '/answers/cyclic-stages:a,b'],
      ['/answers/cyclic-stages:a,b/values', 1, '/answers/cyclic-stages:a,b'],
      ['/policies/critical-variable', { choice: 'x' }],
    ],
  ],
  [
    'answer-value',
    validators.validateAnswerValue,
    examples.answerValue,
    [
      ['/kind', 'missing-luck'],
      ['/choice', 'tool'],
      ['/choice', 'none', '/value'],
      ['/value', left, ''],
      ['/value/secret', 'sk-123'],
      ['/more', 1, ''],
    ],
  ],
  [
    'result',
    validators.validateResult,
    examples.result,
    [
      ['/status', 'done'],
      ['/output', []],
      ['/more', 1, ''],
      ['/draft', left, ''],
      ['/questions/0/kind', 'missing-luck'],
      ['/questions/0/at/1', 'nodes/0'],
      ['/questions/0/choices/0/value', 'string'],
      ['/diagnostics/0/severity', 'fatal'],
      ['/diagnostics/0/line', 1, '/diagnostics/0'],
      ['/diagnostics/0/related/0', '/~2'],
      ['/checklist/0/item', 10],
      ['/sourceMap/0/range', [0]],
      ['/sourceMap/0/range', [0, 1, 2], '/sourceMap/0/range'],
      ['/sourceMap/0/origin/kind', 'guess', '/sourceMap/0/origin'],
      ['/sourceMap/1/origin/option', 'both', '/sourceMap/1/origin'],
      ['/ledger/0/status', 'lost'],
      ['/stats/nodes', -1],
      ['/stats/tools', left, '/stats'],
    ],
  ],
];

describe.each(cases)('%s', (_name, validate, example, changes) => {
  it('takes its example', () => {
    expect(validate(example), JSON.stringify(validate.errors)).toBe(true);
  });

  type Row = { readonly path: string; readonly value: Change[1]; readonly at: string };
  const rows = changes.map(([path, value, at = path]): Row => ({ path, value, at }));

  it.each(rows)('refuses another $path: $value', ({ path, value, at }) => {
    expect(validate(changed(example, path, value))).toBe(false);
    expect(validate.errors?.map(({ instancePath }) => instancePath)).toContain(at);
  });
});

describe('open parts', () => {
  const takes: readonly (readonly [string, Validator, Json, Change])[] = [
    ['a workflow without edges', validators.validateWorkflow, examples.workflow, ['/edges', left]],
    ['a workflow without a name', validators.validateWorkflow, examples.workflow, ['/name', left]],
    ['empty answers', validators.validateAnswers, examples.answers, ['', {}]],
    [
      'settings of an assistant',
      validators.validateSquad,
      examples.squad,
      ['/squad/members/0/assistant/hooks', []],
    ],
    [
      'a tool of the platform that is carried as it is',
      validators.validateSquad,
      examples.squad,
      [`${toolsAt}/3`, { type: 'endCall', messages: [] }],
    ],
    [
      'ids of tools that the platform keeps',
      validators.validateVapiSquad,
      examples.vapiSquad,
      ['/members/1/assistant/model/toolIds', ['a', 'b']],
    ],
    [
      'a nested variable',
      validators.validateSquad,
      examples.squad,
      [`${planAt}/properties/day`, nested()],
    ],
    [
      'a destination without a plan',
      validators.validateSquad,
      examples.squad,
      [`${destinationAt}/variableExtractionPlan`, left],
    ],
    [
      'a saved assistant',
      validators.validateVapiSquad,
      examples.vapiSquad,
      ['/members/0', { assistantId: 'a' }],
    ],
    [
      'a transfer plan',
      validators.validateVapiSquad,
      examples.vapiSquad,
      [
        `${vapiToolsAt}/1/destinations/0/transferPlan`,
        { mode: 'blind-transfer', sipVerb: {}, timeout: 60 },
      ],
    ],
  ];

  it.each(takes)('takes %s', (_name, validate, example, [path, value]) => {
    expect(validate(changed(example, path, value)), JSON.stringify(validate.errors)).toBe(true);
  });
});

function nested(): Json {
  const name = { type: 'string', description: 'N' };
  const person = { type: 'object', description: 'P', properties: { name }, required: ['name'] };
  return { type: 'array', description: 'Q', items: person };
}

/** A copy in which the place holds the value, or is missing. */
function changed(example: Json, path: string, value: Json | typeof left): unknown {
  if (path === '') return value;
  const copy = structuredClone(example);
  const keys = path.slice(1).split('/');
  const last = keys.pop() ?? '';
  let place = copy as unknown as Record<string, unknown>;
  for (const key of keys) place = place[key] as Record<string, unknown>;
  if (value === left) delete place[last];
  else place[last] = value;
  return copy;
}
