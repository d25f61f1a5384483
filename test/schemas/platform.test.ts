/**
 * Compares what squadc emits and what it knows about settings with the platform's own schema of a
 * squad. The schema is not part of the project: without SQUADC_PLATFORM_SCHEMAS, its folder, the tests
 * are skipped.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { reduce, write } from '../../schemas/reduce-platform.mjs';
import { compile, type JsonObject, verify } from '../../src/index.js';
import { listFolders, readCase } from '../golden/cases.js';
import { objectOf, platform, platformFaults, schemaDocuments, textOf, valueAt } from '../json.js';
import { fullSamples } from './samples.js';

const assistant = '/$defs/CreateAssistantDTO/properties';

const desk = { name: 'desk', type: 'conversation', prompt: 'Ask.', isStart: true };
const bye = { name: 'bye', type: 'tool', tool: { type: 'endCall' } };
const workflow = { name: 'Desk', nodes: [desk, bye], edges: [{ from: 'desk', to: 'bye' }] };

/** The findings on a squad whose only assistant has the settings. */
function saidOf(settings: object): string[] {
  const { diagnostics } = compile(workflow, { memberOverrides: settings, target: 'vapi' });
  return diagnostics.filter(({ code }) => code === 'check/setting-unknown').map(({ at }) => at);
}

describe.skipIf(platform === null)('the platform’s schema of a squad', () => {
  it.each(listFolders().map((name) => [name]))('accepts the body of golden/%s', (name) => {
    const golden = readCase(name)!;
    const { output, diagnostics } = compile(golden.reading.workflow, golden.options);
    if (output === null || 'squad' in output) return;
    const isWarned = diagnostics.some(({ code }) => code === 'check/setting-unknown');
    expect(platformFaults(output).length > 0).toBe(isWarned);
  });

  it('is what schemas/platform.json says', () => {
    expect(readFileSync('schemas/platform.json', 'utf8')).toBe(write(reduce(platform!)));
  });

  it.each(['voice', 'transcriber', 'model'])(
    'refuses what squadc reports in each %s',
    (setting) => {
      // What the schema says of `language` is wrong: some are texts.
      const own = ['messages', 'tools', 'toolIds', 'toolRefs', 'fallbackPlan', 'language'];
      for (const sample of fullSamples('CreateAssistantDTO', setting)) {
        const value = Object.fromEntries(
          Object.entries(sample).filter(([key]) => !own.includes(key)),
        );
        const changes = Object.entries(value).flatMap(([key, each]) => [
          { ...value, [key]: typeof each === 'object' ? 'zebra' : {} },
          ...(typeof each === 'number'
            ? [
                { ...value, [key]: -1e9 },
                { ...value, [key]: 1e9 },
              ]
            : []),
          ...(typeof each === 'string' ? [{ ...value, [key]: 'zebra' }] : []),
        ]);
        for (const changed of [value, ...changes, { ...value, zebra: 1 }]) {
          const settings = { [setting]: changed };
          const isRefused = platformFaults({ members: [], membersOverrides: settings }).length > 0;
          expect([settings, saidOf(settings).length > 0]).toEqual([settings, isRefused]);
        }
      }
    },
  );

  const tools = [0, 1, 2, 3]
    .flatMap((depth) => fullSamples('OpenAIModel', 'tools', depth))
    .filter(({ type }) => type !== 'handoff');
  it.each(tools.map((tool) => [textOf(tool['type']), tool]))(
    'refuses what squadc reports in a tool of type %s',
    (_, tool) => {
      const compiled = (value: JsonObject) => {
        const act = { name: 'act', type: 'tool', tool: value };
        const edges = [{ from: 'desk', to: 'act' }];
        const options = {
          target: 'vapi',
          answers: { policies: { 'missing-auth': 'none' } },
        } as const;
        return compile({ name: 'Desk', nodes: [desk, act], edges }, options);
      };
      // A function without a name cannot be called.
      const { type = '', ...fields } = tool;
      const own = { ...objectOf(tool['function']), name: 'act' };
      const named = 'function' in tool ? { type, function: own } : { type };
      const variants = Object.entries(fields).flatMap(([key, value]) => [
        { ...named, [key]: value, ...named },
        { ...fields, [key]: null, ...named },
      ]);
      for (const variant of [...variants, { ...fields, ...named }]) {
        const { status, output, diagnostics } = compiled(variant);
        const refused = diagnostics.filter(({ code }) => code === 'lower/refused-tool');
        expect([variant, refused]).toEqual([variant, []]);
        if (status !== 'complete') continue;
        const isWarned = diagnostics.some(({ code }) => code === 'check/setting-unknown');
        expect([variant, isWarned]).toEqual([variant, platformFaults(output).length > 0]);
      }
    },
  );

  it('contains the names of settings that squadc knows', () => {
    const own = Object.keys(
      objectOf(valueAt(schemaDocuments['settings']!, '/$defs/names/properties')),
    );
    expect(own.sort()).toEqual(Object.keys(objectOf(valueAt(platform, assistant))).sort());
  });
});

describe('a setting that is not in the schema', () => {
  it.each<[object, string]>([
    [{ voice: { provider: 'azure', voiceId: 'andrew', stability: 1 } }, '/voice/stability'],
    [{ voice: { provider: 'whisperer', voiceId: 'andrew', stability: 1 } }, '/voice/provider'],
    [{ voice: { voiceId: 'andrew' } }, '/voice'],
    [{ hooks: [], compliancePlan: { gdprEnabled: true } }, '/compliancePlan/gdprEnabled'],
  ])('is reported at its place in the workflow: %j', (settings, place) => {
    const ofNode = { ...workflow, nodes: [{ ...desk, ...settings }, bye] };
    for (const source of [{ ...workflow, ...settings }, ...('voice' in settings ? [ofNode] : [])]) {
      const { status, diagnostics, output } = compile(source);
      const warnings = diagnostics.filter(({ severity }) => severity !== 'info');
      const at = `${source === ofNode ? '/nodes/0' : ''}${place}`;
      expect(status).toBe('complete');
      expect(warnings).toMatchObject([{ code: 'check/setting-unknown', at }]);
      expect(warnings[0]?.message).toContain('passed through unchanged: membersOverrides');
      const checked = verify(source, output);
      expect(checked.verdict).toBe('undecided');
      expect(checked.diagnostics.map((it) => `${it.code} ${it.at}`)).toEqual([
        `check/setting-unknown /membersOverrides${place}`,
      ]);
    }
  });

  it.each(['squad', 'vapi'] as const)('is also reported in the options: target %s', (target) => {
    const { status, diagnostics } = compile(workflow, { target, memberOverrides: { zebra: 1 } });
    const told = diagnostics.filter(({ code }) => code === 'check/setting-unknown');
    expect(status).toBe('complete');
    expect(told).toMatchObject([{ at: '/memberOverrides/zebra', in: 'options' }]);
  });
});
