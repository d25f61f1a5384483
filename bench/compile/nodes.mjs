/** The nodes of the shapes; their ids are `n` and their place in the list. */

/** Of each node the number of the one whose variable it reads; the first reads none. @typedef {(node: number) => number} ReadsFrom */

/**
 * Nodes that capture a variable each and read that of an earlier one.
 *
 * @param {number} size
 * @param {ReadsFrom} readsFrom
 */
export function talk(size, readsFrom) {
  return prompted(size, (node) =>
    node === 0
      ? 'Greet the caller and ask for thing 0.'
      : `Ask for thing ${node}. So far we know {{v${readsFrom(node)}}}.`,
  );
}

/**
 * Nodes that capture three variables each and read those of three earlier ones.
 *
 * @param {number} size
 * @param {ReadsFrom} parentOf
 */
export function knowing(size, parentOf) {
  return range(0, size).map((node) => {
    const parent = parentOf(node);
    const known = node === 0 ? [] : [...new Set([0, parentOf(parent), parent])].flatMap(namesOf);
    return {
      id: `n${node}`,
      type: 'gather',
      systemPrompt: `Ask for the things of ${node}. ${known.map((it) => `${it} is {{${it}}}.`).join(' ')}`,
      extractVariables: namesOf(node).map((name) => variable(name, `thing ${name}`)),
    };
  });
}

/** @param {number} node */
function namesOf(node) {
  return ['a', 'b', 'c'].map((letter) => `${letter}${node}`);
}

/** Nodes that can be entered from wherever the call is. @param {number} from @param {number} to */
export function anywhere(from, to) {
  return range(from, to).map((node) => ({
    id: `n${node}`,
    type: 'conversation',
    isGlobal: true,
    condition: `the caller asks about topic ${node}`,
    systemPrompt: `Answer questions about topic ${node}.`,
  }));
}

/** Nodes with prompts of the usual length and nothing to fill in. @param {number} size */
export function plain(size) {
  return range(0, size).map((node) => ({
    id: `n${node}`,
    type: 'conversation',
    firstMessage: `You have reached desk ${node}.`,
    systemPrompt: [
      `You are at desk ${node} of a hotel. Keep your answers short and friendly.`,
      '- Ask for the dates, and say them back to the caller before you go on.',
      '- If the caller is in doubt, name two rooms and their prices; never more than two.',
      '- Do not promise anything that stands on another desk, and do not guess.',
    ].join('\n'),
  }));
}

/**
 * Nodes whose prompts filter, decide and loop.
 *
 * @param {number} size
 * @param {ReadsFrom} readsFrom
 */
export function liquid(size, readsFrom) {
  return prompted(size, (node) => {
    const name = `v${readsFrom(node)}`;
    const offers = '{% for each in offers %}- {{ each.name | upcase }}\n{% endfor %}';
    if (node === 0) return `Ask the caller for a room. Ours are:\n${offers}`;
    return [
      `You are at desk ${node}. The caller chose {{ ${name} | strip | capitalize }}.`,
      `{% if ${name} == "suite" %}Offer breakfast.{% else %}Offer the {{ ${name} | default: "room" }}.{% endif %}`,
      offers,
    ].join('\n');
  });
}

/** @param {number} size @param {(node: number) => string} prompt */
function prompted(size, prompt) {
  return range(0, size).map((node) => ({
    id: `n${node}`,
    type: 'conversation',
    systemPrompt: prompt(node),
    extractVariables: [variable(`v${node}`, `thing ${node}`)],
  }));
}

/** The end of a call. @param {number} node */
export function end(node) {
  return { id: `n${node}`, type: 'endCall', firstMessage: 'Goodbye.' };
}

/** @param {string} name @param {string} description */
function variable(name, description) {
  return { name, type: 'string', description };
}

/** @param {number} from @param {number} to */
export function range(from, to) {
  return Array.from({ length: Math.max(0, to - from) }, (_, at) => from + at);
}
