/** The built library in a page of Chromium, as it is: no bundler, no shims, no import map. */
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compile } from '../src/index.js';
import { buildOnce } from './build-once.js';
import { executablePath } from './report/browser.js';

const workflow = JSON.parse(await readFile('golden/worked-pattern/input.json', 'utf8'));

describe.skipIf(executablePath === undefined)('the library in a browser', () => {
  let server: Server;
  let browser: Browser;

  beforeAll(async () => {
    await buildOnce();
    server = createServer((request, response) => {
      const path = join('dist', new URL(request.url ?? '/', 'http://localhost').pathname);
      if (path === 'dist/') response.setHeader('content-type', 'text/html').end('<!doctype html>');
      else {
        readFile(path).then(
          (text) => response.setHeader('content-type', 'text/javascript').end(text),
          () => response.writeHead(404).end(),
        );
      }
    });
    await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
    const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
    browser = await chromium.launch({ executablePath: executablePath ?? '', args });
  }, 300_000);

  afterAll(async () => {
    await browser?.close();
    server?.close();
  });

  it('compiles to the same bytes as in Node', async () => {
    const page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    // As text, since the test runner rewrites imports in functions.
    const squad = await page.evaluate(`(async (source) => {
      const { compile, verify } = await import('/index.js');
      const { output } = compile(source);
      return { text: JSON.stringify(output), holds: verify(source, output).holds };
    })(${JSON.stringify(workflow)})`);
    expect(squad).toEqual({ text: JSON.stringify(compile(workflow).output), holds: true });
  });
});
