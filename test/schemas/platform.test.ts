/**
 * Compares what squadc emits and what it knows about settings with the platform's own schema of a
 * squad. The schema is not part of the project: without SQUADC_PLATFORM_SCHEMAS, its folder, the tests
 * are skipped.
 */
import { describe, expect, it } from 'vitest';
import { compile, verify } from '../../src/index.js';
import { listFolders, readCase } from '../golden/cases.js';
import {
  listOf,
  objectOf,
  platform,
  platformFaults,
  schemaDocuments,
  textOf,
  valueAt,
} from '../json.js';

const assistant = '/$defs/CreateAssistantDTO/properties';

/** The fields that the platform's schema has for each provider of a voice, transcriber or model. */
function fieldsOf(setting: string): [provider: string, fields: string[]][] {
  return listOf(valueAt(platform, `${assistant}/${setting}/anyOf`) ?? null).flatMap((each) => {
    const name = textOf(valueAt(each, '/$ref')).replace('#', '');
    const fields = Object.keys(objectOf(valueAt(platform, `${name}/properties`)));
    const providers = valueAt(platform, `${name}/properties/provider/enum`);
    return listOf(providers ?? [valueAt(platform, `${name}/properties/provider/const`)!]).map(
      (provider): [string, string[]] => [textOf(provider), fields],
    );
  });
}

const desk = { name: 'desk', type: 'conversation', prompt: 'Ask.', isStart: true };
const workflow = { name: 'Desk', nodes: [desk], edges: [] };

/** The findings on a squad whose only assistant has the settings. */
function saidOf(settings: object): string[] {
  const { diagnostics } = compile(workflow, { memberOverrides: settings, target: 'vapi' });
  return diagnostics.filter(({ severity }) => severity !== 'info').map(({ at }) => at);
}

describe.skipIf(platform === null)('the platform’s schema of a squad', () => {
  it.each(listFolders().map((name) => [name]))('accepts the body of golden/%s', (name) => {
    const golden = readCase(name)!;
    const { output, diagnostics } = compile(golden.reading.workflow, golden.options);
    if (output === null || 'squad' in output) return;
    const isWarned = diagnostics.some(({ code }) => code === 'check/setting-unknown');
    expect(platformFaults(output).length > 0).toBe(isWarned);
  });

  it.each(['voice', 'transcriber', 'model'])(
    'has the fields of each %s that squadc knows',
    (setting) => {
      const all = fieldsOf(setting);
      const own = ['messages', 'tools', 'toolIds', 'toolRefs'];
      const every = new Set(all.flatMap(([, fields]) => fields));
      for (const [provider, fields] of all) {
        const known = fields.filter((field) => setting !== 'model' || !own.includes(field));
        const value = Object.fromEntries(known.map((field) => [field, 'x']));
        expect(saidOf({ [setting]: { ...value, provider } })).toEqual([]);
        const [stranger] = [...every].filter((field) => !fields.includes(field));
        expect(saidOf({ [setting]: { ...value, provider, [stranger!]: 1 } })).toEqual([
          `/memberOverrides/${setting}/${stranger}`,
        ]);
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
    const ofNode = { ...workflow, nodes: [{ ...desk, ...settings }] };
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
