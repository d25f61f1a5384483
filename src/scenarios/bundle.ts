/**
 * What has to be sent to the platform for a run of all scenarios, in order: a personality, the
 * scenarios, a simulation for each, a suite, the run. `<name>` stands for the id that the platform
 * gave to the request of that name.
 */
import { shorten } from '../diagnostics/quote.js';
import type { SimulationScenario } from './simulation.js';

interface Request {
  readonly name: string;
  readonly post: string;
  readonly body: object;
}

const longestName = 80;
const caller =
  'You are calling on the phone. Do what the scenario says, answer in one short sentence at a time, ' +
  'and speak as people do: numbers and addresses in words.';

export function toBundle(
  title: string | null,
  scenarios: readonly SimulationScenario[],
  squad: object,
): Request[] {
  const name = shorten(title ?? 'Test calls', longestName);
  const path = '/eval/simulation';
  const model = {
    provider: 'openai',
    model: 'gpt-4o',
    messages: [{ role: 'system', content: caller }],
  };
  const at = (index: number, kind: string) => `${kind} ${index + 1}`;
  const simulations = scenarios.map((scenario, index): Request => {
    const ids = { scenarioId: `<${at(index, 'scenario')}>`, personalityId: '<personality>' };
    return { name: at(index, 'simulation'), post: path, body: { name: scenario.name, ...ids } };
  });
  const simulationIds = simulations.map((it) => `<${it.name}>`);
  const entry = { type: 'simulationSuite', simulationSuiteId: '<suite>' };
  return [
    { name: 'personality', post: `${path}/personality`, body: { name, assistant: { model } } },
    ...scenarios.map((body, index): Request => {
      return { name: at(index, 'scenario'), post: `${path}/scenario`, body };
    }),
    ...simulations,
    { name: 'suite', post: `${path}/suite`, body: { name, simulationIds } },
    {
      name: 'run',
      post: `${path}/run`,
      body: { simulations: [entry], target: { type: 'squad', squad } },
    },
  ];
}
