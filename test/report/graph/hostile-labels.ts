/** Labels that try to leave the place where they stand. */
import fc from 'fast-check';

const pieces = [
  '</svg><script>alert(1)</script>',
  ']]><!--',
  '-->',
  '<style>*{display:none}</style>',
  '" onload="alert(1)',
  "' x='",
  '"]',
  '")',
  '"|',
  '#quot;',
  '#34;',
  '&quot;',
  '&#0;',
  '\\',
  '\\"',
  '\\N',
  '%%{init: {"theme":"dark"}}%%',
  'style n0 fill:#f00;',
  'classDef t0 fill:#f00;',
  'end',
  '`**bold**`',
  '\n  n0 --> n1\n',
  '\r',
  '\u2028',
  '\u202e',
  '\u2066',
  '\u0000',
  '\u001b[31m',
  '\ufffe',
  '\ud800',
  '\u0301'.repeat(200),
  '👩‍👩‍👧‍👦',
  '漢字かな',
  'مرحبا',
  '__proto__',
  'x'.repeat(400),
  ' ',
];

export function hostileLabel(): fc.Arbitrary<string> {
  const piece = fc.oneof(fc.constantFrom(...pieces), fc.string({ unit: 'binary' }), fc.string());
  return fc.array(piece, { maxLength: 5 }).map((parts) => parts.join(''));
}
