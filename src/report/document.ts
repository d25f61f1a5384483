/**
 * The frame of every page: one document with its styles and its script inside, which may load and
 * send nothing.
 */
import { createHash } from 'node:crypto';
import { html, type Markup, trusted } from './html.js';

/** Texts of the package's own. */
export interface Assets {
  readonly style: string;
  readonly script: string;
}

export interface PageDocument {
  readonly title: string;
  readonly assets: Assets;
  readonly body: Markup;
}

export function renderDocument({ title, assets, body }: PageDocument): string {
  const { style, script } = assets;
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policyFor(assets)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
<style>${trusted(style)}</style>
</head>
<body>
${body}
<script>${trusted(script)}</script>
</body>
</html>
`;
  return page.toString();
}

/** Only this style and this script, by their hashes; no network, no frame, no form that is sent. */
function policyFor({ style, script }: Assets): string {
  return [
    "default-src 'none'",
    `style-src ${hashOf(style)}`,
    `script-src ${hashOf(script)}`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
}

function hashOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}
