/**
 * Generated conditions, how people write them, and what they mean.
 *
 * A value may be stored as itself or as its text, and one that nobody could find as an empty text:
 * a number or a truth value equals its text and nothing equals the empty one, and what is blank, or
 * says false, is not true and has no place in any order.
 */
import fc from 'fast-check';

export type Env = Readonly<Record<string, unknown>>;
export type Tree =
  | { readonly kind: 'name'; readonly name: string }
  | {
      readonly kind: 'equal' | 'unequal';
      readonly name: string;
      readonly value: string | number | boolean | null;
    }
  | {
      readonly kind: 'ordered';
      readonly name: string;
      readonly sign: '<' | '>' | '<=' | '>=';
      readonly value: string | number;
    }
  | { readonly kind: 'contains'; readonly name: string; readonly value: string }
  | { readonly kind: 'not'; readonly of: Tree; readonly sign: string }
  | {
      readonly kind: 'and' | 'or';
      readonly left: Tree;
      readonly right: Tree;
      readonly sign: string;
    };

const name = fc.constantFrom('a', 'b', 'c');

export const expression: fc.Arbitrary<Tree> = fc.letrec<{ tree: Tree }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 5, withCrossShrink: true },
    fc.record({ kind: fc.constant('name' as const), name }),
    fc.record({
      kind: fc.constantFrom('equal' as const, 'unequal' as const),
      name,
      value: fc.constantFrom('x', 1, 'a and (b', '1', true, false, -2.5, '', null),
    }),
    fc.record({
      kind: fc.constant('ordered' as const),
      name,
      sign: fc.constantFrom('<', '>', '<=', '>='),
      value: fc.constantFrom(0, 1, 10, 'x'),
    }),
    fc.record({
      kind: fc.constant('contains' as const),
      name,
      value: fc.constantFrom('x', 'and'),
    }),
    fc.record({
      kind: fc.constant('not' as const),
      of: tie('tree'),
      sign: fc.constantFrom('!', 'not '),
    }),
    fc.record({
      kind: fc.constant('and' as const),
      left: tie('tree'),
      right: tie('tree'),
      sign: fc.constantFrom(' && ', ' and ', '&&'),
    }),
    fc.record({
      kind: fc.constant('or' as const),
      left: tie('tree'),
      right: tie('tree'),
      sign: fc.constantFrom(' || ', ' or ', '||'),
    }),
  ),
})).tree;

/** With as few parentheses as precedence allows. */
export function print(tree: Tree): string {
  switch (tree.kind) {
    case 'name':
      return tree.name;
    case 'equal':
    case 'unequal':
      return `${tree.name} ${tree.kind === 'equal' ? '==' : '!='} ${literal(tree.value)}`;
    case 'ordered':
      return `${tree.name} ${tree.sign} ${literal(tree.value)}`;
    case 'contains':
      return `${tree.name} contains ${literal(tree.value)}`;
    case 'not':
      return tree.sign + (tree.of.kind === 'name' ? tree.of.name : `(${print(tree.of)})`);
    case 'and':
      return [tree.left, tree.right]
        .map((part) => (part.kind === 'or' ? `(${print(part)})` : print(part)))
        .join(tree.sign);
    case 'or':
      return print(tree.left) + tree.sign + print(tree.right);
  }
}

export function evaluate(tree: Tree, env: Env): boolean {
  switch (tree.kind) {
    case 'name':
      return !isBlank(env[tree.name]) && env[tree.name] !== 'false';
    case 'equal':
      return saysTheSame(env[tree.name], tree.value);
    case 'unequal':
      return !saysTheSame(env[tree.name], tree.value);
    case 'ordered':
      return isOrdered(env[tree.name], tree.sign, tree.value);
    case 'contains': {
      const value = env[tree.name];
      return typeof value === 'string' && value.includes(tree.value);
    }
    case 'not':
      return !evaluate(tree.of, env);
    case 'and':
      return evaluate(tree.left, env) && evaluate(tree.right, env);
    case 'or':
      return evaluate(tree.left, env) || evaluate(tree.right, env);
  }
}

function literal(value: string | number | boolean | null): string {
  return typeof value === 'string' ? `'${value}'` : String(value);
}

function isBlank(value: unknown): boolean {
  return value === undefined || value === null || value === false || /^\s*$/.test(String(value));
}

function saysTheSame(value: unknown, wanted: string | number | boolean | null): boolean {
  return String(value ?? '') === String(wanted ?? '');
}

function isOrdered(value: unknown, sign: string, limit: string | number): boolean {
  if (isBlank(value) || value === true) return false;
  const numbers = typeof value === 'number' || typeof limit === 'number';
  const [one, other] = numbers ? [Number(value), Number(limit)] : [String(value), String(limit)];
  if (one < other) return sign.startsWith('<');
  return one > other ? sign.startsWith('>') : one === other && sign.endsWith('=');
}
