/**
 * The built library in a page of Chromium, without a bundler. An import map names the one package that
 * it imports, graphology, as README shows.
 */
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compile } from '../src/index.js';
import { buildOnce } from './build-once.js';
import { executablePath } from './report/browser.js';

const graphology = 'node_modules/graphology/dist/graphology.umd.min.js';
/** What the server has beside dist/. */
const pages: Readonly<Record<string, readonly [type: string, text: string]>> = {
  '/': [
    'text/html',
    '<!doctype html><script type="importmap">{"imports":{"graphology":"/graphology.js"}}</script>',
  ],
  '/graphology.js': [
    'text/javascript',
    "import '/graphology.umd.min.js';\nexport const { DirectedGraph } = globalThis.graphology;",
  ],
  '/graphology.umd.min.js': ['text/javascript', await readFile(graphology, 'utf8')],
};
const workflow = JSON.parse(await readFile('golden/worked-pattern/input.json', 'utf8'));

describe.skipIf(executablePath === undefined)('the library in a browser', () => {
  let server: Server;
  let browser: Browser;

  beforeAll(async () => {
    await buildOnce();
    server = createServer((request, response) => {
      const { pathname } = new URL(request.url ?? '/', 'http://localhost');
      const [type, content] = pages[pathname] ?? [];
      if (type !== undefined) response.setHeader('content-type', type).end(content);
      else {
        readFile(join('dist', pathname)).then(
          (text) => response.setHeader('content-type', 'text/javascript').end(text),
          () => response.writeHead(404).end(),
        );
      }
    });
    await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
    const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
    browser = await chromium.launch({ executablePath: executablePath ?? '', args });
  }, 600_000);

  afterAll(async () => {
    await browser?.close();
    server?.close();
  });

  it('compiles to the same bytes as in Node', async () => {
    const page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    // As text, since the test runner rewrites imports in functions.
    const squad = await page.evaluate(`(async (source) => {
      const { compile, toGraph, verify } = await import('/index.js');
      const { output } = compile(source);
      const { holds } = verify(source, output);
      return { text: JSON.stringify(output), holds, nodes: toGraph(source).order };
    })(${JSON.stringify(workflow)})`);
    const text = JSON.stringify(compile(workflow).output);
    expect(squad).toEqual({ text, holds: true, nodes: workflow.nodes.length });
  });
});
