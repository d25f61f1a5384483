/** The JSON that `squadc scenarios` writes: scenarios, or the body of a run with them. */
import type { TestPlan } from '../scenarios/markdown.js';
import { exitCodes, Refusal } from './exit.js';

/**
 * A list of bodies of the platform's create-scenario call; with a squad, one body of its
 * create-run call, to which the personality of the tester is still to be added.
 */
export async function scenariosDocument(
  { scripts }: TestPlan,
  squadId: string | null,
): Promise<object> {
  const { longestInstructions, toSimulationScenario } = await import('../scenarios/simulation.js');
  const scenarios = scripts.map((script) => toSimulationScenario(script, scripts.length));
  for (const { name, instructions } of scenarios) {
    if (instructions.length <= longestInstructions) continue;
    throw new Refusal(
      `${name}: the instructions have ${instructions.length} characters, and the platform takes ` +
        `${longestInstructions}; --format markdown has no limit`,
      exitCodes.invalid,
    );
  }
  if (squadId === null) return scenarios;
  return {
    simulations: scenarios.map((scenario) => ({ type: 'simulation', scenario })),
    target: { type: 'squad', squadId },
  };
}
