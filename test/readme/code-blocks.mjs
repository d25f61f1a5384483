/**
 * The fenced code blocks of a Markdown text, in order.
 *
 * In plain JavaScript, because the continuous check asks for a block before anything is built:
 * `node test/readme/code-blocks.mjs README.md sh 2` prints the second `sh` block.
 */
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

/**
 * @typedef {object} CodeBlock
 * @property {string} language the first word of the fence's info string; empty where there is none
 * @property {string} code the lines between the fences, without the fence's own indentation
 * @property {number} line number of the first line of code, from 1
 */

/**
 * A block ends at a fence of the same character that is at least as long (CommonMark 4.5); one
 * that is never closed ends with the text.
 * @param {string} markdown
 * @returns {CodeBlock[]}
 */
export function codeBlocks(markdown) {
  /** @type {CodeBlock[]} */
  const blocks = [];
  /** @type {{ fence: string, indent: number, language: string, line: number, code: string[] } | null} */
  let open = null;
  const lines = markdown.split(/\r?\n/);
  for (const [index, text] of lines.entries()) {
    const [, indent = '', fence = '', rest = ''] = /^( *)(`{3,}|~{3,})(.*)$/.exec(text) ?? [];
    if (open === null) {
      if (fence === '' || (fence[0] === '`' && rest.includes('`'))) continue;
      const language = rest.trim().split(/\s+/)[0] ?? '';
      open = { fence, indent: indent.length, language, line: index + 2, code: [] };
    } else if (fence.startsWith(open.fence) && rest.trim() === '') {
      blocks.push(closed(open));
      open = null;
    } else {
      open.code.push(text.slice(Math.min(open.indent, text.search(/\S|$/))));
    }
  }
  if (open !== null) blocks.push(closed(open));
  return blocks;
}

/**
 * @param {{ language: string, line: number, code: string[] }} block
 * @returns {CodeBlock}
 */
function closed({ language, line, code }) {
  return { language, line, code: code.join('\n') };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const [file = 'README.md', language = 'sh', position = '1'] = process.argv.slice(2);
  const blocks = codeBlocks(readFileSync(file, 'utf8'));
  const block = blocks.filter((each) => each.language === language)[Number(position) - 1];
  if (block === undefined) throw new Error(`${file} has no ${language} block number ${position}`);
  console.log(block.code);
}
