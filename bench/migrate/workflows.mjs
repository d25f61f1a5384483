/**
 * Workflows as teams have them: 10 to 30 nodes, ways that part and rejoin, captures, requests. Most
 * are complete, some leave questions open, a few are wrong. Each is made of a seed and its number
 * alone.
 *
 *     greeting ─▶ intake ─┬─▶ way 1 … ─┬─▶ closing ─▶ end          operator (from anywhere)
 *                         ├─▶ way 2 … ─┤
 *                         └─▶ …       ─┘
 */
import { randomOf } from './random.mjs';
import { spoil } from './spoil.mjs';

/**
 * @typedef {{ id: string, type: string, [field: string]: unknown }} Node
 * @typedef {{ from: string, to: string, condition?: string }} Edge
 * @typedef {{ id: string, name: string, globalPrompt: string, nodes: Node[], edges: Edge[] }} Workflow
 */

/** Nodes that every workflow has: all of the picture above but its ways. */
const around = 5;

const businesses = ['dentist', 'garage', 'hotel', 'pharmacy', 'bank', 'airline', 'energy supplier'];
const topics = ['booking', 'invoice', 'complaint', 'delivery', 'contract', 'opening hours'];
const details = ['number', 'date', 'address', 'reason', 'amount', 'contact'];

/** The text of a workflow, on one line; a few are no JSON. @param {number} seed @param {number} number */
export function workflowLine(seed, number) {
  const random = randomOf(seed, number);
  return spoil(workflowOf(random, number), random);
}

/** @param {import('./random.mjs').Random} random @param {number} number @returns {Workflow} */
function workflowOf(random, number) {
  const business = random.pick(businesses);
  /** @type {Workflow} */
  const workflow = {
    id: `workflow-${number}`,
    name: `Front desk of the ${business} no. ${number}`,
    globalPrompt: `You answer the telephone of a ${business}. Be brief and friendly, ask one thing at a time, and never invent what you have not been told.`,
    nodes: frame(business),
    edges: [
      { from: 'greeting', to: 'intake' },
      { from: 'closing', to: 'end', condition: 'the caller needs nothing else' },
    ],
  };
  const size = 10 + random.below(21);
  const ways = 2 + random.below(2);
  const chosen = distinct(topics, ways, random);
  chosen.forEach((topic, way) => {
    const left = size - workflow.nodes.length;
    addWay(workflow, topic, Math.ceil(left / (ways - way)), random);
  });
  return workflow;
}

/** @param {string} business @returns {Node[]} */
function frame(business) {
  const nodes = [
    {
      id: 'greeting',
      type: 'conversation',
      firstMessage: `Hello, this is the ${business}. How can I help you?`,
      systemPrompt: 'Greet the caller and find out in one sentence why they call today.',
    },
    {
      id: 'intake',
      type: 'gather',
      systemPrompt:
        "Ask for the caller's full name and what the call is about. Repeat the name once.",
      extractVariables: [capture('caller_name', "the caller's full name")],
    },
    {
      id: 'closing',
      type: 'conversation',
      systemPrompt: 'Ask {{caller_name}} whether there is anything else you can do.',
    },
    { id: 'end', type: 'endCall', firstMessage: 'Thank you for calling. Goodbye.' },
    {
      id: 'operator',
      type: 'transferCall',
      isGlobal: true,
      condition: 'the caller asks for a person',
      destination: '+14155550123',
      transferPlan: { message: 'One moment, I am putting you through.' },
    },
  ];
  if (nodes.length !== around) throw new Error(`${nodes.length} nodes around the ways`);
  return nodes;
}

/**
 * So many nodes between the intake and the closing, in steps of one or, where the way parts for a
 * moment, three.
 *
 * @param {Workflow} workflow
 * @param {string} topic
 * @param {number} size
 * @param {import('./random.mjs').Random} random
 */
function addWay({ nodes, edges }, topic, size, random) {
  const word = topic.replace(' ', '-');
  /** @type {string[]} */
  let ends = ['intake'];
  let condition = `the call is about: ${topic}`;
  let known = 'caller_name';
  let made = 0;
  const add = (
    /** @type {Omit<Node, 'id'>} */ node,
    /** @type {readonly string[]} */ from,
    way = condition,
  ) => {
    const id = `${word}-${made}`;
    nodes.push(/** @type {Node} */ ({ id, ...node }));
    for (const each of from)
      edges.push({ from: each, to: id, ...(way !== '' && { condition: way }) });
    made += 1;
    return id;
  };
  while (made < size) {
    if (made > 0 && size - made >= 3 && random.share() < 0.2) {
      const fork = add(talk(topic, known), ends);
      ends = ['yes', 'no'].map((word) => add(talk(topic, known), [fork], `the answer is ${word}`));
    } else {
      const { node, variable } = step(topic, `${word.replace('-', '_')}_${made}`, known, random);
      ends = [add(node, ends)];
      known = variable ?? known;
    }
    condition = '';
  }
  for (const from of ends) edges.push({ from, to: 'closing' });
}

/**
 * @param {string} topic
 * @param {string} name
 * @param {string} known a variable that has a value by now
 * @param {import('./random.mjs').Random} random
 * @returns {{ node: Omit<Node, 'id'>, variable?: string }}
 */
function step(topic, name, known, random) {
  const share = random.share();
  if (share < 0.35) return { node: talk(topic, known) };
  if (share < 0.75) return { node: gather(topic, name, random.pick(details)), variable: name };
  return { node: request(topic, name, known), variable: name };
}

/** @param {string} topic @param {string} known */
function talk(topic, known) {
  return {
    type: 'conversation',
    systemPrompt: `Speak with the caller about the ${topic}. We know {{${known}}} already: do not ask for it again. If something is unclear, ask once more and then go on.`,
  };
}

/** @param {string} topic @param {string} name @param {string} detail */
function gather(topic, name, detail) {
  return {
    type: 'gather',
    systemPrompt: `Ask for the ${detail} that belongs to the ${topic}, and read it back to the caller.`,
    extractVariables: [capture(name, `the ${detail} of the ${topic}`)],
  };
}

/** @param {string} topic @param {string} name @param {string} known */
function request(topic, name, known) {
  return {
    type: 'apiRequest',
    name: `look up ${name}`,
    url: `https://desk.example.com/${topic.replace(' ', '-')}?of={{${known}}}`,
    method: 'GET',
    headers: { 'X-Api-Key': '{{desk_key}}' },
    timeoutSeconds: 8,
    systemPrompt: `Look up the ${topic}.`,
    responseVariables: [
      { name, type: 'string', description: `what is on file`, path: 'found.text' },
    ],
  };
}

/** @param {string} name @param {string} description */
function capture(name, description) {
  return { name, type: 'string', description };
}

/** @param {readonly string[]} list @param {number} count @param {import('./random.mjs').Random} random */
function distinct(list, count, random) {
  const first = random.below(list.length);
  return Array.from(
    { length: count },
    (_, at) => /** @type {string} */ (list[(first + at) % list.length]),
  );
}
