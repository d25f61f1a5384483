/** What a program carries along that imports all of a client, or all of an SDK. */
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { round } from '../measure.mjs';
import { atMost } from './claims.mjs';

const subjects = [
  { name: 'squadc/bills', limit: 12 },
  { name: '@payabli/sdk-node' },
  { name: 'squadc/documents', limit: 20 },
  { name: 'extend-ai' },
];

/** @returns {Promise<import('./claims.mjs').Figure[]>} */
export async function measureBundles() {
  const rows = [];
  const claims = [];
  for (const { name, limit } of subjects) {
    const bytes = await bundle(name);
    const kB = bytes.length / 1000;
    rows.push({
      bundle: name,
      kB: round(kB, 1),
      'kB, gzip': round(gzipSync(bytes).length / 1000, 1),
    });
    if (limit !== undefined) claims.push(atMost(`bundle of ${name}, kB`, [kB], limit));
  }
  return [{ title: 'Bundle of everything, by esbuild, without undici', rows, claims }];
}

/** @param {string} name */
async function bundle(name) {
  const { outputFiles } = await build({
    stdin: {
      contents: `import * as all from '${name}'; console.log(all);`,
      resolveDir: fileURLToPath(new URL('.', import.meta.url)),
    },
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'node',
    external: ['undici'],
    write: false,
    logLevel: 'error',
  });
  return outputFiles[0]?.contents ?? new Uint8Array();
}
