/**
 * The pictures of two workflows, file by file; UPDATE_GOLDENS=1 writes the files anew.
 *
 * An expectation is a claim that the output is right: look at it before it is committed.
 */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { layOut } from '../../../src/report/graph/layout.js';
import { renderDot } from '../../../src/report/graph/render-dot.js';
import { renderMermaid } from '../../../src/report/graph/render-mermaid.js';
import { renderSvg } from '../../../src/report/graph/render-svg.js';
import { compareFiles, wantsUpdate, writeFiles } from '../../golden/compare.js';
import { compiledPictures, goldenWorkflow } from './compiled-pictures.js';
import { readSvg } from './svg-check.js';

function filesOf(name: string): Map<string, string> {
  const pictures = compiledPictures(goldenWorkflow(name));
  return new Map(
    Object.entries(pictures).flatMap(([subject, picture]) => [
      [`${subject}.svg`, renderSvg(picture, layOut(picture), { theme: 'auto' })],
      [`${subject}.mmd`, renderMermaid(picture)],
      [`${subject}.dot`, renderDot(picture)],
    ]),
  );
}

describe.each(['worked-pattern', 'global-transfer'])('the pictures of %s', (name) => {
  it('are what is expected', () => {
    const files = filesOf(name);
    const folder = join('test/report/graph/expected', name);
    if (wantsUpdate(process.env)) writeFiles(folder, files);
    compareFiles(folder, files);
  });

  it('are SVG documents', () => {
    for (const [file, text] of filesOf(name)) {
      if (file.endsWith('.svg')) expect(readSvg(text).count).toBeGreaterThan(10);
    }
  });
});
