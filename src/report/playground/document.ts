/** `playground.html`: a page that compiles what is pasted into it, and sends nothing. */
import { type Assets, renderDocument } from '../document.js';
import { dataElement, html } from '../html.js';
import { pictureStyle } from '../page/page.js';

export interface PlaygroundInput {
  readonly assets: Assets;
  /** Texts of workflows to begin with, by what they show. */
  readonly examples: Readonly<Record<string, string>>;
  /** Version of squadc. */
  readonly squadc: string;
}

export function renderPlayground({ assets, examples, squadc }: PlaygroundInput): string {
  const { style, script } = assets;
  return renderDocument({
    title: 'squadc playground',
    assets: { style: style + pictureStyle, script },
    body: html`<header class="top">
        <h1>squadc playground</h1>
        <p>
          Paste a workflow, see the squad, answer the questions, walk a call, take the files. All of
          it happens in this page: nothing is sent.
        </p>
        <noscript><p class="fault">This page needs JavaScript.</p></noscript>
      </header>
      <form id="editor" class="editor" data-version="${squadc}">
        <div class="field">
          <label for="workflow">Workflow</label>
          <textarea id="workflow" rows="10" spellcheck="false" placeholder="Paste a workflow as JSON, or drop a file here"></textarea>
        </div>
        <div class="controls">
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
          <span id="files"></span>
          <button type="button" id="copy-findings">Copy findings as Markdown</button>
          <button type="button" id="copy-link">Copy a link to this</button>
        </div>
        <p id="status" role="status"></p>
        <ul id="answers" aria-label="Answers so far"></ul>
      </form>
      <section id="walk" aria-labelledby="walk-title" hidden>
        <h2 id="walk-title">Walk a call</h2>
        <div id="call"></div>
      </section>
      <div id="outcome"></div>
      ${dataElement('examples', examples)}`,
  });
}
