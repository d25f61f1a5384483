/**
 * As much of the voice platform as tool calls need: it has a squad document and the variables of a
 * call, sends what the model says together with what the tool fixes, and keeps what comes back.
 */

export interface CompiledTool {
  readonly type: string;
  readonly name?: string;
  readonly method?: string;
  readonly url?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly credentialId?: string;
  readonly function?: { readonly name: string; readonly parameters: Record<string, unknown> };
  readonly server?: { readonly url: string; readonly credentialId?: string };
  readonly parameters?: readonly { readonly key: string; readonly value: unknown }[];
  readonly variableExtractionPlan?: {
    readonly aliases?: readonly { readonly key: string; readonly value: string }[];
  };
}

export type Variables = Readonly<Record<string, unknown>>;

interface Squad {
  readonly members: readonly {
    readonly assistant: { readonly model: { readonly tools?: readonly CompiledTool[] } };
  }[];
}

/** The tools of a document of either target, by name. */
export function toolsOf(document: unknown): ReadonlyMap<string, CompiledTool> {
  const { squad = document as Squad } = document as { squad?: Squad };
  const tools = squad.members.flatMap(({ assistant }) => assistant.model.tools ?? []);
  return new Map(tools.map((tool) => [tool.function?.name ?? tool.name ?? tool.type, tool]));
}

/** A text with variables filled in; it stays a text. */
export function filledIn(value: unknown, variables: Variables): unknown {
  if (typeof value !== 'string') return value;
  return value.replaceAll(/\{\{ *(\w+)( *\| *url_encode)? *\}\}/g, (_, name: string, encode) => {
    const text = String(variables[name] ?? '');
    return encode === undefined ? text : encodeURIComponent(text);
  });
}

/** Arguments of a call: the model's, and over them what the tool fixes. */
export function argumentsOf(tool: CompiledTool, said: object, variables: Variables): object {
  const fixed = (tool.parameters ?? []).map(({ key, value }) => [key, filledIn(value, variables)]);
  return { ...said, ...Object.fromEntries(fixed) };
}

/** The shapes in which calls come. */
export type Shape = 'arguments' | 'parameters' | 'function' | 'with-tool';

export function messageOf(
  id: string,
  name: string,
  given: object,
  shape: Shape,
  callId = 'call-1',
): object {
  const call = { type: 'tool-calls', call: { id: callId } };
  if (shape === 'with-tool') {
    const toolWithToolCallList = [{ name, toolCall: { id, parameters: given } }];
    return { message: { ...call, toolWithToolCallList } };
  }
  const entry = {
    arguments: { id, name, arguments: given },
    parameters: { id, name, parameters: given },
    function: { id, type: 'function', function: { name, arguments: JSON.stringify(given) } },
  }[shape];
  return { message: { ...call, toolCallList: [entry] } };
}

/** The variables that a result defines, by the aliases of the tool. */
export function variablesFrom(tool: CompiledTool, answer: unknown): Variables {
  const aliases = tool.variableExtractionPlan?.aliases ?? [];
  return Object.fromEntries(
    aliases.map(({ key, value }) => {
      const path = /^\{\{ *\$\.([\w.]+) *\}\}$/.exec(value)?.[1] ?? '';
      return [key, path.split('.').reduce<unknown>(memberOf, answer)];
    }),
  );
}

function memberOf(value: unknown, name: string): unknown {
  return (value as Record<string, unknown> | undefined)?.[name];
}
