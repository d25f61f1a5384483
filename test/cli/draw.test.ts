/** squadc graph, scenarios and walk. */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { goldenText } from '../report/example-run.js';
import { fakeTerminal, keys, pick, type Step } from './answering.js';
import { has, temporaryFolder } from './fake-io.js';

const { folder, put, read, squadc } = temporaryFolder();
const golden = (path: string) => readFileSync(`golden/${path}`, 'utf8');
const expected = (path: string) => readFileSync(`test/${path}`, 'utf8');

const talk = (id: string) => ({ id, type: 'conversation', systemPrompt: `Do ${id}.` });
put('pattern.json', goldenText('worked-pattern'));
put('squad.json', golden('worked-pattern/expected/squad.json'));
put('starts.json', goldenText('ambiguous-start-open'));
put('answers.json', golden('ambiguous-start-answered/answers.json'));
put('exit.json', goldenText('start-is-an-exit'));
put('nowhere.json', goldenText('edges-to-nowhere'));
put('twice.json', '{"name":"x","name":"y","nodes":[{"id":"a","type":"conversation"}],"edges":[]}');
put('none.json', '[]');

describe('squadc graph', () => {
  const drawn = (name: string) => expected(`report/expected/worked-pattern/${name}`);

  it.each<[string, string, number, string | RegExp, string]>([
    ['pattern.json', '', 0, drawn('workflow.svg'), ''],
    ['pattern.json --format mermaid', '', 0, drawn('workflow.mmd'), ''],
    ['pattern.json --format dot --of squad', '', 0, drawn('squad.dot'), ''],
    ['-', goldenText('worked-pattern'), 0, drawn('workflow.svg'), ''],
    // A squad is recognised, and needs no compiling.
    ['squad.json --format mermaid', '', 0, /greeting<br\/>start, assistant/, ''],
    ['squad.json --of workflow', '', 64, '', 'squadc: squad.json is a squad, not a workflow\n'],
    ['pattern.json -o pattern.json', '', 64, '', 'the output file pattern.json is also an input'],
    ['starts.json --format dot', '', 2, /^digraph/, 'question[ambiguous-start'],
    ['starts.json --of squad', '', 2, '', 'question[ambiguous-start'],
    ['starts.json --of squad --answers answers.json', '', 0, /<svg/, ''],
    ['starts.json --accept-proposals --format mermaid', '', 0, /start, /, 'accepted: '],
    // What does not compile is drawn without assistants, and what cannot be read is not.
    ['exit.json --format mermaid', '', 1, /^flowchart TD\n(?![\s\S]*subgraph)/, 'error['],
    ['nowhere.json', '', 1, '', 'error['],
    ['twice.json', '', 1, '', 'error['],
  ])('%s', async (line, stdin, exitCode, out, err) => {
    const shown = out instanceof RegExp ? expect.stringMatching(out) : out;
    const ran = await squadc(`graph ${line}`, { stdin });
    expect(ran).toMatchObject({ exitCode, out: shown, err: has(err) });
  });

  it('writes a file', async () => {
    expect(await squadc('graph pattern.json -o drawn.svg')).toMatchObject({ exitCode: 0, out: '' });
    expect(read('drawn.svg')).toBe(drawn('workflow.svg'));
  });
});

describe('squadc scenarios', () => {
  const planned = (name: string) => expected(`scenarios/expected/worked-pattern/${name}`);

  it('writes the scenarios to standard output, and how many to standard error', async () => {
    expect(await squadc('scenarios pattern.json')).toEqual({
      exitCode: 0,
      out: planned('scenarios.json'),
      err: 'complete: 2 calls that take 5 edges\n',
    });
    const line = 'scenarios pattern.json --format markdown -o calls.md';
    expect(await squadc(line)).toMatchObject({ exitCode: 0, out: '' });
    expect(read('calls.md')).toBe(planned('scenarios.md'));
    const { out } = await squadc('scenarios pattern.json --squad-id b83d4a17');
    expect(JSON.parse(out)).toEqual({
      simulations: JSON.parse(planned('scenarios.json')).map((scenario: object) => ({
        type: 'simulation',
        scenario,
      })),
      target: { type: 'squad', squadId: 'b83d4a17' },
    });
  });

  it('asks where a call starts, and takes the answer', async () => {
    const file = put('apart.json', { name: 'x', nodes: [talk('a'), talk('b')], edges: [] });
    const line = `scenarios ${file} --policy missing-edges=none`;
    const open = await squadc(line);
    expect(open).toMatchObject({ exitCode: 2, out: '', err: has('1 question open\n') });
    expect(open.err).toContain('question[ambiguous-start:workflow]');
    const answer = { 'ambiguous-start:workflow': { choice: 'node', value: 'b' } };
    const answers = put('start.json', { answers: answer });
    const answered = await squadc(`${line} --answers ${answers}`);
    expect(JSON.parse(answered.out)[0].name).toBe('Call 1 of 1: b to b');
    const proposed = await squadc(`${line} --accept-proposals`);
    expect(JSON.parse(proposed.out)[0].name).toBe('Call 1 of 1: a to a');
  });

  it('refuses what is no workflow, and what the platform or anybody could not take', async () => {
    const ids = Array.from({ length: 1500 }, (_, at) => `n${at}`);
    const chain = ids.slice(1).map((to, at) => ({ from: `n${at}`, to }));
    const fan = ids.map((_, at) => ({ from: 'n1499', to: 'end', condition: `way ${at}` }));
    const end = { id: 'end', type: 'endCall' };
    put('endless.json', { name: 'x', nodes: [...ids.map(talk), end], edges: [...chain, ...fan] });
    const edges = chain.map((edge, at) => ({ ...edge, condition: `they want way number ${at}` }));
    put('long.json', {
      name: 'x',
      nodes: ids.slice(0, 200).map(talk),
      edges: edges.slice(0, 199),
    });
    for (const [line, said] of [
      ['none.json -o none.out', /error\[shape\/not-an-object\]/],
      ['long.json', /Call 1 of 1: n0 to n199: the instructions have \d+ characters/],
      ['endless.json', /have millions of steps/],
    ] as const) {
      const err = expect.stringMatching(said);
      expect(await squadc(`scenarios ${line}`)).toMatchObject({ exitCode: 1, out: '', err });
    }
    expect(readdirSync(folder)).not.toContain('none.out');
    const markdown = await squadc('scenarios long.json --format markdown');
    expect(markdown.exitCode).toBe(0);
  });

  it.each([
    'pattern.json --format html',
    'pattern.json --format markdown --squad-id x',
    'pattern.json -o pattern.json',
    '- --answers -',
  ])('exits 64 for %s', async (line) => {
    expect(await squadc(`scenarios ${line}`)).toMatchObject({ exitCode: 64, out: '' });
  });

  it('cannot steer a terminal', async () => {
    const systemPrompt = 'Red: \u001b[31m.\nTwo lines.';
    put('steer.json', { name: '\u202ex', nodes: [{ ...talk('a'), systemPrompt }], edges: [] });
    for (const format of ['json', 'markdown']) {
      const { out } = await squadc(`scenarios steer.json --format ${format}`, { isTTY: true });
      expect(out).toContain('u001b[31m');
      for (const control of ['\u001b', '\u202e']) expect(out).not.toContain(control);
    }
  });
});

describe('squadc walk', () => {
  const asks = 'What happens?';

  async function walk(line: string, steps: readonly Step[]) {
    const terminal = fakeTerminal(steps, 100);
    const ran = await squadc(`walk ${line}`, { env: { NO_COLOR: '1' }, terminal });
    expect(terminal.left(), terminal.screen()).toEqual([]);
    return { ...ran, screen: terminal.screen().replaceAll(/ +/g, ' ') };
  }

  it('shows who is active, what crosses, and what could be chosen', async () => {
    const { exitCode, screen } = await walk('pattern.json', [
      [asks, ...pick(0)],
      ['Step 2: collection', ...pick(0)],
      ['carries full_name = «full_name»', ...pick(0)],
      ['Step 4: goodbye', ...pick(2)],
    ]);
    expect(exitCode).toBe(0);
    for (const text of [
      'Step 1: greeting',
      'active greeting',
      '| Greet the caller and find out why they call.',
      'the caller wants an appointment → booking',
      'variable full_name = «full_name»',
      'handoff to booking',
      'knows full_name = «full_name»',
      'The call has ended',
    ]) {
      expect(screen).toContain(text);
    }
    expect(screen).not.toContain('only in the');
  });

  it('goes back, and says what the person says', async () => {
    const { exitCode, screen } = await walk('pattern.json', [
      [asks, ...pick(0)],
      ['Step 2', ...pick(1)],
      ['handoff   to payment', ...pick(1)],
      ['Step 2', ...pick(3)],
      ['Which variable?', ...pick(0)],
      ['What is full_name?', keys.ctrlU, 'Ada', keys.enter],
      ['full_name = Ada', ...pick(0)],
      ['carries full_name = Ada', keys.ctrlC],
    ]);
    expect([exitCode, screen]).toEqual([0, has('knows full_name = Ada')]);
  });

  it('shows where the squad does something else, but not what the model fills', async () => {
    put('refund.json', goldenText('critical-variable-tool'));
    put('refund-answers.json', golden('critical-variable-tool/answers.json'));
    const flags = '--answers refund-answers.json --dynamic shop_key --critical first_name';
    const { screen } = await walk(`refund.json ${flags}`, [
      [asks, ...pick(0)],
      [asks, ...pick(0)],
      ['only in the squad', keys.ctrlC],
    ]);
    expect(screen.replaceAll(/\s+/g, ' ')).toContain('only in the workflow: sends url: ');
    put('weather.json', goldenText('missing-auth-open'));
    const same = await walk('weather.json --policy missing-auth=none', [
      [asks, ...pick(0)],
      ['body/town', keys.ctrlC],
    ]);
    expect(same.screen).toContain('sends url: https://weather.example.com');
    expect(same.screen).not.toContain('only in');
  });

  it('asks first what is open, and needs a terminal', async () => {
    const open = await walk(put('open.json', goldenText('cycle-open')), []);
    expect(open).toMatchObject({ exitCode: 2, err: has('1 question open') });
    const terminal = { ...fakeTerminal([]), input: process.stdin };
    const none = await squadc('walk pattern.json', { terminal });
    expect(none).toMatchObject({ exitCode: 64, err: has('squadc playground') });
  });
});
