/** `playground.html`: a page that compiles what is pasted into it, and sends nothing. */
import { renderDocument } from '../document.js';
import { pictureCss } from '../graph/style.js';
import { dataElement, html } from '../html.js';

export interface PlaygroundInput {
  readonly style: string;
  readonly script: string;
  /** Texts of workflows, by title. */
  readonly examples: Readonly<Record<string, string>>;
  /** Version of squadc. */
  readonly squadc: string;
}

export function renderPlayground({ style, script, examples, squadc }: PlaygroundInput): string {
  return renderDocument({
    title: 'squadc playground',
    style: style + pictureCss,
    script: { text: script },
    body: html`<header class="top">
        <h1>squadc playground</h1>
        <p>
          Paste a workflow, answer its questions, walk a call, and download the files. Everything
          runs in this page; nothing is sent.
        </p>
        <noscript><p class="fault">This page needs JavaScript.</p></noscript>
      </header>
      <form id="editor" class="editor" autocomplete="off" aria-label="Workflow to compile" data-version="${squadc}">
        <div class="field">
          <label for="workflow">Workflow</label>
          <textarea id="workflow" rows="10" spellcheck="false" placeholder="Paste a workflow as JSON, or drop a file here"></textarea>
        </div>
        <div class="actions">
          <label>Example
            <select id="example">
              <option value="">choose…</option>
              ${Object.keys(examples).map((name) => html`<option>${name}</option>`)}
            </select></label
          >
          <label>Target
            <select id="target">
              <option value="">as the workflow says</option>
              <option value="vapi">vapi: the platform's request body</option>
              <option value="squad">squad: the specification's shape</option>
            </select></label
          >
        </div>
        <p id="status" role="status"></p>
      </form>
      <div id="outcome"></div>
      ${dataElement('examples', examples)}`,
  });
}
