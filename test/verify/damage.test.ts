/** Damaged squads: which checklist items fail, with which code and in which words. */
import { describe, expect, it } from 'vitest';
import type { JsonObject, Target } from '../../src/index.js';
import { settle } from '../../src/testing.js';
import { captures, flow, request, variable } from '../compiler/build.js';
import { readCase } from '../golden/cases.js';
import { clinic, damaged, replaced, rows, verdict } from './squads.js';

const both = rows(`
greeting>billing description = "asks something" | item 3 | lacks the condition “asks about a bill”
greeting>billing description = "asks about a bill; or is bored" | item 3 | also says
greeting>billing assistantName = "scheduling" | walk 3 | does not lead to “billing”
billing>operator assistantName = "billing" | item 3 | “billing” hands off to itself
greeting model/tools/0 | item 3 | “greeting” has no handoff for the condition “wants an appointment”
billing handoff destinations += {"type":"assistant","assistantName":"scheduling","description":"x","contextEngineeringPlan":{"type":"all"}} | item 3 | The handoff from “billing” to “scheduling” matches no edge and no global node
greeting>billing contextEngineeringPlan = {"type":"none"} | item 3 | passes on a different part of the conversation
prompt greeting: - If: asks about a bill => - If: bored | walk 3 | “greeting” lacks “- If: asks about a bill”
greeting>billing variableExtractionPlan | item 4 | does not carry “name”
greeting>billing variableExtractionPlan/schema/properties/reason = {"type":"string","description":"why"} | item 4 | carries “reason”, which is not needed
greeting>billing variableExtractionPlan/schema/properties/name/type = "number" | item 4 | “name” with a different type
greeting>billing variableExtractionPlan/schema/properties/name/description = "a name" | item 4 | “name” with a different description
greeting>billing variableExtractionPlan/schema/properties/name/enum = ["Ann"] | item 4 | “name” with a different enumeration
greeting>billing variableExtractionPlan/schema/properties/name/format = "email" | item 4 | “name” with a different schema
greeting>billing variableExtractionPlan/schema/required = [] | item 4 | must require exactly its variables
greeting>billing variableExtractionPlan/aliases = [{"key":"x","value":"Ann"}] | item 4 | derives variables that the workflow does not
billing>operator variableExtractionPlan = {"schema":{"type":"object","properties":{},"required":[]}} | item 4 | has a plan but carries nothing
prompt greeting: - Find out reason (string): the reason\\n =>  | walk 4 | “greeting” lacks “- Find out reason (string): the reason”
greeting model/tools += {"type":"endCall"} | item 5 | “greeting” has the tool “endCall”, which none of its nodes use
billing model/tools += {"type":"apiRequest","name":"spy","url":"https://example.com","method":"GET"} | item 5 | “billing” has the tool “spy”
member billing assistantOverrides = {"tools:append":[{"type":"sms"}]} | item 5 | “billing” has the tool “sms”
billing model/toolIds = ["t-1"] | item 5 | “billing” has the tool “t-1”
apiRequest url = "https://example.com" | item 5 | has a different “url”
apiRequest body | item 5 | has no “body”
apiRequest timeoutSeconds = 9 | item 5 | has “timeoutSeconds”, although neither
apiRequest messages = [{"type":"request-start","content":"Wait."}] | item 5 | has “messages”, although neither
apiRequest description = "Now." | item 5 | does not match its conditions
apiRequest rejectionPlan = {"conditions":[]} | item 5 | must be refused exactly when
apiRequest variableExtractionPlan/aliases/0/value = "{{ $.data.other }}" | item 5 | has a different “variableExtractionPlan”
apiRequest variableExtractionPlan/aliases/0 | item 5 | has no “variableExtractionPlan”
apiRequest variableExtractionPlan/schema = {"type":"object","properties":{},"required":[]} | item 5 | has “schema”, although neither
apiRequest name = "look_up" | walk 5 | lacks “- Call look_up.”
prompt scheduling: - Call lookup.\\n =>  | walk 5 | lacks “- Call lookup.”
transferCall destinations/0/number = "+14155550199" | item 5 | has a different “number”
transferCall destinations/0/message = "Bye." | item 5 | has a different “message”
transferCall destinations/0/extension = "7" | item 5 | has “extension”, although neither
transferCall destinations/0/description = "disputes the bill; or is angry" | item 5 | does not match its conditions
transferCall destinations += {"type":"number","number":"+14155550199"} | item 5 | has a different “destinations”
prompt billing: then end the call => then go on | walk 6 | “billing” lacks “- If: has understood”
prompt billing: Goodbye. => See you. | walk 6 | says “- If: has understood\n  Then: say "See you."
prompt greeting: At any time\\n => At any time\\n- at once, then end the call\\n | walk 6 | says “- at once, then end the call”
billing name = "scheduling" | item 3 7 | Several members are called “scheduling”
greeting>billing assistantName = "nobody" | item 3 7 | names “nobody”, but no member has that name
member billing assistantOverrides = {"hooks":[{"assistantId":"gone"}]} | set | sets “hooks”
member billing assistantOverrides = {"name":"money"} | item 3 7 | names “billing”, but no member has that name
root zebra = {} | item 8 | must not have “zebra”
greeting>billing desciption = "x" | item 8 | must not have “desciption”
member billing overrides = {} | item 8 | must not have “overrides”
greeting workflowId = "w1" | item 9 | contains a workflowId here
member greeting assistantOverrides = {"a/b":[{},{"workflowId":"squadId"}]} | item 9 | contains a workflowId here
billing metadata = {"workflowId":"w"} | item 9 | contains a workflowId here
prompt billing: Explain => Hide | walk | “billing” lacks “Explain the bill to {{name}}.”
prompt greeting: Step 1\\n => Step 1\\nBe nice.\\n | walk | says “Be nice.”, which is not in the workflow
prompt greeting: Do the work of greeting.\\n => Do the work of collect.\\nDo the work of greeting.\\n | walk | says “Do the work of collect.”
prompt greeting: go to step 2 => go to step 1 | walk | “greeting” lacks “- When done: go to step 2.”
prompt greeting: \\nAt any => \\nStep 3\\nX\\n\\nAt any | walk | says “Step 3”
prompt greeting: Step 2\\n =>  | walk | lacks “Step 2”
prompt greeting: Follow the numbered steps => Mind the steps | walk | lacks “Follow the numbered steps
billing model/messages += {"role":"assistant","content":"x"} | walk | must be a single message
greeting firstMessage = "Hi." | walk | “greeting” does not say “Welcome to the clinic.” when the call reaches “greeting”
billing model/model = "m" | set | “billing” has a different “model/model”
billing model/temperature = 2 | set | sets “model/temperature”
billing voice = {"provider":"p"} | set | “billing” sets “voice”
billing hooks = [{"on":"x","do":[{"type":"say","exact":"y"}]}] | set | sets “hooks”
billing voicemailMessage = "x" | set | sets “voicemailMessage”
greeting firstMessageMode = "assistant-waits-for-user" | set | has a first message but does not say it
member billing assistantOverrides = {"maxDurationSeconds":3} | set | sets “maxDurationSeconds”
`);

const specified = rows(`
greeting>billing assistantName | item 3 7 8 | names no member
member billing assistantOverrides = {"tools:append":[{"type":"handoff","destinations":[{"type":"assistant","assistantName":"nobody"}]}]} | item 3 7 8 | names “nobody”
`);

const platform = rows(`
greeting>billing assistantName | item 3 7 | names no member
member billing assistantOverrides = {"tools:append":[{"type":"handoff","destinations":[{"type":"assistant","assistantName":"nobody"}]}]} | item 3 7 | names “nobody”
billing handoff messages | item 3 | “billing” has no messages, so the platform says a line of its own
billing handoff function/description | item 3 | A handoff function of “billing” has no description
member greeting assistantVersion = "v1" | set | sets “assistantVersion”
greeting model/messages/0/tool_calls = [] | set | sets “model/messages/tool_calls”
greeting compliancePlan = {"recordingConsentPlan":{"type":"verbal","message":"Recorded."}} | set | sets “compliancePlan”
root membersOverrides = {"credentials":[{"provider":"openai","apiKey":"x"}]} | set | sets “credentials”
transferCall destinations/0/numberE164CheckEnabled = false | item 5 | has “numberE164CheckEnabled”
billing model/tools/2 | item 6 | “billing”, but it has no tool to end it
billing endCall messages = [{"content":"x"}] | item 5 | has “messages”, although neither
greeting>billing assistantOverrides = {"firstMessage":"Hi."} | item 3 | changes settings of the assistant that takes over
greeting>billing assistantOverrides = {"variableValues":{"name":"x"}} | item 3 | changes settings of the assistant that takes over
greeting handoff messages = [{"type":"request-start","content":"Wait."}] | item 3 | A handoff of “greeting” is not silent
greeting handoff messages = [{"endCallAfterSpokenEnabled":true}] | item 3 | A handoff of “greeting” is not silent
greeting handoff function/description = "Never call this." | item 3 | does not match its conditions
billing firstMessageMode | set | the call falls silent
root membersOverrides = {"firstMessage":"Hi."} | set | sets “firstMessage”
root membersOverrides = {"model":{"messages":[]}} | set | sets “model/messages”
`);

type Row = ReturnType<typeof rows>[number];

function expectRefuted(found: ReturnType<typeof verdict>, { items, code, words }: Row) {
  expect(found.texts).toContain(words);
  expect(found.said).toContain(code);
  expect(found.items).toEqual(items);
  expect(found.verdict).toBe('fails');
}

describe.each<Target>(['squad', 'vapi'])('a squad for target %s', (target) => {
  const check = (line?: string) => verdict(clinic, damaged(target, line));

  it('holds as compiled', () => {
    expect(check()).toMatchObject({ holds: true, items: [], said: [] });
  });

  it.each([...both, ...(target === 'squad' ? specified : platform)])(
    'is refuted once damaged: $damage',
    (row) => {
      expectRefuted(check(row.damage), row);
    },
  );

  it('must begin with the start and have each member exactly once', () => {
    const squad = damaged(target);
    const { members } = (target === 'squad' ? squad['squad'] : squad) as { members: JsonObject[] };
    const [first, second, ...others] = members;
    const among = (...list: unknown[]) =>
      verdict(clinic, target === 'squad' ? { squad: { members: list } } : { members: list });
    expect(among(second, ...others, first).items).toEqual([1]);
    const text = JSON.stringify(others[0]).replace('"name":"billing"', '"name":"copy"');
    expect(among(...members, JSON.parse(text)).texts).toContain('“copy” has no conversation');
    expect(among(first, ...others).texts).toContain('No assistant contains “scheduling”');
    expect(among(...members, { assistantId: 'a-1' })).toMatchObject({
      verdict: 'undecided',
      said: ['check/not-seen'],
    });
  });
});

describe('a squad for the platform', () => {
  it.each([
    ['billing metadata = {"team":"x"}', []],
    ['member billing assistantOverrides = {"name":"billing"}', []],
    ['transferCall destinations/0/numberE164CheckEnabled = true', []],
    ['greeting>billing contextEngineeringPlan', []],
    ['billing updatedAt = "2026-01-07T10:17:46.811Z"', []],
    ['root orgId = "4238e583"', []],
    ['member billing assistantId = null', []],
    ['billing server = {"url":"https://example.com"}', ['check/setting-added']],
    ['billing analysisPlan = {}', ['check/setting-added']],
    ['billing artifactPlan = {"recordingEnabled":true}', ['check/setting-added']],
    ['billing monitorPlan = {"listenEnabled":true}', ['check/setting-added']],
  ])('still holds with %s', (line, said) => {
    expect(verdict(clinic, damaged('vapi', line))).toMatchObject({ verdict: 'holds', said });
  });

  it.each([
    ['billing monitorPlan = {"controlEnabled":true}', [], 'sets “monitorPlan”'],
    [
      'billing transportConfigurations = [{"provider":"twilio","record":true}]',
      [],
      'It may change',
    ],
    ['billing credentialIds = ["c1"]', [], 'sets “credentialIds”'],
    ['billing zebra = 1', [8], 'must not have “zebra”'],
    ['billing assistantDestinations = []', [8], 'must not have “assistantDestinations”'],
    ['greeting handoff defaultResult = "Done."', [8], 'does not know what members/0/'],
    ['greeting handoff function/strict = true', [8], 'function/strict does to a call'],
    ['member billing assistantId = "asst-1"', [8], 'members/2/assistant does to a call'],
  ])('is undecided with %s', (line, open, words) => {
    const found = verdict(clinic, damaged('vapi', line));
    expect(found).toMatchObject({ verdict: 'undecided', items: [], open });
    expect(found.undecided).toContain(words);
  });

  it('is refuted if the other target is expected', () => {
    const { items, texts } = verdict(clinic, damaged('vapi'), { target: 'squad' });
    expect(items).toContain(8);
    expect(texts).toContain('should be for the target “squad”, but it is for “vapi”');
  });

  it.each<[object, string[]]>([
    [{ voice: { provider: 'lmnt', voiceId: 'lily' } }, []],
    [{ model: { temperature: 1 } }, ['check/setting-unknown']],
    [{ zebra: 1 }, ['check/setting-unknown']],
  ])('may have the settings that an option asks for: %j', (memberOverrides, said) => {
    const squad = damaged('vapi', `root membersOverrides = ${JSON.stringify(memberOverrides)}`);
    const judged = said.length === 0 ? 'holds' : 'undecided';
    expect(verdict(clinic, squad, { memberOverrides })).toMatchObject({ verdict: judged, said });
    const without = verdict(clinic, damaged('vapi'), { memberOverrides });
    expect(without.said).toContain('check/setting-differs');
  });
});

/** The workflow of a golden, and its squad with a text replaced. */
function golden(name: string, from: string, to: string) {
  const { reading, options } = readCase(name)!;
  const settled = settle(reading.workflow, { ...options, target: 'vapi' }).options;
  return replaced(reading.workflow, `${from} => ${to}`, settled);
}

it('is noticed in a text whose variable has a response or a capture', () => {
  const v = { ...variable('v'), path: 'v' };
  const nodes = {
    a: 'A',
    t: request({ responseVariables: [v] }),
    b: captures('v'),
    c: 'Tell {{v}}.',
    d: 'D',
  };
  const workflow = flow(nodes, 'a > t | t > b | b > c: for {{v}} | b > d: to {{v}}');
  const early = (text: string) => `${text} {% raw %}{{v}}{% endraw %} => ${text} {{v}}`;
  const policies = { 'values-after-call': 'none' };
  const verdictOf = (damage: string) =>
    replaced(workflow, damage, { target: 'vapi', answers: { policies } }).verdict;
  expect(verdictOf('for => for')).toBe('holds');
  expect(['for', 'to'].map((text) => verdictOf(early(text)))).toEqual(['fails', 'fails']);
});

describe('a text that is there and not heard as it should be', () => {
  it.each<[string, string, string]>([
    ['vapi-workflow-settings', 'You work for the museum of clocks.\\n\\n', ''],
    // Rendered when the assistant begins, it stays what it was when a tool sets the variable again.
    ['known-on-entry-by-a-tool', 'berth {% raw %}{{berth}}{% endraw %}', 'berth {{berth}}'],
    // Beside a read that an answer accepts as too early, every other one is still made in time.
    ...['captured-at', 'rename'].map((how): [string, string, string] => {
      const token = '{{pickup_stret}}'.replace('stret', how === 'rename' ? 'street' : 'stret');
      return [`undefined-variable-${how}`, `{% raw %}${token}{% endraw %}`, token];
    }),
    // What the model fills in is sent, and no part of what the platform says.
    ['vapi-request-tool', '"content":""', '"content":"I am looking for {{parcel}}."'],
  ])('is noticed in %s', (name, from, to) => {
    expect(golden(name, from, from).verdict).toBe('holds');
    expect(golden(name, from, to).verdict).toBe('fails');
  });
});
