/** Secrets are hidden in results, but nothing that an answer has to name. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { run as squadc } from '../../src/cli/run.js';
import { compile, type Question } from '../../src/index.js';
import { migrate, put, rowsOf } from '../batch/migrating.js';
import { fakeIo } from './fake-io.js';
import { temporaryFolder } from './temporary-folder.js';

let cwd = '';
beforeEach(() => {
  cwd = temporaryFolder().folder;
});

/** What `squadc answer --json` has of a question. */
interface Listed {
  readonly question: Question & { readonly subject: string };
}

describe('what is hidden in the results', () => {
  const withTransfer = (parts: object) => ({
    name: 'Clinic',
    nodes: [
      { id: 'ask', type: 'conversation', systemPrompt: 'Find {{their}} appointment.' },
      { id: 'appointment', type: 'transferCall' },
      { id: 'call', type: 'apiRequest', url: 'https://a.example', method: 'GET', ...parts },
    ],
    edges: [
      { from: 'ask', to: 'appointment', condition: 'they have one' },
      { from: 'ask', to: 'call', condition: 'they have none' },
    ],
  });
  const answer = async () => {
    const io = fakeIo({ cwd });
    await squadc(['answer', 'out', '--json'], io);
    return JSON.parse(io.out());
  };

  it.each<[what: string, workflow: object]>([
    [
      'a word that a transcriber listens for',
      { ...withTransfer({}), transcriber: { provider: 'deepgram', keywords: ['appointment'] } },
    ],
    ['a secret that is a word', withTransfer({ headers: { 'X-Token': 'appointment' } })],
    ['a secret that is a choice', withTransfer({ headers: { 'X-Other-Key': 'captured-at' } })],
    ['a secret that is a status', withTransfer({ headers: { 'X-Token-Is': 'needs-answers' } })],
  ])('is no name that an answer needs, such as %s', async (_, source) => {
    put(cwd, 'in.json', JSON.stringify(source));
    await migrate(['in.json', '-o', 'out'], { cwd });
    const { open } = await answer();
    const { key } = rowsOf(join(cwd, 'out'))[0] ?? {};
    expect(existsSync(join(cwd, `out/${key}/report.html`))).toBe(true);
    const { questions } = compile(source);
    const shown = open.map(({ question: { subject, ...question } }: Listed) => question);
    expect(shown).toEqual(JSON.parse(JSON.stringify(questions)));
  });

  it('does not make a question settled that the same answer left open', async () => {
    put(cwd, 'in.json', JSON.stringify(withTransfer({ url: undefined, method: undefined })));
    await migrate(['in.json', '-o', 'out', '--no-report'], { cwd });
    const { key } = rowsOf(join(cwd, 'out'))[0] ?? { key: '' };
    const value = {
      url: 'https://a.example/{{ half',
      method: 'GET',
      body: { type: 'object', properties: { apiKey: { type: 'string', default: 'abcdefgh' } } },
    };
    const answers = { 'missing-endpoint:call': { choice: 'request', value } };
    const text = JSON.stringify({ workflows: { [key]: { answers } } });
    put(cwd, 'out/answers.json', text);
    const before = await answer();
    expect([before.answered, before.open.length]).toEqual([1, 3]);
    await migrate(['in.json', '-o', 'out', '--no-report', '--answers', 'out/answers.json'], {
      cwd,
    });
    expect(readFileSync(join(cwd, `out/${key}/result.json`), 'utf8')).not.toContain('abcdefgh');
    const after = await answer();
    expect([after.answered, after.open.length]).toEqual([0, 4]);
  });
});
