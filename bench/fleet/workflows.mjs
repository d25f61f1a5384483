/**
 * Workflows as teams have them: 10 to 30 nodes, branches that part and rejoin, captures, requests.
 * Most are complete, some leave a question open, a few are invalid. Each depends on a seed and its
 * number alone.
 *
 *     greeting ─▶ intake ─┬─▶ topic 1 … ─┬─▶ closing ─▶ end        operator (from anywhere)
 *                         ├─▶ topic 2 … ─┤
 *                         └─▶ …         ─┘
 */
import { writeFileSync } from 'node:fs';

/** @typedef {{ id: string, type: string, [field: string]: unknown }} Node */
/** @typedef {{ from: string, to: string, condition?: string }} Edge */
/** @typedef {{ id: string, name: string, nodes: Node[], edges: Edge[] }} Workflow */

const businesses = ['dentist', 'garage', 'hotel', 'pharmacy', 'bank', 'airline'];
const topics = ['booking', 'invoice', 'complaint', 'delivery', 'contract', 'opening hours'];

/** Numbers from 0 up to 1 that look random and are the same everywhere: mulberry32. @param {number} seed */
export function randomOf(seed) {
  let state = Math.imul(seed + 1, 0x9e3779b1);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Writes so many workflows to a file, one on each line. @param {string} path @param {number} count */
export function writeLines(path, count) {
  writeFileSync(path, '');
  for (let number = 0; number < count; number += 1)
    writeFileSync(path, `${workflowLine(1, number)}\n`, { flag: 'a' });
}

/** The text of a workflow, on one line; a few are not JSON. @param {number} seed @param {number} number */
export function workflowLine(seed, number) {
  const random = randomOf(seed * 1_000_003 + number);
  const workflow = workflowOf(random, number);
  const share = random();
  if (share < 0.01) return JSON.stringify(workflow).slice(0, -20);
  if (share < 0.02) workflow.edges.push({ from: 'closing', to: 'nowhere' });
  else if (share < 0.14) leaveOpen(workflow, random);
  return JSON.stringify(workflow);
}

/** @param {Workflow} workflow @param {() => number} random */
function leaveOpen({ nodes, edges }, random) {
  const kind = Math.floor(random() * 4);
  if (kind === 0) delete nodes.find(({ id }) => id === 'operator')?.['destination'];
  if (kind === 1) edges.push({ from: 'closing', to: 'intake', condition: 'once more' });
  if (kind === 2) nodes.push({ id: 'thanks', ...talk('{{order_id}}') });
  if (kind === 3)
    edges.push({ from: 'closing', to: 'operator', condition: '{{caller_name}} == "x"' });
}

/** @param {() => number} random @param {number} number @returns {Workflow} */
function workflowOf(random, number) {
  const business = businesses[Math.floor(random() * businesses.length)];
  const firstMessage = `Hello, this is the ${business}. How can I help you?`;
  /** @type {Node[]} */
  const nodes = [
    { id: 'greeting', ...talk('Greet the caller and find out why they call.'), firstMessage },
    { id: 'intake', ...gather('caller_name', "the caller's full name") },
    {
      id: 'closing',
      ...talk('Ask {{caller_name}} whether there is anything else you can do.'),
    },
    { id: 'end', type: 'endCall', firstMessage: 'Thank you for calling. Goodbye.' },
    {
      id: 'operator',
      type: 'transferCall',
      isGlobal: true,
      condition: 'the caller asks for a person',
      destination: '+14155550123',
    },
  ];
  /** @type {Edge[]} */
  const edges = [
    { from: 'greeting', to: 'intake' },
    { from: 'closing', to: 'end', condition: 'the caller needs nothing else' },
  ];
  const branches = 2 + Math.floor(random() * 2);
  const size = 10 + Math.floor(random() * 21);
  const first = Math.floor(random() * topics.length);
  for (let branch = 0; branch < branches; branch += 1) {
    const topic = topics[(first + branch) % topics.length] ?? '';
    const length = Math.ceil((size - nodes.length) / (branches - branch));
    let [from, known] = ['intake', 'caller_name'];
    for (let step = 0; step < length; step += 1) {
      const [id, kind] = [`${topic.replace(' ', '-')}-${step}`, random()];
      const name = id.replaceAll('-', '_');
      if (kind < 0.35)
        nodes.push({ id, ...talk(`Speak about the ${topic}. We know {{${known}}} already.`) });
      else if (kind < 0.75) nodes.push({ id, ...gather(name, `a detail of the ${topic}`) });
      else nodes.push({ id, ...request(name, known) });
      edges.push({ from, to: id, ...(step === 0 && { condition: `the call is about: ${topic}` }) });
      [from, known] = [id, kind < 0.35 ? known : name];
    }
    edges.push({ from, to: 'closing' });
  }
  const name = `Front desk of the ${business} no. ${number}`;
  return { id: `workflow-${number}`, name, nodes, edges };
}

/** @param {string} systemPrompt */
function talk(systemPrompt) {
  return { type: 'conversation', systemPrompt };
}

/** @param {string} name @param {string} description */
function gather(name, description) {
  const extractVariables = [{ name, type: 'string', description }];
  return { type: 'gather', systemPrompt: `Ask for ${description}.`, extractVariables };
}

/** @param {string} name @param {string} known */
function request(name, known) {
  const url = `https://desk.example.com/find?of={{${known}}}`;
  const responseVariables = [{ name, path: 'found.text' }];
  const headers = { 'X-Api-Key': '{{desk_key}}' };
  return { type: 'apiRequest', url, method: 'GET', headers, responseVariables };
}
