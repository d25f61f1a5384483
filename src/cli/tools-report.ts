/** What `squadc tools` prints on a terminal: a line for each tool, or all about one. */
import type { Sayable, ToolDefinition, ToolParameter } from '../adapters/tools/tool.js';
import type { Io } from './io.js';
import { columnsOf, hanging, padTo } from './layout.js';
import { type Style, styleFor } from './terminal.js';
import { effectWords, purposeOf, repeatWords, valueWords } from './tools-words.js';

/** Name, operation, effect and purpose; the purpose on a line of its own where there is no room. */
export function listing(tools: readonly ToolDefinition[], { stdout, env }: Io): string {
  const style = styleFor(stdout, env);
  const widest = (of: (tool: ToolDefinition) => string) =>
    Math.max(0, ...tools.map((tool) => of(tool).length));
  const [names, operations] = [widest(({ name }) => name), widest((tool) => tool.operation)];
  const lead = names + operations + 'processes'.length + 6;
  // What is no terminal is read by programs: a line for each.
  const beside = (stdout.columns ?? Number.POSITIVE_INFINITY) >= lead + widest(purposeOf);
  const rows = tools.map((tool) => {
    const { name, operation, effect } = tool;
    const facts = `${style.bold(padTo(name, names))}  ${padTo(operation, operations)}  `;
    const purpose = purposeOf(tool);
    if (beside) return `${facts}${padTo(effect, 'processes'.length)}  ${purpose}`;
    return [`${facts}${effect}`, ...hanging('    ', purpose, columnsOf(stdout))].join('\n');
  });
  return `${rows.join('\n')}\n`;
}

/** Everything that the table says of a tool. */
export function aboutTool(tool: ToolDefinition, { stdout, env }: Io): string {
  const style = styleFor(stdout, env);
  const columns = columnsOf(stdout);
  const from = (source: ToolParameter['from']) =>
    tool.parameters
      .filter((each) => each.from === source)
      .flatMap((each) => parameterLines(each, style, columns));
  const parts = [
    [`${style.bold(tool.name)} (${tool.operation})`, ...hanging('', tool.description, columns)],
    section('Request', requestLines(tool, columns), style),
    section('A caller says', from('caller'), style),
    section('The configuration binds', from('binding'), style),
    section('May be said of the answer', tool.sayable.map(sayableLine(tool, style)), style),
  ];
  return `${parts
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
}

function section(title: string, lines: readonly string[], style: Style): string[] {
  return lines.length === 0 ? [] : [style.bold(title), ...lines];
}

function requestLines(tool: ToolDefinition, columns: number): string[] {
  const { method, path, effect, repeat, direct } = tool;
  const ways = direct ? 'by the handler, or by the platform itself' : 'by the handler';
  return [
    `  ${method} ${path}`,
    ...hanging('  sent:       ', ways, columns),
    ...hanging('  effect:     ', effectWords[effect], columns),
    ...hanging('  sent again: ', repeatWords[repeat], columns),
  ];
}

function parameterLines(parameter: ToolParameter, style: Style, columns: number): string[] {
  const { name, required, unless, description, schema } = parameter;
  const facts = [
    valueWords(schema),
    ...(required ? ['required'] : []),
    ...(unless === undefined ? [] : [`not where ${unless} is bound`]),
  ].join('; ');
  const [first = '', ...more] = hanging(`  ${name}: `, facts, columns);
  return [
    first.replace(name, () => style.bold(name)),
    ...more,
    ...hanging('      ', description, columns),
  ];
}

function sayableLine({ sayable }: ToolDefinition, style: Style): (each: Sayable) => string {
  const width = Math.max(0, ...sayable.map(({ name }) => name.length));
  return ({ name, at, as }) => `  ${style.bold(padTo(name, width))}  ${padTo(as, 10)}  ${at}`;
}
