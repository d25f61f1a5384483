/** squadc graph, scenarios and walk. */
import { describe, expect, it } from 'vitest';
import { fakeTerminal, keys, pick, type Step } from './answering.js';
import { golden, has, plain, temporaryFolder, transcript } from './fake-io.js';

const given = temporaryFolder();
const { put, squadc } = given;

const talk = (id: string) => ({ id, type: 'conversation', systemPrompt: `Do ${id}.` });
const chain = Array.from({ length: 200 }, (_, at) => `n${at}`);
const stdin = golden('worked-pattern');
put('pattern.json', stdin);
put('squad.json', golden('worked-pattern', 'expected/squad.json'));
put('starts.json', golden('ambiguous-start-open'));
put('answers.json', golden('ambiguous-start-answered', 'answers.json'));
put('exit.json', golden('start-is-an-exit'));
put('nowhere.json', golden('edges-to-nowhere'));
put('twice.json', '{"name":"x","name":"y","nodes":[{"id":"a","type":"conversation"}],"edges":[]}');
put('list.json', '[]');
put('apart.json', { name: 'x', nodes: [talk('a'), talk('b')], edges: [] });
put('start.json', { answers: { 'ambiguous-start:workflow': { choice: 'node', value: 'b' } } });
put('long.json', {
  name: 'x',
  nodes: chain.map(talk),
  edges: chain
    .slice(1)
    .map((to, at) => ({ from: `n${at}`, to, condition: `they want way ${at}, and no other one` })),
});
put('steer.json', {
  name: '\u202ex',
  nodes: [{ ...talk('a'), systemPrompt: 'Red: \u001b[31m.\nTwo lines.' }],
  edges: [],
});

const pictures = `
  graph pattern.json => 0 warning[data/lost-after-call]
    > as test/report/expected/worked-pattern/workflow.svg
  graph pattern.json --format mermaid => 0 warning[data/lost-after-call]
    > as test/report/expected/worked-pattern/workflow.mmd
  graph pattern.json --format dot --of squad => 0 warning[data/lost-after-call]
    > as test/report/expected/worked-pattern/squad.dot
  graph pattern.json -o x.svg => 0 warning[data/lost-after-call]
    + x.svg as test/report/expected/worked-pattern/workflow.svg
  graph squad.json --of workflow => 64 squadc: squad.json is a squad, not a workflow
  graph pattern.json -o pattern.json => 64 the output file pattern.json is also an input
  graph starts.json --format dot => 2 question[ambiguous-start
    > digraph
  graph starts.json --of squad --answers answers.json => 0 warning[
    > <svg
  graph starts.json --accept-proposals --format mermaid => 0 accepted:
    > start,
  graph exit.json --format mermaid => 1 error[
    > flowchart TD
  graph nowhere.json => 1 error[
  graph twice.json => 1 error[`;
const plans = `
  scenarios pattern.json => 0 complete: 2 calls, 5 edges, 0 global nodes
    > as test/scenarios/expected/worked-pattern/scenarios.json
  scenarios pattern.json --format markdown -o calls.md => 0 complete: 2 calls
    + calls.md as test/scenarios/expected/worked-pattern/scenarios.md
  scenarios apart.json --policy missing-edges=none => 2 question[ambiguous-start:workflow]
    | 1 question open
  scenarios apart.json --policy missing-edges=none --answers start.json => 0 warning[
    > "name": "Call 1 of 1: b to b"
  scenarios apart.json --policy missing-edges=none --accept-proposals => 0 accepted:
    > "name": "Call 1 of 1: a to a"
  scenarios list.json -o x.out => 1 error[shape/not-an-object]
    - x.out
  scenarios long.json => 1 Call 1 of 1: n0 to n199: the instructions have …characters
  scenarios pattern.json --format html => 64 Allowed choices are
  scenarios pattern.json -o pattern.json => 64 is also an input`;
transcript(given, pictures + plans, { stdin });

it.each(['json', 'markdown'])('scenarios as %s show control characters', async (format) => {
  const { exitCode, out } = await squadc(`scenarios steer.json --format ${format}`, {
    isTTY: true,
  });
  expect([exitCode, out]).toEqual([0, has('u001b[31m')]);
  expect(out).toMatch(plain);
});

describe('squadc walk', () => {
  const asks = 'What happens next?';

  async function walk(line: string, steps: readonly Step[]) {
    const terminal = fakeTerminal(steps, 100);
    const ran = await squadc(`walk ${line}`, { env: { NO_COLOR: '1' }, terminal });
    expect(terminal.left(), terminal.screen()).toEqual([]);
    return { ...ran, screen: terminal.screen().replaceAll(/\s+/g, ' ') };
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
    const line = { firstMessage: 'So you have {{ tariff | upcase }}.', systemPrompt: 'Go on.' };
    const asked = { extractVariables: [{ name: 'tariff', type: 'string' }], systemPrompt: 'Ask.' };
    const nodes = [
      { id: 'ask', type: 'gather', ...asked },
      { id: 'tell', type: 'conversation', ...line },
    ];
    put('tariff.json', JSON.stringify({ nodes, edges: [{ from: 'ask', to: 'tell' }] }));
    const { screen } = await walk('tariff.json --policy read-too-early=accept', [
      [asks, ...pick(0)],
      ['only in the squad', keys.ctrlC],
    ]);
    expect(screen).toContain('only in the workflow: says “So you have «TARIFF».”');
    // A tool that confirms a value is called, so that a later request has it.
    put('refund.json', golden('critical-variable-tool'));
    put('refund-answers.json', golden('critical-variable-tool', 'answers.json'));
    put(
      'refund.config.json',
      '{ "dynamicVariables": ["shop_key"], "criticalVariables": ["first_name"] }',
    );
    const flags = '--answers refund-answers.json --config refund.config.json';
    const confirmed = await walk(`refund.json ${flags}`, [
      [asks, ...pick(0)],
      [asks, ...pick(0)],
      ['sends', keys.ctrlC],
    ]);
    expect(confirmed.screen).not.toContain('only in');
    put('weather.json', golden('missing-auth-open'));
    const same = await walk('weather.json --policy missing-auth=none', [
      [asks, ...pick(0)],
      ['body/town', keys.ctrlC],
    ]);
    expect(same.screen).toContain('sends url: https://weather.example.com');
    expect(same.screen).not.toContain('only in');
  });

  const terminal = fakeTerminal([]);
  const line = 'walk starts.json => 2 question[ambiguous-start:workflow]…1 question open';
  transcript(given, line, { terminal });
  const none = { ...terminal, input: process.stdin };
  transcript(given, 'walk pattern.json => 64 squadc playground', { terminal: none });
});
