/** What flags ask of a run: reads the answers and side files, and refuses what is wrong in them. */

import type { AnswersFinding, AnswersText } from '../batch/answers-findings.js';
import { readRunAnswers } from '../batch/run-answers.js';
import type { RunRequest } from '../batch/setup.js';
import type { Diagnostic } from '../index.js';
import { readSideFile, squadOptionsOf } from './compile-input.js';
import { exitCodes, Refusal } from './exit.js';
import type { Api, Invocation } from './invocation.js';
import type { Io } from './io.js';
import { type RunFlags, usualMaxBytes } from './migrate-flags.js';
import { inputName, readInput } from './read-input.js';
import { styleFor } from './terminal.js';
import { packageVersion } from './version.js';

/** The parts of a request that all runs take from their flags. */
export type CommonRequest = Pick<
  RunRequest,
  'squadc' | 'options' | 'answers' | 'acceptProposals' | 'maxBytes'
>;

export interface ReadRequest {
  readonly request: CommonRequest;
  /** The answers as they were read, to speak of them later. */
  readonly texts: readonly AnswersText[];
}

export async function readRequest(
  flags: RunFlags,
  { io, loadApi }: Invocation,
): Promise<ReadRequest> {
  const api = await loadApi();
  const texts: AnswersText[] = [];
  for (const file of flags.answers ?? []) {
    texts.push({ name: inputName(file), text: await readInput(file, io) });
  }
  const overrides = await readSideFile(flags.overrides, 'overrides', api, io);
  const bindings = await readSideFile(flags.bindings, 'bindings', api, io);
  const options = squadOptionsOf(flags, overrides, bindings);
  const { diagnostics, policies, workflows } = readRunAnswers(texts, flags.policy, options.target);
  const sides = [overrides, bindings].flatMap((file) =>
    (file?.diagnostics ?? []).map((diagnostic) => ({ diagnostic, place: null })),
  );
  const findings = [...diagnostics, ...sides, ...optionFaults(options, api)];
  sayFindings(findings, api, io);
  if (findings.some(({ diagnostic }) => diagnostic.severity === 'error')) {
    throw new Refusal('nothing was begun', exitCodes.invalid);
  }
  return {
    texts,
    request: {
      squadc: packageVersion(),
      options,
      answers: { policies, workflows },
      acceptProposals: flags.acceptProposals === true,
      maxBytes: flags.maxBytes ?? usualMaxBytes,
    },
  };
}

/** What every workflow of the run would be told about the options. */
function optionFaults(options: RunRequest['options'], api: Api): AnswersFinding[] {
  const isAboutOptions = ({ in: part, severity }: Diagnostic) =>
    part === 'options' && severity === 'error';
  const { diagnostics } = api.compile(null, options);
  return diagnostics.filter(isAboutOptions).map((diagnostic) => ({ diagnostic, place: null }));
}

export function sayFindings(findings: readonly AnswersFinding[], api: Api, io: Io): void {
  const style = styleFor(io.stderr, io.env);
  for (const { diagnostic, place } of findings) {
    io.stderr.write(`${api.renderDiagnostic(diagnostic, place, style)}\n\n`);
  }
}
