/** fast-check, which users of `squadc/testing` install themselves. */
import { createRequire } from 'node:module';
import type FastCheck from 'fast-check';

/** Loaded here rather than imported, so that a missing package is reported in a sentence. */
function load(): typeof FastCheck {
  const require = createRequire(import.meta.url);
  try {
    return require('fast-check');
  } catch (cause) {
    const missing =
      'squadc/testing needs fast-check, which is not installed: npm install --save-dev fast-check@4';
    throw Object.assign(new Error(missing, { cause }), { code: 'ERR_MODULE_NOT_FOUND' });
  }
}

export const fc = load();
