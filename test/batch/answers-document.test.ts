import { describe, expect, it } from 'vitest';
import { withAnswers, withoutAnswer, withPolicy } from '../../src/batch/answers.js';

const none = { choice: 'none' };
const given = (key: string, id: string, answer = none) => ({ key, id, answer });
const text = (document: object) => JSON.stringify(document);

describe('withAnswers', () => {
  it('puts answers in, many at a time, and replaces those that are there in their place', () => {
    const before = { workflows: { a: { answers: { x: none, y: none } } } };
    const other = { choice: 'other' };
    const after = withAnswers(before, [given('a', 'x', other), given('b', 'z'), given('b', 'w')]);
    expect(text(after)).toBe(
      text({
        workflows: {
          a: { answers: { x: other, y: none } },
          b: { answers: { z: none, w: none } },
        },
      }),
    );
    expect(text(before)).toBe(text({ workflows: { a: { answers: { x: none, y: none } } } }));
  });

  it('leaves everything else as it is and where it is', () => {
    const before = JSON.parse(
      '{"note": 1, "workflows": {"b": {"note": 2}, "a": {}}, "policies": {"q": "r"}}',
    );
    expect(text(withAnswers(before, [given('a', 'x')]))).toBe(
      '{"note":1,"workflows":{"b":{"note":2},"a":{"answers":{"x":{"choice":"none"}}}},' +
        '"policies":{"q":"r"}}',
    );
  });

  it('takes keys and ids that every object has for what they are', () => {
    const after = withAnswers({}, [given('__proto__', '__proto__'), given('toString', 'valueOf')]);
    expect(text(after)).toBe(
      '{"workflows":{"__proto__":{"answers":{"__proto__":{"choice":"none"}}},' +
        '"toString":{"answers":{"valueOf":{"choice":"none"}}}}}',
    );
  });
});

describe('withoutAnswer', () => {
  const document = JSON.parse(
    '{"workflows": {"__proto__": {"answers": {"__proto__": {"choice": "a"}, "x": {"choice": "b"}}}}}',
  );

  it('takes one answer out', () => {
    expect(text(withoutAnswer(document, '__proto__', '__proto__'))).toContain(
      '"answers":{"x":{"choice":"b"}}',
    );
  });

  it.each([
    ['__proto__', 'y'],
    ['__proto__', 'toString'],
    ['toString', 'x'],
    ['a', 'x'],
  ])('is the document itself where there is none: %s, %s', (key, id) => {
    expect(withoutAnswer(document, key, id)).toBe(document);
  });
});

describe('withPolicy', () => {
  it('puts policies first, and changes one where it is', () => {
    const before = { workflows: {}, policies: { a: '1', b: '2' } };
    expect(text(withPolicy(before, 'a', '3'))).toBe(
      text({ policies: { a: '3', b: '2' }, workflows: {} }),
    );
    expect(text(withPolicy({}, '__proto__', '1'))).toBe('{"policies":{"__proto__":"1"}}');
  });
});
