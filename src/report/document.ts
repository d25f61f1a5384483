/** The document around every page. Its style is inside, and its policy forbids all connections. */
import { createHash } from 'node:crypto';
import { html, type Markup, trusted } from './html.js';

/** The script that all pages of a run share. */
export const scriptName = 'squadc.js';

export interface PageDocument {
  readonly title: string;
  /** Not from a workflow. */
  readonly style: string;
  /** The text of the script, or its relative address. */
  readonly script: { readonly text: string } | { readonly address: string };
  readonly body: Markup;
}

export function renderDocument({ title, style, script, body }: PageDocument): string {
  const run = 'text' in script ? script.text : loaderOf(script.address);
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policyFor(style, run)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
<style>${trusted(style)}</style>
</head>
<body>
${body}
<script>${trusted(run)}</script>
</body>
</html>
`;
  return page.toString();
}

/** The script inside a document. */
export function scriptOf(page: string): string {
  return page.slice(page.indexOf('<script>') + '<script>'.length, page.lastIndexOf('</script>'));
}

/**
 * A page on a disk has no origin, so its policy cannot allow the file beside it. It can allow this
 * script, and with it whatever this script adds.
 */
function loaderOf(address: string): string {
  const source = JSON.stringify(address);
  return `document.head.append(Object.assign(document.createElement('script'),{src:${source}}))`;
}

/** Only this style and this script, by their hashes; no network, no frame, no form that is sent. */
function policyFor(style: string, script: string): string {
  return [
    "default-src 'none'",
    `style-src ${hashOf(style)}`,
    `script-src 'strict-dynamic' ${hashOf(script)}`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
}

function hashOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}
