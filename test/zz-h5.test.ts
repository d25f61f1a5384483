import { it } from 'vitest';
import { readFileSync } from 'node:fs';
import { compile } from '/work/main/src/index.js';
it('x', () => {
  const w = JSON.parse(readFileSync('/tmp/h5/w.json','utf8'));
  for (const target of ['squad','vapi'] as const) {
    try {
    const r = compile(w, {target});
    console.log(target, r.status, JSON.stringify(r.diagnostics.map(d=>[d.code,d.at,d.message]),null,1), JSON.stringify(r.output ?? r.draft,null,1));
    } catch (e) { console.log(target, (e as any).message, JSON.stringify((e as any).verification?.diagnostics,null,1)); }
  }
});
