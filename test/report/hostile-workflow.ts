/** A workflow every text of which tries to be markup, script, or a part of an object. */
import type { JsonObject } from '../../src/index.js';

const script = '<script>window.ran = 1</script>';
const image = '"><img src=x onerror="window.ran = 2">';
const close = '</title></style></svg></script><script>window.ran = 3</script>';
const ending = '--></textarea></template><svg onload="window.ran = 4">';

export const hostileWorkflow: JsonObject = {
  name: `${script}${image}'"&lt;\u202e`,
  nodes: [
    {
      id: 'valueOf',
      name: image,
      type: 'conversation',
      firstMessage: close,
      systemPrompt: `${script}\n${ending}\njavascript:window.ran=5 {{hasOwnProperty}}`,
      extractVariables: [
        { name: 'hasOwnProperty', type: 'string', description: close, enum: [image, script] },
      ],
    },
    { id: script, type: 'conversation', systemPrompt: `{{toString}} ${image}` },
    { id: image, type: 'conversation', systemPrompt: `${close} {{hasOwnProperty}}` },
    { id: "' onmouseover='window.ran=6", type: 'transferCall', message: ending },
    { id: 'javascript:window.ran=7', type: 'endCall', firstMessage: image },
    { id: ending, type: 'apiRequest', name: close },
  ],
  edges: [
    { from: 'valueOf', to: script, condition: `${image} == "a"` },
    { from: 'valueOf', to: image, condition: close },
    { from: script, to: image, condition: script },
    { from: image, to: script, condition: ending },
    { from: script, to: "' onmouseover='window.ran=6", condition: image },
    { from: image, to: 'javascript:window.ran=7' },
    { from: image, to: ending, condition: '\u2028\u2029\0\u001b' },
  ],
  [`unknown ${script}`]: image,
};
