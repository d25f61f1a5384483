/**
 * A client and the sandbox together against a plain model: whatever is called in whatever order,
 * while a fifth of all requests meets a fault, what there is in the end is what the model says.
 */
import fc from 'fast-check';
import { expect } from 'vitest';
import { createSandbox, type Sandbox, type SandboxOptions } from '../../src/testing.js';
import { runs, seed } from '../seed.js';

interface Real<Client> {
  readonly sandbox: Sandbox;
  readonly client: Client;
}

/** Each does the same to the model and, by the client, to a sandbox; false where it does nothing. */
export type Steps<Model, Client, Chosen> = Readonly<
  Record<string, (model: Model, real: Real<Client>, chosen: Chosen) => Promise<unknown>>
>;

interface Play<Model, Client, Chosen> {
  readonly steps: Steps<Model, Client, Chosen>;
  /** Steps that come twice as often. */
  readonly often?: readonly string[];
  readonly chosen: fc.Arbitrary<Chosen>;
  readonly maxLength: number;
  readonly numRuns: number;
  readonly options?: SandboxOptions;
  modelOf(): Model;
  clientOf(sandbox: Sandbox, retry: object): Client;
  /** Expects that both say the same in the end. */
  compare(model: Model, sandbox: Sandbox): unknown;
}

const retry = { maxAttempts: 12, baseMs: 1, capMs: 2 };

const kinds = ['reset', 'reset-after', 'status=503', 'status-after=500', 'rate-limit=0'] as const;

export async function playSteps<Model, Client extends { close(): Promise<void> }, Chosen>(
  play: Play<Model, Client, Chosen>,
): Promise<void> {
  const { steps, often = [], chosen, maxLength } = play;
  const taken = new Set<string>();
  const name = fc.constantFrom(...Object.keys(steps), ...often);
  // Long ones, so that much has happened to what a step is about.
  const calls = fc.array(fc.tuple(name, chosen), { maxLength, size: 'max' });
  const property = fc.asyncProperty(calls, fc.nat(1_000_000), async (all, chance) => {
    const faults = { share: 0.2, faults: kinds };
    const clock = { mode: 'manual' } as const;
    const sandbox = await createSandbox({ clock, seed: chance, faults, ...play.options });
    const client = play.clientOf(sandbox, retry);
    const model = play.modelOf();
    try {
      for (const [step, each] of all) {
        if ((await steps[step]?.(model, { sandbox, client }, each)) !== false) taken.add(step);
      }
      await play.compare(model, sandbox);
    } finally {
      await client.close();
      await sandbox.close();
    }
  });
  await fc.assert(property, { seed, numRuns: runs(play.numRuns) });
  expect([...taken].sort()).toEqual(Object.keys(steps).sort());
}
