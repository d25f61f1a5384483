/** Tools, requests, transfers. */
import { describe, expect, it } from 'vitest';
import { rareAnswers, rareWorkflow } from '../../../src/testing/mutants/rare-workflow.js';
import { at, damage, prompts, told } from './example.js';

const tools = '/squad/members/2/assistant/model/tools';
const rare = [rareWorkflow, { answers: rareAnswers('squad') }] as const;

describe('tools', () => {
  it('are gone, elsewhere, twice, or new', () => {
    expect(told('tool-dropped')).toEqual(['transferCall', 'apiRequest "book"']);
    expect(told('tool-moved').slice(0, 2)).toEqual([
      'transferCall to "hello"',
      'transferCall to "sales"',
    ]);
    expect(told('tool-copied')).toContain('apiRequest "book" in "where"');
    expect(at(tools, damage('tool-doubled'))[0]).toHaveLength(4);
    expect(told('tool-invented')).toHaveLength(4);
    expect(told('tools-swapped', ...rare)).toEqual([
      'function "list" and apiRequest "file"',
      'function "list" and transferCall',
      'apiRequest "map" and apiRequest "file"',
      'apiRequest "map" and transferCall',
    ]);
  });

  it('are not called any more, or by another name', () => {
    expect(prompts(2, damage('call-lost'))[0]).not.toContain('call the tool');
    expect(at(`${tools}/1/name`, damage('tool-renamed'))).toEqual(['zebra']);
    expect(told('call-of-another-tool')).toEqual([]);
  });
});

describe('requests', () => {
  it('ask for something else', () => {
    expect(at(`${tools}/1/url`, damage('url-changed'))).toEqual([
      'https://api.example.com/book/zebra',
    ]);
    expect(at(`${tools}/1/method`, damage('method-changed'))).toEqual(['POST']);
    expect(at(`${tools}/1/headers`, damage('header-changed'))).toEqual([
      { Authorization: 'Bearer samplezebra' },
    ]);
    expect(at(`${tools}/1/headers`, damage('headers-dropped'))).toEqual([undefined]);
  });

  it('send something else', () => {
    const body = `${tools}/0/body`;
    expect(
      at(`${body}/properties/who/description`, damage('body-text-changed', ...rare)),
    ).toContain('zebra complains: {{caller}}');
    const [lost] = damage('body-property-dropped', ...rare).filter(({ text }) => text === '"who"');
    expect(at(body, [lost!])).toEqual([
      {
        type: 'object',
        properties: { what: { type: 'string', description: 'What is wrong' } },
        required: [],
      },
    ]);
    expect(told('timeout-changed', ...rare)).toEqual(['"1"']);
    const both = ['function "list"', 'function "list"'];
    expect(told('fixed-argument-changed', ...rare)).toEqual(both);
    expect(told('fixed-argument-dropped', ...rare)).toEqual(both);
  });

  it('set something else', () => {
    const aliases = `${tools}/1/variableExtractionPlan/aliases`;
    expect(at(aliases, damage('response-path-changed'))).toEqual([
      [{ key: 'day', value: '{{ $.zebra.data.day }}' }],
    ]);
    expect(at(aliases, damage('response-variable-dropped'))).toEqual([undefined]);
    expect(at(aliases, damage('response-variable-renamed'))).toMatchObject([[{ key: 'zebra' }]]);
    expect(at(aliases, damage('alias-key-illegal'))).toMatchObject([[{ key: '1 day' }]]);
  });

  it('keep a time-out that is the platform’s own', () => {
    const slow = { ...rareWorkflow, nodes: structuredClone(rareWorkflow.nodes) };
    for (const node of slow.nodes) if (node.timeoutSeconds) node.timeoutSeconds = 20;
    expect(told('timeout-dropped', ...rare)).toHaveLength(1);
    expect(told('timeout-dropped', slow, rare[1])).toEqual([]);
  });
});

describe('transfers', () => {
  const destination = `${tools}/0/destinations/0`;

  it('go elsewhere and say something else', () => {
    expect(at(`${destination}/number`, damage('number-changed'))).toEqual(['+14155550101']);
    expect(at(`${destination}/message`, damage('transfer-message-lost'))).toEqual([undefined]);
    expect(at(`${destination}/message`, damage('transfer-message-reworded'))).toEqual([
      'zebra you through.',
    ]);
    expect(prompts(2, damage('told-number-changed'))[0]).toContain('the call to +14155550101\n');
  });

  it('are offered for another reason', () => {
    const place = `${tools}/1/destinations/0/description`;
    expect(at(place, damage('transfer-condition-reworded', ...rare))).toEqual([
      'zebra == "none"; or the caller is angry',
      'ticket == "none"; or zebra caller is angry',
    ]);
    expect(at(place, damage('transfer-alternative-dropped', ...rare))).toEqual([
      'the caller is angry',
      'ticket == "none"',
    ]);
    expect(at(place, damage('transfer-description-dropped', ...rare))).toEqual([undefined]);
  });
});
