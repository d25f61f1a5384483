/** The commands that are measured, each in a process of its own. */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const cli = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));

/** The sandbox alone, and the tools in front of another one of the same kind. */
export async function startBoth() {
  const folder = mkdtempSync(join(tmpdir(), 'squadc-bench-'));
  const alone = await startSandbox();
  const behind = await startSandbox();
  const config = {
    secret: { env: 'TOOLS_SECRET' },
    bills: { baseUrl: behind.address, apiKeyEnv: 'BILLS_KEY' },
    allow: ['bills.get'],
    bind: { entry: 'shop' },
  };
  writeFileSync(join(folder, 'serve.json'), JSON.stringify(config));
  const argv = ['serve', '--port', '0', '--config', join(folder, 'serve.json')];
  const tools = await start(argv, /^tools +(\S+)$/m, 'stderr');
  return {
    alone: alone.address,
    behind: behind.address,
    tools: tools.address,
    stop() {
      for (const each of [alone, behind, tools]) each.stop();
      rmSync(folder, { recursive: true });
    },
  };
}

function startSandbox() {
  return start(['sandbox'], /^bills +(\S+)$/m, 'stdout');
}

/**
 * @param {readonly string[]} argv
 * @param {RegExp} pattern what the address stands in
 * @param {'stdout' | 'stderr'} where it is said
 */
async function start(argv, pattern, where) {
  const env = { ...process.env, TOOLS_SECRET: 'bench', BILLS_KEY: 'sandbox-key' };
  const child = spawn(process.execPath, [cli, ...argv], { env });
  // Logs are written, and read by nobody.
  child.stdout.resume();
  child.stderr.resume();
  let said = '';
  const address = await new Promise((resolve, reject) => {
    child[where].on('data', (piece) => {
      said = `${said}${piece}`.slice(0, 10_000);
      const [, found] = pattern.exec(said) ?? [];
      if (found !== undefined) resolve(found);
    });
    child.once('exit', (code) => reject(new Error(`${argv[0]} ended with ${code}: ${said}`)));
  });
  return { address: /** @type {string} */ (address), stop: () => void child.kill() };
}
