/**
 * A member of the squad → the assistant as a call meets it.
 *
 * Its parts know what they are in, and write their pointers when somebody asks: only faults and
 * evidence do, and the pointers would take more room than all the rest.
 */
import { child, type JsonPointer } from '../compiler/ir/ids.js';
import { isJsonObject, type Json, type JsonObject } from '../compiler/ir/json.js';
import {
  elements,
  type Layer,
  lastWith,
  type Member,
  objectOf,
  type Prompt,
  type Tool,
  type ToolId,
  textOf,
} from './squad-reading.js';
import { put } from './variables/lists.js';

/** What a part can be in. */
interface Place {
  readonly at: JsonPointer;
}

class LayerPart implements Layer {
  constructor(
    readonly value: JsonObject,
    private readonly place: Place,
    private readonly key: string,
  ) {}

  get at(): JsonPointer {
    return child(this.place.at, this.key);
  }
}

/** The object under a key, as a layer of settings; null where there is none. */
export function layerAt(holder: JsonObject, key: string, place: Place): Layer | null {
  const value = holder[key];
  return isJsonObject(value) ? new LayerPart(value, place, key) : null;
}

/** Not to be spread: its pointers are accessors, which a copy would not have. */
export class MemberPart implements Member {
  readonly assistantId: string | null;
  readonly saved: boolean;
  readonly unseen: boolean;
  readonly overrides: Layer | null;
  readonly layers: readonly Layer[];
  readonly name: string | null;
  readonly firstMessage: string | null;
  readonly prompts: readonly Prompt[];
  readonly prompt: string;
  readonly compiled: boolean;
  readonly tools: readonly Tool[];
  readonly toolIds: readonly ToolId[];

  /** `list` is the place of the members, `named` has the saved assistants that the source names. */
  constructor(
    value: JsonObject,
    private readonly list: JsonPointer,
    readonly index: number,
    named: ReadonlySet<string>,
  ) {
    const assistant = layerAt(value, 'assistant', this);
    this.overrides = layerAt(value, 'assistantOverrides', this);
    this.layers = listLayers(assistant, this.overrides);
    this.assistantId = textOf(value['assistantId']);
    this.saved = this.assistantId !== null && assistant === null;
    this.unseen = this.saved && !named.has(this.assistantId!);
    this.name = textOf(lastWith(this.layers, 'name')?.value['name']);
    this.firstMessage = textOf(lastWith(this.layers, 'firstMessage')?.value['firstMessage']);
    this.prompts = readPrompts(this.layers);
    this.prompt = joinPrompts(this.prompts);
    this.compiled = this.prompt.includes(opening);
    this.tools = readTools(this.layers);
    this.toolIds = readToolIds(this.layers);
  }

  get at(): JsonPointer {
    return `${this.list}/${this.index}`;
  }

  get nameAt(): JsonPointer {
    const named = lastWith(this.layers, 'name');
    return named === undefined ? this.at : `${named.at}/name`;
  }

  get promptAt(): JsonPointer {
    const { prompts, layers, overrides } = this;
    const [first] = layers;
    const whole = first === undefined || first === overrides ? this : first;
    return prompts[0]?.at ?? whole.at;
  }
}

function listLayers(assistant: Layer | null, overrides: Layer | null): readonly Layer[] {
  if (assistant === null) return overrides === null ? noLayers : [overrides];
  return overrides === null ? [assistant] : [assistant, overrides];
}

const noLayers: readonly Layer[] = [];

/** What follows the assistant's name at the beginning of the prompts that squadc writes. */
const opening = '" of a phone call. Work through the numbered steps; ';

function joinPrompts(prompts: readonly Prompt[]): string {
  if (prompts.length === 1) return prompts[0]!.text;
  return prompts.map(({ text }) => text).join('\n\n');
}

/** The layer that a list of the model is read from: one in an override replaces the assistant's. */
function listing(layers: readonly Layer[], key: string): Layer | undefined {
  for (let at = layers.length - 1; at >= 0; at -= 1) {
    if (Object.hasOwn(objectOf(layers[at]!.value['model']), key)) return layers[at];
  }
  return undefined;
}

function listOf({ value }: Layer, key: string): readonly Json[] {
  return elements(objectOf(value['model'])[key]);
}

class PromptPart implements Prompt {
  constructor(
    readonly text: string,
    private readonly layer: Layer,
    private readonly index: number,
  ) {}

  get at(): JsonPointer {
    return `${this.layer.at}/model/messages/${this.index}/content`;
  }
}

function readPrompts(layers: readonly Layer[]): readonly Prompt[] {
  const layer = listing(layers, 'messages');
  if (layer === undefined) return noPrompts;
  const messages = listOf(layer, 'messages');
  let prompts: Prompt[] | null = null;
  for (let index = 0; index < messages.length; index += 1) {
    const { role, content } = objectOf(messages[index]);
    const text = role === 'system' ? textOf(content) : null;
    if (text !== null) prompts = put(prompts, new PromptPart(text, layer, index));
  }
  return prompts ?? noPrompts;
}

const noPrompts: readonly Prompt[] = [];

class ToolPart implements Tool {
  readonly type: string;

  constructor(
    readonly value: JsonObject,
    private readonly layer: Layer,
    private readonly list: string,
    private readonly index: number,
  ) {
    this.type = textOf(value['type']) ?? '';
  }

  get at(): JsonPointer {
    return `${this.layer.at}/${this.list}/${this.index}`;
  }
}

/** The tools of the model, and those that overrides add. */
function readTools(layers: readonly Layer[]): readonly Tool[] {
  const layer = listing(layers, 'tools');
  let tools: Tool[] | null = null;
  if (layer !== undefined) tools = addTools(tools, listOf(layer, 'tools'), layer, 'model/tools');
  for (const other of layers) {
    tools = addTools(tools, elements(other.value['tools:append']), other, 'tools:append');
  }
  return tools ?? noTools;
}

const noTools: readonly Tool[] = [];

function addTools(
  known: Tool[] | null,
  more: readonly Json[],
  layer: Layer,
  list: string,
): Tool[] | null {
  let tools = known;
  for (let index = 0; index < more.length; index += 1) {
    tools = put(tools, new ToolPart(objectOf(more[index]), layer, list, index));
  }
  return tools;
}

/** What is no text is a fault of the shape. */
function readToolIds(layers: readonly Layer[]): readonly ToolId[] {
  const layer = listing(layers, 'toolIds');
  if (layer === undefined) return noToolIds;
  return listOf(layer, 'toolIds').flatMap((value, index) => {
    const id = textOf(value);
    return id === null ? [] : [{ at: `${layer.at}/model/toolIds/${index}`, id }];
  });
}

const noToolIds: readonly ToolId[] = [];
