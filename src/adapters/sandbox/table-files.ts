/**
 * A table as a file: CSV (RFC 4180) or an Office Open XML workbook with one sheet.
 *
 * Texts of users stand in cells, never in markup or formulas: a workbook's cells are typed, and what
 * XML cannot hold is left out.
 */
import { zip } from './zip.js';

export type Cell = string | number | null;

export interface Table {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
}

export function csv({ columns, rows }: Table): Buffer {
  const lines = [columns, ...rows].map((row) => `${row.map(quoted).join(',')}\r\n`);
  return Buffer.from(lines.join(''));
}

function quoted(cell: Cell): string {
  const text = String(cell ?? '');
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const packageSchemas = 'http://schemas.openxmlformats.org/package/2006';
const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const types = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

const workbookParts: Readonly<Record<string, string>> = {
  '[Content_Types].xml':
    `<Types xmlns="${packageSchemas}/content-types">` +
    '<Default Extension="rels" ' +
    'ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
    `<Override PartName="/xl/workbook.xml" ContentType="${types}.sheet.main+xml"/>` +
    `<Override PartName="/xl/worksheets/sheet1.xml" ContentType="${types}.worksheet+xml"/>` +
    '</Types>',
  '_rels/.rels': relationship('officeDocument', 'xl/workbook.xml'),
  'xl/_rels/workbook.xml.rels': relationship('worksheet', 'worksheets/sheet1.xml'),
  'xl/workbook.xml':
    `<workbook xmlns="${main}" xmlns:r="${relations}"><sheets>` +
    '<sheet name="Bills" sheetId="1" r:id="rId1"/></sheets></workbook>',
};

function relationship(type: string, target: string): string {
  return (
    `<Relationships xmlns="${packageSchemas}/relationships">` +
    `<Relationship Id="rId1" Type="${relations}/${type}" Target="${target}"/></Relationships>`
  );
}

export function xlsx({ columns, rows }: Table): Buffer {
  const lines = [columns, ...rows].map((row) => `<row>${row.map(sheetCell).join('')}</row>`);
  const sheet = `<worksheet xmlns="${main}"><sheetData>${lines.join('')}</sheetData></worksheet>`;
  const parts = Object.entries({ ...workbookParts, 'xl/worksheets/sheet1.xml': sheet });
  return zip(
    parts.map(([name, content]) => ({ name, content: Buffer.from(declaration + content) })),
  );
}

function sheetCell(cell: Cell): string {
  if (cell === null) return '<c/>';
  if (typeof cell === 'number') return `<c><v>${cell}</v></c>`;
  return `<c t="inlineStr"><is><t xml:space="preserve">${escaped(cell)}</t></is></c>`;
}

function escaped(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}
