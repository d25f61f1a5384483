/** Makes the schema of answers' values from `questions.json`, the table of the kinds of question. */

/** @typedef {import('ajv').AnySchemaObject} Document */
/** @typedef {Record<string, { choices: Record<string, { value?: Document }> }>} Kinds */

/** @param {Kinds} kinds @returns {Document} */
export function answerValueSchema(kinds) {
  const choices = Object.entries(kinds).flatMap(([kind, all]) =>
    Object.entries(all.choices).map(([choice, { value }]) => ({ kind, choice, value })),
  );
  const withValue = choices.filter(({ value }) => value !== undefined);
  const without = choices.filter(({ value }) => value === undefined).map(({ choice }) => choice);
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: 'https://squadc.dev/schemas/answer-value.schema.json',
    title: 'Value of an answer',
    description:
      'A choice of one kind of question, with the value that it needs. The schema of each value is in $defs, by kind and choice; a choice without one takes no value.',
    type: 'object',
    properties: {
      kind: { description: 'The kind of question', enum: Object.keys(kinds) },
      choice: { type: 'string', description: 'The key of the choice' },
      value: { description: 'What the choice needs besides its key' },
    },
    required: ['kind', 'choice'],
    additionalProperties: false,
    allOf: [
      ...Object.entries(kinds).map(([kind, all]) =>
        rule({ kind: { const: kind } }, { choice: { enum: Object.keys(all.choices) } }),
      ),
      ...withValue.map(({ kind, choice }) => {
        const value = { $ref: `#/$defs/${kind}.${choice}` };
        return rule({ kind: { const: kind }, choice: { const: choice } }, { value }, ['value']);
      }),
      rule({ choice: { enum: [...new Set(without)] } }, { value: false }),
    ],
    $defs: Object.fromEntries(withValue.map((it) => [`${it.kind}.${it.choice}`, it.value])),
  };
}

/** @param {Document} properties @param {Document} wanted @param {string[]} [required] */
function rule(properties, wanted, required) {
  const demanded = { properties: wanted, ...(required && { required }) };
  return Object.fromEntries([
    ['if', { properties }],
    ['then', demanded],
  ]);
}
