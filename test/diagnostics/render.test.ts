import { describe, expect, it } from 'vitest';
import { diagnose } from '../../src/diagnostics/diagnose.js';
import { ask } from '../../src/diagnostics/questions.js';
import { renderDiagnostic, renderQuestion, type Style } from '../../src/diagnostics/render.js';

const plain: Style = { bold: same, red: same, yellow: same, cyan: same, dim: same };
const tagged: Style = {
  bold: (text) => `<b>${text}</b>`,
  red: (text) => `<r>${text}</r>`,
  yellow: (text) => `<y>${text}</y>`,
  cyan: (text) => `<c>${text}</c>`,
  dim: (text) => `<d>${text}</d>`,
};

function same(text: string): string {
  return text;
}

const text = '{\n  "edges": [\n    { "from": "a", "to": "colect" }\n  ]\n}\n';
const edge = diagnose('flow/missing-node', '/edges/0/to', {
  id: 'colect',
  end: 'to',
  near: 'collect',
});

describe('renderDiagnostic', () => {
  it('shows the line with carets below the place', () => {
    const source = { file: 'calls/a.json', text, line: 3, column: 26, length: 8 };
    expect(renderDiagnostic(edge, source, plain).split('\n')).toEqual([
      'error[flow/missing-node]: This edge leads to “colect”, but no node has that id.',
      ' --> calls/a.json:3:26',
      '  |',
      '3 |     { "from": "a", "to": "colect" }',
      '  |                          ^^^^^^^^',
      '  = help: Write “collect” if that is the node you mean; otherwise add the node or delete the edge.',
    ]);
  });

  it('widens the gutter with the number of the line', () => {
    const source = {
      file: 'a.json',
      text: `${'\n'.repeat(11)}${text}`,
      line: 14,
      column: 26,
      length: 8,
    };
    const lines = renderDiagnostic(edge, source, plain).split('\n');
    expect(lines[1]).toBe('  --> a.json:14:26');
    expect(lines[3]).toBe('14 |     { "from": "a", "to": "colect" }');
    expect(lines[4]).toBe('   |                          ^^^^^^^^');
  });

  it('gives the pointer where there is no text', () => {
    expect(renderDiagnostic(edge, null, plain).split('\n').slice(1)).toEqual([
      ' --> workflow /edges/0/to',
      '  = help: Write “collect” if that is the node you mean; otherwise add the node or delete the edge.',
    ]);
    const option = diagnose(
      'api/option',
      '',
      { option: 'target', problem: 'x' },
      { in: 'options' },
    );
    expect(renderDiagnostic(option, null, plain).split('\n')[1]).toBe(' --> options');
  });

  it('gives the words for the place where it is in no text', () => {
    const shown = renderDiagnostic(edge, '--policy \u001bx=y', plain).split('\n');
    expect(shown.slice(1)).toEqual([' --> --policy \\u001bx=y', expect.stringContaining('= help')]);
  });

  it('lists related places, a few of them', () => {
    const related = ['', '/nodes/1', '/nodes/2', '/nodes/3', '/nodes/4', '/nodes/5', '/nodes/6'];
    const found = diagnose('shape/duplicate-id', '/nodes/0/id', { id: 'a' }, { related });
    expect(renderDiagnostic(found, null, plain)).toContain(
      '\n  = see also: the document, /nodes/1, /nodes/2, /nodes/3, /nodes/4, 2 more\n',
    );
  });

  it('colours by severity', () => {
    const source = { file: 'a.json', text: '[1]', line: 1, column: 2, length: 1 };
    const at = (severity: 'error' | 'warning' | 'info') =>
      renderDiagnostic({ ...edge, severity, message: 'M', help: 'H', code: 'c' }, source, tagged);
    expect(at('error')).toBe(
      [
        '<b><r>error[c]</r></b><b>: M</b>',
        ' <d>--></d> a.json:1:2',
        '  <d>|</d>',
        '<d>1</d> <d>|</d> [1]',
        '  <d>|</d> <r> ^</r>',
        '  <d>=</d> <b>help</b>: H',
      ].join('\n'),
    );
    expect(at('warning')).toContain('<y> ^</y>');
    expect(at('info')).toContain('<c>info[c]</c>');
  });

  it('lets nothing of the source steer the terminal', () => {
    const hostile = '"\u001b[2J\u202e"';
    const source = { file: 'a\u001b[1m.json', text: hostile, line: 1, column: 1, length: 8 };
    const found = diagnose('shape/unknown-field', '/\u001b', {
      field: '\u001b]0;x\u0007',
      near: '\u001b',
    });
    expect(renderDiagnostic(found, source, plain)).not.toMatch(/[^\P{C}\n]/u);
    expect(renderDiagnostic(found, null, plain)).not.toMatch(/[^\P{C}\n]/u);
  });

  it('does not show the value of a secret', () => {
    const secret = '{ "headers": { "Authorization": "Bearer s3cr3t" }, "method": "FETCH" }';
    const source = { file: 'a.json', text: secret, line: 1, column: 62, length: 7 };
    const found = diagnose('shape/unknown-method', '/nodes/0/method', { method: 'FETCH' });
    const lines = renderDiagnostic(found, source, plain).split('\n');
    expect(lines[3]).toBe('1 | { "headers": { "Authorization": "••••" }, "method": "FETCH" }');
    expect(lines[4]).toBe('  |                                                     ^^^^^^^');
  });
});

describe('renderQuestion', () => {
  it('shows text, choices with effects, the proposal and how to answer', () => {
    const question = ask('cyclic-stages', 'a,b', {
      at: ['/nodes/0', '/nodes/1'],
      args: { stages: ['a', 'b'] },
      target: 'squad',
      proposal: 'consolidate',
    });
    expect(renderQuestion(question, plain).split('\n')).toEqual([
      'question[cyclic-stages:a,b]: The stages “a” and “b” lead back to each other. As separate ' +
        'assistants they would hand the call to and fro. Shall they become one assistant, or stay apart?',
      '  * consolidate (proposed): Make them one assistant',
      '    One assistant covers all of these stages, and the ways back stay inside it.',
      '  - keep-split: Keep each stage apart',
      '    Each stage is an assistant of its own, and they hand off to each other. Checklist item 2 ' +
        'is waived by this answer.',
      '  - group: Choose which stages belong together',
      '    Each group that you name is one assistant; a stage that you do not name is one of its ' +
        'own. Checklist item 2 is waived by this answer.',
      '    value: which stages belong together: a list of groups, each a list of node ids',
      '  = proposed: {"answers":{"cyclic-stages:a,b":{"choice":"consolidate"}}}',
    ]);
  });

  it('shows where it is about, and only the file of the first place', () => {
    const question = ask('cyclic-stages', 'a,b', {
      at: ['/nodes/0', '/nodes/1'],
      args: { stages: ['a', 'b'] },
      target: 'squad',
    });
    const at = (line: number) => ({ file: 'calls/\u001b.json', line, column: 5 });
    const placeLine = (places: Parameters<typeof renderQuestion>[2]) =>
      renderQuestion(question, plain, places).split('\n')[1];
    expect(placeLine([at(3)])).toBe('  --> calls/\\u001b.json:3:5');
    expect(placeLine([at(3), at(9)])).toBe('  --> calls/\\u001b.json:3:5, 9:5');
    expect(placeLine([1, 2, 3, 4, 5, 6, 7].map(at))).toBe(
      '  --> calls/\\u001b.json:1:5, 2:5, 3:5, 4:5, 5:5, 2 more',
    );
    expect(placeLine([])).toContain('- consolidate');
  });

  it('names the fields of a value, and proposes nothing where only a human can know', () => {
    const question = ask('missing-endpoint', 'lookup', {
      at: [],
      args: { node: 'lookup', missing: ['url'] },
      target: 'squad',
    });
    const shown = renderQuestion(question, plain);
    expect(shown).toContain(
      '\n    value: { url: the address; may contain {{variables}}; method: the HTTP method; ' +
        'one of GET, POST, PUT, PATCH, DELETE }\n',
    );
    expect(shown).not.toContain('= proposed');
    expect(shown).not.toContain('(proposed)');
  });

  it('writes the proposed value into the answer', () => {
    const question = ask('ambiguous-start', '', {
      at: [],
      args: { candidates: ['a', 'b'] },
      target: 'squad',
      proposal: 'node',
      proposalValue: 'a',
      allowed: { node: ['a', 'b'] },
    });
    const shown = renderQuestion(question, plain);
    expect(shown).toContain('value: the id of the node that a call starts at; one of a, b\n');
    expect(shown).toContain(
      '= proposed: {"answers":{"ambiguous-start:":{"choice":"node","value":"a"}}}',
    );
  });

  it('gives an answer that is JSON, whatever the id holds', () => {
    const question = ask('cyclic-stages', 'a"\n\u202eb', {
      at: [],
      args: { stages: ['a'] },
      target: 'squad',
      proposal: 'consolidate',
    });
    const shown = renderQuestion(question, tagged);
    const answer = shown.slice(shown.lastIndexOf('</b>: {') + 6);
    expect(JSON.parse(answer)).toEqual({
      answers: { 'cyclic-stages:a"\n\u202eb': { choice: 'consolidate' } },
    });
    expect(shown).not.toMatch(/\u202e/u);
    expect(shown.startsWith('<b><c>question[')).toBe(true);
  });
});
