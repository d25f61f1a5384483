/** Reads an entry's type declarations in dist/ and lists what it exports. */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import {
  Extractor,
  ExtractorConfig,
  ExtractorLogLevel,
  type IConfigFile,
} from '@microsoft/api-extractor';

/** The report of an entry, as Markdown; throws where the declarations have an error. */
export function reportOf(entry: string, scratch: string): string {
  const config = ExtractorConfig.prepare({
    configObject: configOf(entry, scratch),
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

function configOf(entry: string, scratch: string): IConfigFile {
  const declarations = `dist/${entry}.d.ts`;
  const silent = { logLevel: ExtractorLogLevel.None };
  return {
    projectFolder: resolve('.'),
    mainEntryPointFilePath: resolve(declarations),
    compiler: {
      overrideTsconfig: {
        compilerOptions: {
          target: 'es2022',
          module: 'nodenext',
          strict: true,
          skipLibCheck: true,
          types: ['node'],
        },
        files: [declarations],
      },
    },
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
  };
}
