/** The answers file that is written while questions are answered; after each answer it is whole. */
import { access } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { AnswersDocument, RunAnswers } from '../../batch/answers.js';
import type { Target } from '../../index.js';
import { type Api, loadApi } from '../command.js';
import { exitCodes, Refusal } from '../exit.js';
import { readInput } from '../input/read.js';
import type { Io } from '../io.js';
import { styleFor } from '../output/terminal.js';
import { jsonText, writeOutput } from '../output/write.js';

export class AnswerFile {
  /** What stands in it now. */
  answers: RunAnswers = { policies: {}, workflows: new Map() };

  private constructor(
    readonly path: string,
    private readonly target: Target,
    private readonly io: Io,
  ) {}

  /** The file, or an empty one that is made with the first answer. */
  static async open(path: string, target: Target, io: Io): Promise<AnswerFile> {
    const file = new AnswerFile(path, target, io);
    await file.read();
    return file;
  }

  /** Changes what stands in the file now, so that nothing is lost that was written meanwhile. */
  async change(by: (document: AnswersDocument) => AnswersDocument): Promise<void> {
    await writeOutput(this.path, jsonText(by(await this.read())), this.io);
    await this.read();
  }

  private async read(): Promise<AnswersDocument> {
    const { readRunAnswers } = await import('../../batch/answers.js');
    if (!(await this.exists())) {
      this.answers = readRunAnswers([]);
      return {};
    }
    const text = await readInput(this.path, this.io);
    const { diagnostics, ...answers } = readRunAnswers(
      [{ name: this.path, text }],
      [],
      this.target,
    );
    if (diagnostics.some(({ diagnostic }) => diagnostic.severity === 'error')) {
      await this.refuse(diagnostics);
    }
    this.answers = answers;
    return JSON.parse(text) as AnswersDocument;
  }

  private async refuse(
    diagnostics: ReturnType<typeof import('../../batch/answers.js').readRunAnswers>['diagnostics'],
  ): Promise<never> {
    const { stderr, env } = this.io;
    const api: Api = await loadApi();
    for (const { diagnostic, place } of diagnostics) {
      stderr.write(`${api.renderDiagnostic(diagnostic, place, styleFor(stderr, env))}\n\n`);
    }
    throw new Refusal(`${this.path} holds no answers of a run`, exitCodes.invalid);
  }

  private async exists(): Promise<boolean> {
    try {
      await access(resolve(this.io.cwd, this.path));
      return true;
    } catch (error) {
      // What cannot be looked at is for the reader to say.
      return (error as NodeJS.ErrnoException).code !== 'ENOENT';
    }
  }
}
