/**
 * Workflows as teams have them: 10 to 30 nodes, branches that part and rejoin, captures, requests.
 * Most are complete, some leave a question open, a few are invalid. Each depends on a seed and its
 * number alone.
 *
 *     greeting ─▶ intake ─┬─▶ topic 1 … ─┬─▶ closing ─▶ end        operator (from anywhere)
 *                         ├─▶ topic 2 … ─┤
 *                         └─▶ …         ─┘
 */
import { closeSync, openSync, writeSync } from 'node:fs';

/**
 * @typedef {{ id: string, type: string, [field: string]: unknown }} Node
 * @typedef {{ from: string, to: string, condition?: string }} Edge
 * @typedef {{ id: string, name: string, nodes: Node[], edges: Edge[] }} Workflow
 */

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
export function writeLines(path, count, seed = 1) {
  const file = openSync(path, 'w');
  for (let number = 0; number < count; number += 1)
    writeSync(file, `${workflowLine(seed, number)}\n`);
  closeSync(file);
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
  const operator = nodes.find(({ id }) => id === 'operator');
  const questions = [
    () => void (operator && delete operator['destination']),
    () => void edges.push({ from: 'closing', to: 'intake', condition: 'once more' }),
    () => void nodes.push({ id: 'thanks', type: 'conversation', systemPrompt: '{{order_id}}' }),
    () => void edges.push({ from: 'closing', to: 'operator', condition: '{{caller_name}} == "x"' }),
  ];
  questions[Math.floor(random() * questions.length)]?.();
}

/** @param {() => number} random @param {number} number @returns {Workflow} */
function workflowOf(random, number) {
  const pick = (/** @type {readonly string[]} */ list) => list[Math.floor(random() * list.length)];
  const business = pick(businesses);
  /** @type {Node[]} */
  const nodes = [
    talk('greeting', 'Greet the caller and find out why they call.', {
      firstMessage: `Hello, this is the ${business}. How can I help you?`,
    }),
    gather('intake', 'caller_name', "the caller's full name"),
    talk('closing', 'Ask {{caller_name}} whether there is anything else you can do.'),
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
    const topic = /** @type {string} */ (topics[(first + branch) % topics.length]);
    const length = Math.ceil((size - nodes.length) / (branches - branch));
    let [from, known] = ['intake', 'caller_name'];
    for (let step = 0; step < length; step += 1) {
      const [id, kind] = [`${topic.replace(' ', '-')}-${step}`, random()];
      const name = id.replaceAll('-', '_');
      if (kind < 0.35)
        nodes.push(talk(id, `Speak about the ${topic}. We know {{${known}}} already.`));
      else if (kind < 0.75) nodes.push(gather(id, name, `a detail of the ${topic}`));
      else nodes.push(request(id, name, known));
      edges.push({ from, to: id, ...(step === 0 && { condition: `the call is about: ${topic}` }) });
      [from, known] = [id, kind < 0.35 ? known : name];
    }
    edges.push({ from, to: 'closing' });
  }
  return {
    id: `workflow-${number}`,
    name: `Front desk of the ${business} no. ${number}`,
    nodes,
    edges,
  };
}

/** @param {string} id @param {string} systemPrompt @returns {Node} */
function talk(id, systemPrompt, more = {}) {
  return { id, type: 'conversation', systemPrompt, ...more };
}

/** @param {string} id @param {string} name @param {string} description @returns {Node} */
function gather(id, name, description) {
  const extractVariables = [{ name, type: 'string', description }];
  return { id, type: 'gather', systemPrompt: `Ask for ${description}.`, extractVariables };
}

/** @param {string} id @param {string} name @param {string} known @returns {Node} */
function request(id, name, known) {
  return {
    id,
    type: 'apiRequest',
    url: `https://desk.example.com/find?of={{${known}}}`,
    method: 'GET',
    headers: { 'X-Api-Key': '{{desk_key}}' },
    responseVariables: [{ name, path: 'found.text' }],
  };
}
