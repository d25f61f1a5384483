/** Generated conditions, how people write them, and what they mean by Liquid's truth. */
import fc from 'fast-check';

export type Env = Readonly<Record<string, unknown>>;
export type Tree =
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'equal' | 'unequal'; readonly name: string; readonly value: string | number }
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
      value: fc.constantFrom('x', 1, 'a and (b'),
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
    case 'unequal': {
      const value = typeof tree.value === 'string' ? `'${tree.value}'` : tree.value;
      return `${tree.name} ${tree.kind === 'equal' ? '==' : '!='} ${value}`;
    }
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
      return env[tree.name] !== undefined && env[tree.name] !== false;
    case 'equal':
      return env[tree.name] === tree.value;
    case 'unequal':
      return env[tree.name] !== tree.value;
    case 'not':
      return !evaluate(tree.of, env);
    case 'and':
      return evaluate(tree.left, env) && evaluate(tree.right, env);
    case 'or':
      return evaluate(tree.left, env) || evaluate(tree.right, env);
  }
}
