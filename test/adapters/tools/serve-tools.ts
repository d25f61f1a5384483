/** `squadc serve` in front of a sandbox, with a configuration as one would write it. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Sandbox } from '../../../src/adapters/sandbox/sandbox.js';
import type { BoundWorkflow } from '../../../src/tools.js';
import { addressOf, serving } from '../../cli/fake-io.js';

const env = { TOOLS: 'a-secret', BILLS: 'sandbox-key', DOCUMENTS: 'sandbox-key' };

/** What the platform sends along. */
export const authorized = { authorization: 'Bearer a-secret' };

/** The address; the bindings of a compilation are pasted into the configuration. */
export async function serveTools(
  { billsUrl, documentsUrl }: Sandbox,
  tools: BoundWorkflow['toolBindings'],
): Promise<string> {
  const config = {
    secret: { env: 'TOOLS' },
    bills: { baseUrl: billsUrl, apiKeyEnv: 'BILLS' },
    documents: { baseUrl: documentsUrl, apiKeyEnv: 'DOCUMENTS' },
    allow: Object.values(tools).map(({ operation }) => operation),
    bind: { entry: 'shop' },
    tools,
    fileHosts: ['files.example.com'],
  };
  const folder = mkdtempSync(join(tmpdir(), 'squadc-serve-'));
  writeFileSync(join(folder, 'serve.json'), JSON.stringify(config));
  const command = serving(['--config', 'serve.json', '--port', '0'], { env, cwd: folder });
  onTestFinished(async () => {
    command.interrupt();
    await command.ended;
    rmSync(folder, { recursive: true });
  });
  return addressOf(command);
}
