import { taken } from './taken.ts';

/** Has the browser save a file. Its content is in no address: the URL names memory of this page, and is gone afterwards. */
export function download(name: string, content: string | Uint8Array<ArrayBuffer>, type = 'text/plain'): void {
  const url = URL.createObjectURL(new Blob([content], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  if (typeof content === 'string') taken(content);
  setTimeout(() => URL.revokeObjectURL(url), 1_000);
}

/** What an answer of bytes has. */
export const bytesOf = (base64: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(base64), (character) => character.codePointAt(0) ?? 0);

/** A name as that of a file. */
export const fileName = (name: string, extension: string): string =>
  `${name.replaceAll(/[^\w.-]+/g, '_').replaceAll(/^[.]+/g, '') || 'file'}.${extension}`;
