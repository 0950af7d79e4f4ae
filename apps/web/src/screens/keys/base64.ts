/** How a text is put as bytes. */
export type Form = 'text' | 'base64';

/** Whether bytes were entered. */
export function isBase64(entered: string): boolean {
  try {
    atob(entered);
    return true;
  } catch {
    return false;
  }
}

/** What was entered, as base64. */
export const toBase64 = (entered: string, form: Form): string =>
  btoa(form === 'base64' ? atob(entered) : binary(new TextEncoder().encode(entered)));

const binary = (bytes: Uint8Array): string => bytes.reduce((text, byte) => text + String.fromCodePoint(byte), '');

/** Bytes as they are shown: as a text where they are one, as base64 otherwise. */
export function fromBase64(base64: string): { readonly text: string; readonly form: Form } {
  const bytes = Uint8Array.from(atob(base64), (character) => character.codePointAt(0) ?? 0);
  try {
    return { text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes), form: 'text' };
  } catch {
    return { text: base64, form: 'base64' };
  }
}
