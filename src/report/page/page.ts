/** The page of one workflow: `report.html`, a document that needs no other file. */
import { pageAssets } from '../assets.generated.js';
import { renderDocument } from '../document.js';
import { pictureCss } from '../graph/svg-style.js';
import { type PageInput, renderBody } from './body.js';

export function renderPage(input: PageInput): string {
  const { name, key } = input.result;
  return renderDocument({
    title: `${name ?? key} – squadc`,
    assets: { ...pageAssets, style: pageAssets.style + pictureStyle },
    body: renderBody(input),
  });
}

/** Paper is white, whatever the reader prefers on a screen. */
export const pictureStyle = `${pictureCss('light')}@media screen and (prefers-color-scheme:dark){${pictureCss('dark')}}`;
