/** A value that is there at once, or later. What is there at once is not waited for. */
export type Eventual<Value> = Value | Promise<Value>;
