import { it } from 'vitest';
import { parseWorkflow } from '../../src/compiler/1-parse/parse-workflow.js';
import { readOptions } from '../../src/compiler/1-parse/read-options.js';
import { run } from '../../src/compiler/compile.js';
import { checks } from '../../src/verify/checklist.js';
import { findSettingFaults } from '../../src/verify/settings.js';
import { compareMigration } from './migration.js';
const N = 100_000;
const talk = (id: string, more: object = {}) => ({ id, type: 'conversation', systemPrompt: `Do the work of ${id}. Then ask what next.`, ...more });
const req = (id: string) => ({ id, type: 'apiRequest', url: `https://x/${id}`, method: 'GET', headers: { Authorization: 'Bearer {{secret}}' }, body: { type: 'object', properties: { day: { type: 'string' }, fixed: { const: 'a' } } }, responseVariables: [{ name: 'slot', type: 'string', description: 'd', path: 'data.slot' }] });
const out = (id: string) => ({ id, type: 'transferCall', destination: `+1415555${id.slice(1).padStart(7,'0').slice(-7)}`, transferPlan: { message: 'Hold.' } });
function tree() {
  const nodes: any[] = []; const edges: any[] = [];
  for (let i = 0; i < N; i++) {
    const k = i % 4;
    nodes.push(k < 2 ? talk(`n${i}`) : k === 2 ? req(`n${i}`) : i % 8 === 3 ? out(`n${i}`) : { id: `n${i}`, type: 'endCall', firstMessage: `Bye from n${i}.` });
    if (i > 0) { const p = Math.floor((i - 1) / 4); const from = Math.floor(p / 4) * 4 + (p % 4 < 2 ? p % 4 : p % 4 === 2 ? 2 : 0); edges.push({ from: `n${from}`, to: `n${i}`, condition: `choice ${i}` }); }
  }
  return { name: 't', nodes, edges };
}
function giant() {
  const nodes: any[] = []; const edges: any[] = [];
  for (let i = 0; i < N / 4; i++) {
    nodes.push(talk(`a${i}`), req(`b${i}`), { id: `e${i}`, type: 'endCall', firstMessage: `Bye from e${i}.` }, out(`t${i}`));
    edges.push({ from: `a${i}`, to: `b${i}`, condition: `look ${i}` }, { from: `a${i}`, to: `e${i}`, condition: `stop the thing ${i}` }, { from: `a${i}`, to: `t${i}`, condition: `person ${i}` });
    edges.push({ from: `b${i}`, to: `a${(i + 1) % (N / 4)}`, condition: 'next' });
  }
  edges.pop();
  edges.push({ from: `b${N / 4 - 1}`, to: 'a1', condition: 'back' });
  return { name: 'g', nodes, edges };
}
it('speed', () => {
  for (const [name, w] of [['tree', tree()], ['giant', giant()]] as const) for (const target of ['squad', 'vapi'] as const) {
    const options = { target, dynamicVariables: ['secret'], answers: { policies: { 'cyclic-stages': 'consolidate', 'critical-variable': 'best-effort' } } };
    let t = performance.now();
    const c: any = run(w, options);
    if (c.status) { console.log(c.status, c.diagnostics.slice(0, 3)); continue; }
    console.log(name, target, 'compile', performance.now() - t, c.assembled.document.members?.length ?? c.assembled.document.squad.members.length);
    t = performance.now();
    const comparison = compareMigration({ source: parseWorkflow(w).workflow!, options: readOptions(options).options, document: c.assembled.document });
    console.log('compare', performance.now() - t);
    for (const i of [4, 5, 6, 7, 8]) { t = performance.now(); const item = checks[i]!(comparison); console.log('item', i + 1, performance.now() - t, item.holds, item.holds ? '' : item.evidence.find((e) => !e.holds)); }
    t = performance.now(); const f = findSettingFaults(comparison, comparison.grouping.decisions); console.log('settings', performance.now() - t, f.length);
  }
}, 400000);
