/** Mermaid and DOT: no label leaves its quotes. */
import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { renderDot } from '../../../src/report/graph/render-dot.js';
import { renderMermaid } from '../../../src/report/graph/render-mermaid.js';
import { runs, seed } from '../../seed.js';
import { compiledPictures, goldenWorkflow, sketch } from './compiled-pictures.js';
import { hostileLabel } from './hostile-labels.js';

const hostilePicture = fc
  .tuple(hostileLabel(), hostileLabel(), hostileLabel(), hostileLabel())
  .map(([a, b, condition, name]) => ({
    ...sketch([a, b], [[0, 1, condition]], (at) => ({
      groups: at === 0 ? [0] : [],
      caption: name,
    })),
    title: name,
    groups: [name],
  }));

/** Letters, digits, harmless signs, and characters by their numbers. */
const text = String.raw`(?:[\p{L}\p{N}\p{M} ,'()?!/_…-]|#\d+;|<br/>)*`;

const mermaidLines = [
  'flowchart TD',
  String.raw`  subgraph g\d+\["${text}"\]`,
  '  end',
  String.raw` {2,4}n\d+(?:\("${text}"\)|\[\["${text}"\]\]|\(\["${text}"\]\)|\(\("${text}"\)\)|\["${text}"\])`,
  String.raw`  n\d+ (?:-->|-\.->)(?:\|"${text}"\|)? n\d+`,
  String.raw`  classDef t\d fill:#[\da-f]{6},stroke:#[\da-f]{6},color:#[\da-f]{6}`,
  String.raw`  class n\d+(?:,n\d+)* t\d`,
].map((line) => new RegExp(`^${line}$`, 'u'));

describe('a Mermaid flowchart', () => {
  it('has only lines of ours, whatever the labels are', () => {
    fc.assert(
      fc.property(hostilePicture, (picture) => {
        const lines = renderMermaid(picture).trimEnd().split('\n');
        for (const line of lines) {
          expect(mermaidLines.some((form) => form.test(line)) ? '' : line).toBe('');
        }
        expect(lines.filter((line) => /^\s*n\d+ -/.test(line))).toHaveLength(1);
      }),
      { seed, numRuns: runs(200) },
    );
  });

  it('writes by number what Mermaid would take for more than a text', () => {
    const picture = sketch(['"] %%{init: {}}%% `x` #quot; <b> 1. end_of-call -x_']);
    expect(renderMermaid(picture)).toContain(
      `n0("#34;#93; #37;#37;#123;init#58; #123;#125;#125;#37;#37; #96;x#96; #35;quot#59; ` +
        '#60;b#62; 1#46; end_of-call #45;x#95;<br/>start, conversation")',
    );
  });
});

/** What DOT is made of: a quoted string has no bare quote and no backslash but before a character. */
const dotToken =
  /\s+|"(?:[^"\\\n]|\\[\\"n])*"|[A-Za-z_][A-Za-z_0-9]*|\d+(?:\.\d+)?|->|[{}[\];,=]/uy;

function tokensOfDot(document: string): string[] {
  const tokens: string[] = [];
  dotToken.lastIndex = 0;
  while (dotToken.lastIndex < document.length) {
    const at = dotToken.lastIndex;
    const token = dotToken.exec(document)?.[0];
    if (token === undefined) throw new Error(`no DOT: ${document.slice(at, at + 60)}`);
    if (token.trim() !== '') tokens.push(token);
  }
  return tokens;
}

describe('a DOT graph', () => {
  it('has the same shape, whatever the labels are', () => {
    const shape = (document: string) =>
      tokensOfDot(document).map((token) => (token.startsWith('"') ? '""' : token));
    fc.assert(
      fc.property(hostilePicture, (picture) => {
        const tame = {
          ...picture,
          title: 'x',
          groups: ['x'],
          nodes: picture.nodes.map((node) => ({ ...node, label: 'x', caption: 'x' })),
          edges: picture.edges.map((edge) => ({ ...edge, label: edge.label && 'x' })),
        };
        const isShown = picture.edges.every(({ label }) => /\p{L}/u.test(label));
        const document = shape(renderDot(picture));
        if (isShown) expect(document).toEqual(shape(renderDot(tame)));
        expect(document.filter((token) => token === '->')).toHaveLength(1);
      }),
      { seed, numRuns: runs(200) },
    );
  });

  it('escapes quotes, backslashes and entities', () => {
    const document = renderDot(sketch(['a "b" \\N &lt; c']));
    expect(document).toContain(String.raw`tooltip="a \"b\" \\N &amp;lt; c"`);
  });

  it('is read by Graphviz, where it is installed', ({ skip }) => {
    const document = renderDot(compiledPictures(goldenWorkflow('ivr-tree')).workflow);
    const { status, error, stderr } = spawnSync('dot', ['-Tplain'], { input: document });
    if (error !== undefined) skip('dot is not installed');
    expect(stderr.toString()).toBe('');
    expect(status).toBe(0);
  });
});
