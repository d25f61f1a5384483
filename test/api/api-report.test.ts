/**
 * The public surface, as one report per entry beside this file: whatever a change adds, renames or
 * removes shows up in a report. `npm run api-report` rewrites them.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Extractor, ExtractorConfig, ExtractorLogLevel } from '@microsoft/api-extractor';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildOnce } from '../build-once.js';
import { wantsUpdate } from '../golden/compare.js';

const scratch = mkdtempSync(join(tmpdir(), 'squadc-api-'));
beforeAll(buildOnce, 600_000);
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

it.each(['index', 'testing', 'bills', 'documents', 'tools'])(
  '%s matches its report, and every export has a docstring',
  { timeout: 120_000 },
  (entry) => {
    const now = reportOf(entry);
    const file = resolve('test/api', `${entry}.api.md`);
    if (wantsUpdate(process.env)) writeFileSync(file, now);
    expect(now).not.toMatch(/^\/\/ @public \(undocumented\)\nexport /m);
    expect(now).toBe(readFileSync(file, 'utf8').replaceAll('\r\n', '\n'));
  },
);

/** The exported types of an entry in dist/, as Markdown; throws if they contain an error. */
function reportOf(entry: string): string {
  const declarations = `dist/types/${entry}.d.ts`;
  const silent = { logLevel: ExtractorLogLevel.None };
  const compilerOptions = {
    target: 'es2022',
    module: 'nodenext',
    strict: true,
    skipLibCheck: true,
    types: ['node'],
  };
  const config = ExtractorConfig.prepare({
    configObject: {
      projectFolder: resolve('.'),
      mainEntryPointFilePath: resolve(declarations),
      compiler: { overrideTsconfig: { compilerOptions, files: [declarations] } },
      apiReport: {
        enabled: true,
        reportFileName: `${entry}.api.md`,
        reportFolder: scratch,
        reportTempFolder: join(scratch, 'temporary'),
        includeForgottenExports: true,
      },
      docModel: { enabled: false },
      dtsRollup: { enabled: false },
      tsdocMetadata: { enabled: false },
      messages: {
        compilerMessageReporting: { default: { logLevel: ExtractorLogLevel.Error } },
        extractorMessageReporting: { default: silent },
        tsdocMessageReporting: { default: silent },
      },
    },
    configObjectFullPath: undefined,
    packageJsonFullPath: resolve('package.json'),
  });
  const faults: string[] = [];
  const { succeeded } = Extractor.invoke(config, {
    localBuild: true,
    messageCallback: (message) => {
      if (message.logLevel === ExtractorLogLevel.Error) faults.push(message.text);
      message.handled = true;
    },
  });
  if (!succeeded) throw new Error(`no report of ${entry}: ${faults.join('; ')}`);
  return readFileSync(join(scratch, `${entry}.api.md`), 'utf8').replaceAll('\r\n', '\n');
}
