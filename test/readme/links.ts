/** What a page leads to: files that it links, shows or names, and headings of its own. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Links and pictures, in Markdown or HTML, that lead to no other host. */
const links = /(?:\]\(|\b(?:src|srcset|href)=")(?!https?:)([^)"\s]+)/g;
/** Paths of this repository between backticks. */
const paths = /`((?:src|test|golden|schemas|bench)\/[\w./-]*\w)\/?`/g;

/** Each link, picture or path of the page behind which there is nothing. */
export function missingFiles(page: string): string[] {
  const text = readFileSync(page, 'utf8');
  const isThere = (target: string) => {
    const [file = '', heading] = target.split('#');
    const path = file === '' ? page : join(dirname(page), file);
    return existsSync(path) && (heading === undefined || headingsOf(path).includes(heading));
  };
  return [
    ...[...text.matchAll(links)].map(([, target = '']) => target).filter((each) => !isThere(each)),
    ...[...text.matchAll(paths)].map(([, path = '']) => path).filter((each) => !existsSync(each)),
  ];
}

function headingsOf(page: string): string[] {
  return [...readFileSync(page, 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, words = '']) =>
    slug(words),
  );
}

/** The name under which a heading is linked. */
function slug(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}
