/** What is the matter with some workflows: questions that only a person answers, and mistakes. */

/**
 * @typedef {import('./workflows.mjs').Workflow} Workflow
 * @typedef {import('./random.mjs').Random} Random
 */

const shareOfOpen = 0.12;
const shareOfWrong = 0.02;

/** @type {readonly ((workflow: Workflow) => void)[]} */
const questions = [
  ({ nodes }) => void delete nodes.find(({ id }) => id === 'operator')?.['destination'],
  ({ edges }) => void edges.push({ from: 'closing', to: 'intake', condition: 'once more' }),
  ({ nodes }) => {
    const closing = nodes.find(({ id }) => id === 'closing');
    if (closing) closing['systemPrompt'] = 'Tell the caller that {{order_id}} is on its way.';
  },
  ({ edges }) =>
    void edges.push({ from: 'closing', to: 'operator', condition: '{{caller_name}} == "x"' }),
];

/** @type {readonly ((workflow: Workflow) => string)[]} */
const mistakes = [
  (workflow) => {
    workflow.edges.push({ from: 'closing', to: 'nowhere' });
    return JSON.stringify(workflow);
  },
  (workflow) => {
    workflow.nodes.push({ id: 'intake', type: 'endCall' });
    return JSON.stringify(workflow);
  },
  (workflow) => JSON.stringify(workflow).slice(0, -20),
];

/** The text of the workflow, after something was done to it or not. @param {Workflow} workflow @param {Random} random */
export function spoil(workflow, random) {
  const share = random.share();
  if (share < shareOfWrong) return random.pick(mistakes)(workflow);
  if (share < shareOfWrong + shareOfOpen) random.pick(questions)(workflow);
  return JSON.stringify(workflow);
}
