/**
 * The arguments of an upload.
 *
 * In: a file and what the caller says about it. Out: query and form. What the caller says goes
 * before what the source says about itself.
 */
import { invalidArgument } from '../http/api-error.js';
import type { SendArguments } from '../http/call.js';
import { fileSourceOf, type UploadSource } from './file-source.js';
import { formOf } from './multipart.js';

/** What the caller says about a file; goes before what the file says about itself. */
export interface UploadOptions {
  /** Default: the name at the end of the path, that of a File, otherwise `file`. */
  readonly name?: string;
  /** Default: that of a Blob, otherwise `application/octet-stream`. */
  readonly contentType?: string;
  /** Opens a protected document. */
  readonly password?: string;
  readonly convertToPdf?: boolean;
}

export async function uploadArguments(
  operation: string,
  source: UploadSource,
  options: UploadOptions = {},
): Promise<SendArguments> {
  const { password, convertToPdf } = options;
  const check = (option: 'name' | 'contentType' | 'password', form: RegExp) => {
    const { [option]: value } = options;
    const fits = value === undefined || (typeof value === 'string' && form.test(value));
    if (!fits) throw invalidArgument(operation, option);
  };
  check('name', /^\P{Cc}+$/u);
  check('contentType', /^[!-~]+\/[ -~]+$/);
  check('password', /^/);
  const file = await fileSourceOf(operation, source);
  const name = options.name ?? file.name ?? 'file';
  const contentType = options.contentType || file.contentType || 'application/octet-stream';
  return {
    query: { convertToPdf },
    body: formOf({ ...file, name, contentType }, password),
    secrets: password === undefined ? [] : [password],
  };
}
