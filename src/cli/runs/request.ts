/** What flags ask of a run: reads the answers and side files, and refuses what is wrong in them. */

import { compileBound } from '../../adapters/tools/compile-bound.js';
import type { AnswersFinding, AnswersText, ReadRunAnswers } from '../../batch/answers.js';
import type { RunRequest } from '../../batch/work.js';
import type { CompileOptions, Diagnostic } from '../../index.js';
import type { Api, Context } from '../command.js';
import { exitCodes, Refusal } from '../exit.js';
import { inputName, readInput } from '../input/read.js';
import { readOptions } from '../input/workflow.js';
import type { Io } from '../io.js';
import { flagOf, refuseLoneCredential, typedFlags } from '../options/squad.js';
import { styleFor } from '../output/terminal.js';
import { packageVersion } from '../version.js';
import { type RunFlags, usualMaxBytes } from './flags.js';

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

export async function readRequest(flags: RunFlags, { io, api }: Context): Promise<ReadRequest> {
  const texts: AnswersText[] = [];
  for (const file of flags.answers ?? []) {
    texts.push({ name: inputName(file), text: await readInput(file, io) });
  }
  refuseLoneCredential(flags);
  const { options, diagnostics: ofFiles } = await readOptions(flags, { io, api });
  const { diagnostics, ...answers } = await answersOf(texts, flags.policy, options.target);
  const request = {
    squadc: packageVersion(),
    options,
    answers,
    acceptProposals: flags.acceptProposals === true,
    maxBytes: flags.maxBytes ?? usualMaxBytes,
  };
  const sides = ofFiles.map((diagnostic) => ({ diagnostic, place: null }));
  const ofOptions = optionFaults(options, api);
  const findings = [...diagnostics, ...sides, ...ofOptions];
  const typed = typedFlags(flags);
  const placed = findings.map(({ diagnostic, place }) => ({
    diagnostic,
    place: place ?? flagOf(diagnostic, typed),
  }));
  sayFindings(placed, api, io);
  if (findings.some(({ diagnostic }) => diagnostic.severity === 'error')) {
    throw new Refusal('nothing was begun', exitCodes.invalid);
  }
  return { texts, request };
}

async function answersOf(
  texts: readonly AnswersText[],
  policies: RunFlags['policy'] = [],
  target: CompileOptions['target'],
): Promise<ReadRunAnswers> {
  if (texts.length + policies.length === 0) {
    return { policies: {}, workflows: new Map(), diagnostics: [] };
  }
  const { readRunAnswers } = await import('../../batch/answers.js');
  return readRunAnswers(texts, policies, target);
}

/** What every workflow of the run would be told about the options. */
function optionFaults(options: RunRequest['options'], api: Api): AnswersFinding[] {
  const isAboutOptions = ({ in: part, severity }: Diagnostic) =>
    part === 'options' && severity === 'error';
  const { diagnostics } = compileBound(api.compile, null, options);
  return diagnostics.filter(isAboutOptions).map((diagnostic) => ({ diagnostic, place: null }));
}

/** One of the answers, or of the options; a place may be the flag that gave it. */
interface Finding {
  readonly diagnostic: Diagnostic;
  readonly place: AnswersFinding['place'] | string;
}

export function sayFindings(findings: readonly Finding[], api: Api, io: Io): void {
  const style = styleFor(io.stderr, io.env);
  for (const { diagnostic, place } of findings) {
    io.stderr.write(`${api.renderDiagnostic(diagnostic, place, style)}\n\n`);
  }
}
