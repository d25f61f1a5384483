import { describe, expect, it } from 'vitest';
import { type Code, catalogue, entryOf } from '../../src/diagnostics/catalogue.js';
import { codesBySeverity } from './codes.js';

/** Every entry, with its sentences for its own example. */
const sentences = (Object.keys(catalogue) as Code[]).map((code) => sentencesOf(code));

function sentencesOf<C extends Code>(code: C) {
  const { title, why, message, help, example, severity } = entryOf(code);
  return { code, severity, title, why, message: message(example), help: help(example) };
}

describe('catalogue', () => {
  it('has the published codes with their severities, and no others', () => {
    for (const severity of ['error', 'warning', 'info'] as const) {
      const codes = sentences.filter((it) => it.severity === severity).map(({ code }) => code);
      expect(codes.sort()).toEqual([...codesBySeverity[severity]].sort());
    }
  });

  it.each(sentences)('$code speaks in sentences', ({ title, why, message, help }) => {
    expect(title).toMatch(/^[A-Z][^.]{7,70}$/u);
    expect(message).toMatch(/^[A-Z“{][^\n]+\.$/u);
    expect(help).toMatch(/^[A-Z][^\n]+\.$/u);
    expect(why).toMatch(/^(?:[A-Z]|squadc )/u);
    expect(why.match(/[.](?= |$)/gu)?.length).toBeGreaterThanOrEqual(1);
    expect(why).toMatch(/\.$/u);
    expect(why.length).toBeGreaterThan(80);
  });

  it.each(sentences)('$code is calm and leaves no gap', ({ title, why, message, help }) => {
    const all = [title, why, message, help].join('\n');
    expect(all).not.toMatch(/!|please|sorry|oops/iu);
    expect(all).not.toMatch(/undefined|\[object|\bNaN\b|\$\{|\.\./u);
    // What is to be pasted is JSON, and has the quotes of JSON.
    expect(all.replace(/\{".+"\}+/u, 'it')).not.toMatch(/ {2}|['"]|“”/u);
  });

  it.each(sentences)('$code explains more than it says', ({ title, why, message, help }) => {
    expect(new Set([title, why, message, help]).size).toBe(4);
  });
});

describe('single messages', () => {
  it('knows every reason why a text is not JSON, and survives others', () => {
    const say = (reason: string) => entryOf('shape/not-json').message({ reason });
    expect(say('comma-expected')).toBe('The text is not JSON: a comma is missing.');
    expect(say('colon-expected')).toBe('The text is not JSON: a colon is missing after a key.');
    expect(say('no-such-reason')).toBe(
      'The text is not JSON: the text breaks off or breaks a rule of JSON here.',
    );
    expect(say('constructor')).toBe(say('no-such-reason'));
  });

  it('puts kinds of values into words', () => {
    const say = (found: string) => entryOf('shape/not-an-object').message({ found });
    expect(say('array')).toBe('An object was expected here, but this is a list.');
    expect(say('a list')).toBe('An object was expected here, but this is a list.');
    expect(say('undefined')).not.toContain('undefined');
  });

  it('offers the near name only where there is one', () => {
    const { message, help } = entryOf('shape/unknown-node-type');
    expect(message({ type: 'say', near: null })).toBe('“say” is not a node type.');
    expect(message({ type: 'endcal', near: 'endCall' })).toContain('“endCall”');
    expect(help({ type: 'endcal', near: 'endCall' })).toContain('“endCall”');
    const edge = entryOf('flow/missing-node');
    expect(edge.message({ id: 'x', end: 'from', near: null })).toBe(
      'This edge starts at “x”, but no node has that id.',
    );
    expect(edge.help({ id: 'x', end: 'from', near: 'y' })).toContain('“y”');
  });

  it('speaks of edges without a condition', () => {
    const { message } = entryOf('flow/same-condition');
    expect(message({ condition: null, from: 'a' })).toBe(
      'Several edges leave “a” without a condition.',
    );
  });

  it('gives the reason of a new name', () => {
    const say = (reason: 'too-long' | 'taken' | 'unreadable') =>
      entryOf('lower/renamed').message({ from: 'a', to: 'b', reason });
    expect(new Set([say('too-long'), say('taken'), say('unreadable')]).size).toBe(3);
    expect(say('taken')).toContain('another one has that name');
  });

  it('speaks of calls that it cannot show', () => {
    const { message } = entryOf('check/walk');
    expect(message({ walk: ['a', 'b'], text: 'It differs.' })).toBe(
      'The squad answers the call “a” → “b” otherwise: It differs.',
    );
    expect(message({ walk: [], text: 'It differs.' })).toBe(
      'The squad answers a call otherwise: It differs.',
    );
  });

  it('names both limits of templates', () => {
    const { message } = entryOf('shape/liquid-too-large');
    expect(message({ limit: 'tags' })).toContain('1000');
    expect(message({ limit: 'levels' })).toContain('100 levels');
  });

  it('words the reasons of templates and of answers', () => {
    expect(entryOf('shape/liquid-syntax').message({ reason: 'tag-not-closed' })).toContain(
      'a {% has no %}',
    );
    expect(entryOf('api/answer-shape').message({ problem: 'too-deep' })).toContain(
      'nested too deeply',
    );
  });

  it('shows a hostile text of the source on one line', () => {
    const variable = `a\n\u001b[31m\u202e${'b'.repeat(500)}`;
    const message = entryOf('data/never-set').message({ variable });
    expect(message).toContain('“a\\n\\u001b[31m\\u202ebbb');
    expect(message.length).toBeLessThan(200);
  });

  it('lists every kind of question for an unknown one', () => {
    const kinds = Array.from({ length: 9 }, (_, index) => `kind-${index}`);
    const message = entryOf('api/policy-kind').message({ kind: 'x', kinds, near: null });
    for (const kind of kinds) expect(message).toContain(`“${kind}”`);
  });
});
