/** What stands in a value of any shape; nothing where it is no object. */
export const membersOf = (value: unknown): Readonly<Record<string, unknown>> => Object(value);
