/**
 * Lines of the compiler to break, one at a time: `rule | file`, and below it the old text, which occurs
 * once in the file, and the new one.
 */

/** A text that occurs exactly once in a file of the compiler, and its replacement. */
export interface Breakage {
  readonly rule: string;
  readonly file: string;
  readonly from: string;
  readonly to: string;
  /** The name of a workflow that shows the difference. */
  readonly shownBy: string;
}

/** `the broken rule | file | workflow`, and below it the old text and the new one. */
function breakages(text: string): Breakage[] {
  return [...text.matchAll(/^(.+?) \| (\S+)(?: \| (.+))?\n- (.+)\n\+(?: (.*))?$/gm)].map(
    ([, rule = '', file = '', shownBy = '', from = '', to = '']) => {
      return { rule, file, from, to, shownBy };
    },
  );
}

/** Rules that, if broken, can give a squad that is consistent in itself, such as another grouping. */
export const ofStructure = breakages(`
every variable is live everywhere | 3-analyze/reads.ts
- at: (node) => live.has(node), only: live
+ at: () => true, only: null
no variable is live | 3-analyze/reads.ts
- flood(from, (node)
+ flood([], (node: number)
chains are not merged | 4-group/partition.ts
- joining.join(from, to)
+ 0
stages are merged across a boundary | 4-group/partition.ts
- to === undefined || others.length > 0 ||
+ to === undefined ||
equal nodes are not merged | 4-group/stages.ts
- firstOf.get(classes[index]!)
+ index
variables that must be arguments are in plans | 5-lower/tools.ts
- ? demanded : plan
+ ? plan : plan
shared handoffs are lost | 5-lower/tools.ts
- return alike.flat().map(({ handoff }) => handoff);
+ return [];
conditions are reworded | 5-lower/tools.ts
- transitions.flatMap(whenOf)
+ transitions.flatMap(whenOf).map((it) => ({ ...it, value: "now" }))
all properties are strings | 5-lower/plans.ts
- isOne ? first.type : 'string'
+ 'string'
arguments are optional | 6-emit/assemble.ts
- , ...demanded.map((it) => it.name)
+
lines are lost | 5-lower/prompt.ts
- begun.has(node) ? null : node.firstMessage
+ null
there is no first message | 5-lower/lower.ts
- lines.length === 0 ? null : joinLines(lines)
+ null
a line before the first talk node is left out | 5-lower/lower.ts
- joinLines(lines)
+ joinLines(lines.slice(-1))
a line before a tool is spoken, and the assistant waits | 5-lower/members.ts
- opening.size === 1 || isSpoken
+ true
tool calls are missing from prompts | 5-lower/prompt.ts
- called : [own, ...called]
+ called : called
captures of some walks are said to be collected | 5-lower/members.ts
- passes(gates, from) ?
+ true ?
an unnamed tool is called by the name of its node | 5-lower/prompt.ts
- functionOf(given) ?? step
+ given.name
transfers are lost | 5-lower/tools.ts
- to.transfer !== null
+ false
requests are lost | 5-lower/tools.ts
- Array.from(requests, (
+ Array.from([...requests].slice(1), (
a prompt names another number | 5-lower/prompt.ts
- sipUri : value.number
+ sipUri : '+14155550199'
models of the source are ignored | 5-lower/settings.ts
- of ?? defaultModel
+ defaultModel
guards are inverted | 5-lower/tools.ts
- false{% else %}true
+ true{% else %}false
global nodes have no handoffs | 5-lower/tools.ts
- [...member.nodes, null]
+ [...member.nodes]
prompts do not mention global nodes | 5-lower/prompt.ts
- (transitionsFrom.get(null) ?? [])
+ []
a global node is entered from its own step | 5-lower/prompt.ts
- except: own ?? null
+ except: null
instructions lose their white space | 5-lower/prompt.ts
- instructions: sayAt(node, node.systemPrompt),
+ instructions: node.systemPrompt && { ...node.systemPrompt, value: node.systemPrompt.value.trim() },
the opening does not explain tokens | 5-lower/prompt.ts
-       hasTokens,
+       hasTokens: false,
the option names is ignored | 5-lower/members.ts
- names.get(id)
+ undefined
answers about conditions have no effect | 5-lower/tools.ts
- ({ call }) => call.node === null
+ () => false
`);

/** Rules about the values of variables. */
export const ofValues = breakages(`
a request lacks what the model fills in | 5-lower/tools.ts | a request
- naming, suppliedTo(request!)
+ naming, { ...suppliedTo(request!), filled: [] }
what the model fills in is optional | 5-lower/supply.ts | a request
- nodes.every(({ index }) => member
+ !nodes.every(({ index }) => member
a function tool lacks what the model fills in | 5-lower/tools.ts | a function
- supplies.get(member)!.suppliedTo(tool)
+ { filled: [], isSilent: false }
a static parameter of a function tool is kept beside its property | ir/tool.ts | a function
- (_, at) => !taken.has(sent.statics[at]!.key)
+ () => true
no schema requires what the model fills in | ir/tool.ts | a request
- it.isRequired ? [keyOf(it)]
+ it.isRequired ? []
a tool speaks a message that cannot be rendered | 5-lower/supply.ts | a request that speaks
- line !== null && isTold
+ false && isTold
a static parameter is kept beside its property | ir/tool.ts | a request with a field
- unseen.filter(({ key }) => !taken.has(key))
+ unseen
a response is not kept | ir/tool.ts | a response
- return [...new Map(aliases)];
+ return [...new Map(aliases)].slice(1);
a token is rendered too early | 5-lower/supply.ts | two captures
- ? [output] : []
+ ? [] : []
the opening lacks what is known on entry | 5-lower/prompt.ts | a way back
-       known,
+       known: [],
a handoff forgets a variable | 5-lower/tools.ts | a capture
- get(handoff) ?? []) {
+ get(handoff)?.slice(1) ?? []) {
a value asked for again is lost | 3-analyze/reads.ts | a capture again
- replacingNodes(variable)
+ definingNodes(variable)
a transfer speaks a message that cannot be rendered | 5-lower/tools.ts | a message
- isSilent: isTold,
+ isSilent: () => false,
a node that only says a line becomes an assistant | ir/workflow.ts | a line in passing
- hasOnlyLine(node) && movesOn(node) ?
+ false ?
an assistant that is entered again has lost its captures | 5-lower/supply.ts | a return
- return known.has(index);
+ return known.has(index) && !sites.get(member)?.has(name);
`);

/** Rules in files that the verifier shares with the compiler, so that both break alike. */
export const ofSharedFiles = breakages(`
the reader loses instructions | 1-read/read-node.ts
- const systemPrompt = joinTexts(node.takeTexts(names.instructions));
+ const systemPrompt = joinTexts(node.takeTexts(names.instructions).slice(1));
the reader loses lines | 1-read/read-node.ts
- return { ...noParts, type, firstMessage, systemPrompt };
+ return { ...noParts, type, firstMessage: null, systemPrompt };
messages of a model are lost | 1-read/read-node.ts
- return [...model.takeTexts(names.instructions), ...messages];
+ return model.takeTexts(names.instructions);
no node is global | 1-read/read-node.ts
- takeAs('true or false', flag!)?.value === true
+ takeAs('true or false', flag!)?.value === null
captures are lost | 1-read/read-node.ts
- captures: isCapturing ? takeCaptures(node) : [],
+ captures: [],
voices are lost | 1-read/read-node.ts
- ...(voice && { voice }),
+
models of nodes are lost | 1-read/read-node.ts
- if (isUsable) settings.model =
+ if (!isUsable) settings.model =
settings of an inline assistant are lost | 1-read/read-node.ts
- settings: inside.takeSettings(others) };
+ settings: [] };
the version of a saved assistant is lost | 1-read/read-node.ts
- assistant: { savedAs, version, settings: [] } };
+ assistant: { savedAs, version: null, settings: [] } };
a transfer keeps no other message | 1-read/read-node.ts
- others = traced([...others.value, message.value], origin);
+ others = traced([], origin);
descriptions of captures are lost | 1-read/captures.ts
- const description = joinTexts(entry.takeTexts(names.variable.description));
+ const description = joinTexts(entry.takeTexts(names.variable.description).slice(1));
the first choice of an enumeration is lost | 1-read/captures.ts
- return choices.length === 0 ? null : choices;
+ return choices.length === 0 ? null : choices.slice(1);
all captures are texts | 1-read/captures.ts
- return [{ name: name.value, ...found, at,
+ return [{ name: name.value, ...found, type: 'string', at,
a response is read at another path | 1-read/captures.ts
- return { name, path: path.replace(/^\\$\\.?/, ''), value: null, at, sourceAt };
+ return { name, path: path.replace(/^\\$\\.?/, '').split('.')[0]!, value: null, at, sourceAt };
a template of a response is changed | 1-read/captures.ts
- value: { ...text, value, uses } };
+ value: { ...text, value: value.toUpperCase(), uses } };
every request goes to one address | 1-read/requests.ts
- const url = tracedOf(tool.takeString('url'));
+ const url = tool.takeString('url') && tracedOf({ ...tool.takeString('url')!, value: 'https://wrong.example' });
every request is a POST | 1-read/requests.ts
- return traced(upper as RequestMethod,
+ return traced('POST' as RequestMethod,
timeouts are lost | 1-read/requests.ts
- const timeoutSeconds = takeTimeout(tool);
+ const timeoutSeconds = null;
bodies are lost | 1-read/requests.ts
- const body = form && fixValues(form);
+ const body = null as typeof form;
static parameters are lost | 1-read/requests.ts
- return key === undefined || fixed === undefined ? [] : [{ key, value: fixed.value }];
+ return key !== undefined && fixed !== undefined ? [] : [];
descriptions of requests are lost | 1-read/requests.ts
- const description = tool.takeText('description');
+ const description = null as ReturnType<typeof tool.takeText>;
references to saved tools are lost | 1-read/given-tools.ts
- return [...tools, ...saved, ...versions];
+ return [...tools, ...saved];
saved tools are lost | 1-read/given-tools.ts
- return [...tools, ...saved, ...versions];
+ return [...tools, ...versions];
tools of nodes are lost | 1-read/given-tools.ts
- return [...tools, ...saved, ...versions];
+ return [...saved, ...versions];
messages of transfers are lost | 1-read/transfers.ts
- return { ...address, message, description, passed, passedTexts };
+ return { ...address, message: null, description, passed, passedTexts };
descriptions of destinations are lost | 1-read/transfers.ts
- return { ...address, message, description, passed, passedTexts };
+ return { ...address, message, description: null, passed, passedTexts };
a transfer has one destination | 1-read/transfers.ts
- return { ...first, message: first.message ?? message, others };
+ return { ...first, message: first.message ?? message, others: [] };
the message beside a destination is lost | 1-read/transfers.ts
- return { ...first, message: first.message ?? message, others };
+ return { ...first, others };
the reader changes every number | 1-read/transfers.ts
- : ({ type: 'number', number: value } as const);
+ : ({ type: 'number', number: '+14155550199' } as const);
settings of destinations are lost | 1-read/transfers.ts
- const passed = destination.takeSettings(fields);
+ const passed = destination.takeSettings([]);
the reader loses conditions | 1-read/parse-workflow.ts
- edges.push({ index: edges.length as EdgeIndex, at, from, to, condition });
+ edges.push({ index: edges.length as EdgeIndex, at, from, to, condition: null });
of several conditions only one is read | 1-read/parse-workflow.ts
- const all = listed.length > 0 ? listed :
+ const all = listed.length > 0 ? listed.slice(0, 1) :
the global prompt is lost | 1-read/parse-workflow.ts
- globalPrompt: joinTexts(holders.flatMap((holder) => holder.prompts)),
+ globalPrompt: null,
settings of the workflow are lost | 1-read/parse-workflow.ts
- shared: [...new Map(shared.map((it) => [it.key, it])).values()],
+ shared: [],
the line around a workflow is lost | 1-read/settle-graph.ts
- const opening = { ...start, firstMessage: line };
+ const opening = { ...start };
no call reaches a global node | 3-analyze/flow-graph.ts
- for (const root of [start, ...globals]) {
+ for (const root of [start]) {
a tool calls another address | ir/tool.ts
- const { url, method, headers, body, timeoutSeconds, credentialId, statics, passed } = request;
+ const { method, headers, body, timeoutSeconds, credentialId, statics, passed } = request; const url = request.url && traced('https://wrong.example', request.url.origin);
a tool has no timeout | ir/tool.ts
- const { url, method, headers, body, timeoutSeconds, credentialId, statics, passed } = request;
+ const { url, method, headers, body, credentialId, statics, passed } = request; const timeoutSeconds = null;
a tool has no credential | ir/tool.ts
- const { url, method, headers, body, timeoutSeconds, credentialId, statics, passed } = request;
+ const { url, method, headers, body, timeoutSeconds, statics, passed } = request; const credentialId = null;
a tool has no headers | ir/tool.ts
- const { url, method, headers, body, timeoutSeconds, credentialId, statics, passed } = request;
+ const { url, method, body, timeoutSeconds, credentialId, statics, passed } = request; const headers = null as typeof request.headers;
every transfer goes to another number | ir/tool.ts
- : { number: traced(value.number, origin) }),
+ : { number: traced('+12025550199', origin) }),
transfers are silent | ir/tool.ts
- message && (isSilent(message) ? fixed('') : traced(message.value, originOf(message))),
+ message && fixed(''),
plans of transfers are replaced | ir/tool.ts
- withFields(fields, transferPlan(passed)) : fields];
+ withFields(fields, transferPlan([])) : fields];
the first header is lost | ir/tool.ts
- const fields = membersByName(headers).map(({ key, value }) => fixedText(key, asText(value)));
+ const fields = membersByName(headers).slice(1).map(({ key, value }) => fixedText(key, asText(value)));
the first static field is lost | ir/tool.ts
- const sent = bound.filter(({ value }) => value.value !== null);
+ const sent = bound.slice(1).filter(({ value }) => value.value !== null);
a response is taken from elsewhere | ir/tool.ts
- const template = \`{{ $\${path.startsWith('[') ? '' : '.'}\${path} }}\`;
+ const template = \`{{ $\${path.startsWith('[') ? '' : '.'}\${path}.value }}\`;
messages of transfer tools are lost | ir/tool.ts
- return fieldsWith({ type: fixed('transferCall'), destinations: { items }, messages });
+ return fieldsWith({ type: fixed('transferCall'), destinations: { items } });
a part of a text is not closed | ir/tokens.ts
- segments.push({ text: '{% endraw %}', origin: wording });
+ segments.push({ text: '', origin: wording });
a part of a text is not opened | ir/tokens.ts
- segments.push({ text: '{% raw %}', origin: wording });
+ segments.push({ text: '', origin: wording });
nothing of a text with a token is rendered | ir/tokens.ts
- return [start - before[0].length, end + after[0].length];
+ return [0, text.length];
every instruction becomes “Help the caller.” | ir/wording.ts
- instructions && phrase\`\${instructions}\\n\`,
+ instructions && 'Help the caller.\\n',
lines are not said | ir/wording.ts
- lines.map((line) => phrase\`Say: "\${line}"\\n\`),
+ [],
the first capture is not asked for | ir/wording.ts
- captures.map(capture),
+ captures.slice(1).map(capture),
conditions are not told | ir/wording.ts
- If: \${when.text}\\n  Then: \${act(action)}\\n\`;
+ If: so\\n  Then: \${act(action)}\\n\`;
the first choice is not told | ir/wording.ts
- one of \${choices.join(', ')}\`,
+ one of \${choices.slice(1).join(', ')}\`,
captures are not described | ir/wording.ts
- description && phrase\`: \${description}\`,
+ false,
the global prompt is not told | ir/wording.ts
- globalPrompt && phrase\`\${globalPrompt}\\n\`,
+ false,
only the first line is spoken | ir/wording.ts
- return compose(join(lines, ' '));
+ return compose(lines[0]!);
lines before the end are not said | ir/wording.ts
- const said = action.lines.map((line) => phrase\`say "\${line}", then \`);
+ const said: Phrase[] = [];
instructions before the end are not told | ir/wording.ts
- return [said, phrase\`do this: \${instructions}\\n  After that, \`, finalAction(action), '.'];
+ return [said, finalAction(action), '.'];
an answered number is another one | 2-ask/apply-answers.ts
- const text = String(decision.value);
+ const text = decision.choice === 'sip' ? 'sip:wrong@example.com' : '+14155550199';
an answered address is another one | 2-ask/apply-answers.ts
- url: given<string>(url, null),
+ url: given<string>(url && 'https://wrong.example', null),
an answered method is another one | 2-ask/apply-answers.ts
- method: given<RequestMethod>(method, null),
+ method: given<RequestMethod>(method && 'PATCH', null),
an answered header has another name | 2-ask/apply-answers.ts
- const name = textIn(value, 'header');
+ const name = \`X-\${textIn(value, 'header')}\`;
an answered secret has another name | 2-ask/apply-answers.ts
- const secret = \`{{\${textIn(value, 'secret')}}}\`;
+ const secret = '{{wrong}}';
an answered credential is another one | 2-ask/apply-answers.ts
- traced(textIn(value, 'credentialId'), origin)
+ traced('wrong', origin)
an answered condition is another one | 2-ask/apply-answers.ts
- conditionAt(textIn(value, 'condition'), node.at, [], false);
+ conditionAt('at any time', node.at, [], false);
an answered variable is another one | 2-ask/apply-answers.ts
- const value = renameUses(text.value, read, String(decision.value));
+ const value = renameUses(text.value, read, \`\${decision.value}_1\`);
an answered tool is another one | 2-ask/apply-answers.ts
- const tool = textIn(value, 'tool');
+ const tool = \`\${textIn(value, 'tool')}_1\`;
the first edge of an order is missing | 2-ask/apply-answers.ts
- if (role !== 'exit') edges.push(edge);
+ if (role !== 'exit' && place > 0) edges.push(edge);
an answered guard is missing | 2-ask/apply-answers.ts
- const guard = routing === 'guard' ? toLiquidExpression(condition.value) : null;
+ const guard = null;
a guard compares otherwise | 1-read/guard.ts
- const plain = \`\${one} \${operator} \${other}\`;
+ const plain = \`\${other} \${operator} \${one}\`;
`);
