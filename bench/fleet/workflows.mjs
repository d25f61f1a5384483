/**
 * Workflows as teams have them: 10 to 30 nodes, branches that part and rejoin, captures, requests, an
 * operator who can be asked for at any time. Each depends on its number alone. One in eight leaves a
 * question open, two in a hundred are invalid.
 *
 *     greeting ─▶ intake ─┬─▶ step 0, 2, 4 … ─┬─▶ closing ─▶ end
 *                         └─▶ step 1, 3, 5 … ─┘
 */
import { writeFileSync } from 'node:fs';

/** Writes so many workflows to a file, one on each line. @param {string} path @param {number} count */
export function writeLines(path, count) {
  writeFileSync(path, '');
  for (let number = 0; number < count; number += 1)
    writeFileSync(path, `${workflowLine(number)}\n`, { flag: 'a' });
}

/** The text of a workflow, on one line; one in a hundred is not JSON. @param {number} number */
export function workflowLine(number) {
  const workflow = workflowOf(number);
  const { edges } = workflow;
  if (number % 8 === 3) edges.push({ from: 'closing', to: 'intake', condition: 'once more' });
  if (number % 100 === 50) edges.push({ from: 'closing', to: 'nowhere' });
  return JSON.stringify(workflow).slice(0, number % 100 === 90 ? -20 : undefined);
}

/** @param {number} number */
function workflowOf(number) {
  const steps = 5 + (number % 21);
  const branches = 2 + (number % 2);
  /** @type {{ from: string, to: string, condition?: string }[]} */
  const edges = [
    { from: 'greeting', to: 'intake' },
    { from: 'closing', to: 'end', condition: 'the caller needs nothing else' },
  ];
  const middle = Array.from({ length: steps }, (_, at) => {
    const [id, before] = [`step-${at}`, at - branches];
    if (before < 0) edges.push({ from: 'intake', to: id, condition: `the call is about ${at}` });
    else edges.push({ from: `step-${before}`, to: id });
    if (at + branches >= steps) edges.push({ from: id, to: 'closing' });
    const known = before >= 0 && kindOf(before, number) > 0 ? `detail_${before}` : 'caller_name';
    return { id, ...stepOf(kindOf(at, number), `detail_${at}`, known) };
  });
  const nodes = [
    { id: 'greeting', ...talk('Find out why they call.'), firstMessage: 'How can I help you?' },
    { id: 'intake', ...stepOf(1, 'caller_name', 'today') },
    ...middle,
    { id: 'closing', ...talk('Ask {{caller_name}} whether there is anything else you can do.') },
    { id: 'end', type: 'endCall', firstMessage: 'Thank you for calling. Goodbye.' },
    {
      id: 'operator',
      type: 'transferCall',
      isGlobal: true,
      condition: 'the caller asks for a person',
      destination: '+14155550123',
    },
  ];
  return { id: `workflow-${number}`, name: `Front desk no. ${number}`, nodes, edges };
}

/** A step talks (0), gathers (1) or requests (2). @param {number} at @param {number} number */
function kindOf(at, number) {
  return (at + Math.floor(at / 3) + number) % 3;
}

/** @param {number} kind @param {string} name @param {string} known */
function stepOf(kind, name, known) {
  if (kind === 0) return talk(`Speak about ${name}. We know {{${known}}} already.`);
  if (kind === 1) {
    const extractVariables = [{ name, type: 'string', description: `the ${name} of the caller` }];
    return { type: 'gather', systemPrompt: `Ask for ${name}.`, extractVariables };
  }
  const url = `https://desk.example.com/find?of={{${known}}}`;
  const responseVariables = [{ name, path: 'found.text' }];
  const headers = { 'X-Api-Key': '{{desk_key}}' };
  return { type: 'apiRequest', url, method: 'GET', headers, responseVariables };
}

/** @param {string} systemPrompt */
function talk(systemPrompt) {
  return { type: 'conversation', systemPrompt };
}
