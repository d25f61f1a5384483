/**
 * Schemas of values that tools take, in the part of JSON Schema that the platform's models read:
 * one type each, choices as texts. All are bounded: a model can be made to say anything.
 */
import type { ValueSchema } from './tool.js';

/** An amount of money in units of the currency: 12.5, not 1250. */
export const amount: ValueSchema = { type: 'number', minimum: 0.01, maximum: 999_999_999.99 };

/** A number that the service gave; the greatest is the last that JSON keeps exact. */
export const serial: ValueSchema = { type: 'integer', minimum: 1, maximum: 9_007_199_254_740_991 };

export const flag: ValueSchema = { type: 'boolean' };

/** A day, YYYY-MM-DD. The service judges whether its month has it. */
export const day: ValueSchema = {
  type: 'string',
  pattern: '^\\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\\d|3[01])$',
  maxLength: 10,
};

/** A short text on one line. */
export const line = (maxLength: number): ValueSchema => ({
  type: 'string',
  pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]+$',
  maxLength,
});

/** A number or sign that people gave something: A-1042, 2026/17. */
export const sign: ValueSchema = {
  type: 'string',
  pattern: '^[\\p{L}\\p{N}][\\p{L}\\p{N} _.#/-]*$',
  maxLength: 60,
};

/** An id that the service gave. It stands in a path: nothing in it can lead elsewhere. */
export const id: ValueSchema = { type: 'string', pattern: '^[A-Za-z0-9_-]+$', maxLength: 100 };

/** The name of a file: one segment of a path, and not one that leads upwards. */
export const fileName: ValueSchema = {
  type: 'string',
  pattern: '^[^./\\\\\\u0000-\\u001f\\u007f][^/\\\\\\u0000-\\u001f\\u007f]*$',
  maxLength: 200,
};

/** Which hosts it may name, the handler decides. */
export const secureUrl: ValueSchema = {
  type: 'string',
  pattern: '^https://[^\\s/?#\\\\@]+(?:[/?#][^\\s\\\\]*)?$',
  maxLength: 2000,
};

/** Settings that whoever configures a tool knows the shape of. */
export const settings: ValueSchema = { type: 'object', maxProperties: 1000 };

/** A list with at least one entry. */
export const listOf = (items: ValueSchema, maxItems: number): ValueSchema => ({
  type: 'array',
  items,
  minItems: 1,
  maxItems,
});

export const oneOf = (...choices: readonly string[]): ValueSchema => ({
  type: 'string',
  enum: choices,
});
