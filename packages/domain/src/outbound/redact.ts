/** Maximum length of a remote's text that is shown and stored. Published: the maximum of `statusDetails`. */
const MOST_SHOWN = 255;
/** The maximum length of a message that is worth reading. */
const MOST_READ = 1024;
/** Shorter texts occur everywhere: redacting them would disclose more, and leave nothing readable. */
const SHORTEST = { credential: 3, value: 4 } as const;
/** So many characters of a secret in a row are not shown either: who quotes it may cut it off. */
const PART = 8;
const HIDDEN = '[hidden]';

/** What must not be heard. */
export interface SensitiveTexts {
  /** Of these no part is shown either. */
  readonly credentials: Iterable<string>;
  /** For long secrets, every quoted part that contains one complete block of them. */
  readonly values?: Iterable<string>;
}

/**
 * A remote's text for display and storage: without secrets, complete, partial or in an encoding in which the remote may
 * quote them; in one line, and truncated to 255 characters.
 */
export function redact(words: string, { credentials, values = [] }: SensitiveTexts): string {
  const said = new RedactedText(words.slice(0, MOST_READ));
  for (const credential of credentials) {
    if (credential.length < SHORTEST.credential) continue;
    for (const form of formsOf(credential)) {
      said.hide(form);
      said.hideParts(form, 1);
    }
  }
  for (const value of values) {
    if (value.length < SHORTEST.value) continue;
    if (value.length <= MOST_READ) for (const form of formsOf(value)) said.hide(form);
    said.hideParts(value, PART);
  }
  const line = said.shown.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ').trim();
  return line.length <= MOST_SHOWN ? line : `${line.slice(0, MOST_SHOWN - 1)}…`;
}

/** A text with hidden characters, all removed at the end: a hidden part matches only the original text. */
class RedactedText {
  readonly #text: string;
  readonly #hidden: Uint8Array;
  /** Every part, with its position. */
  readonly #parts = new Map<string, number[]>();

  constructor(text: string) {
    this.#text = text;
    this.#hidden = new Uint8Array(text.length);
    for (let at = 0; at + PART <= text.length; at++) {
      const part = text.slice(at, at + PART);
      const places = this.#parts.get(part);
      if (places) places.push(at);
      else this.#parts.set(part, [at]);
    }
  }

  hide(secret: string): void {
    const { length } = secret;
    for (let at = this.#text.indexOf(secret); at !== -1; at = this.#text.indexOf(secret, at + 1))
      this.#hidden.fill(1, at, at + length);
  }

  /**
   * Hides text that contains a part of a secret, extended in both directions as far as it matches. One part begins
   * every given number of characters.
   */
  hideParts(secret: string, every: number): void {
    for (let at = 0; at + PART <= secret.length; at += every) this.#hidePart(secret, at);
  }

  #hidePart(secret: string, at: number): void {
    const part = secret.slice(at, at + PART);
    const places = this.#parts.get(part);
    if (!places) return;
    for (const place of places) this.#hideAround(secret, at, place);
    // A part that is completely hidden already is skipped.
    const isOpen = (place: number) => this.#hidden.subarray(Math.max(0, place - PART), place + 2 * PART).includes(0);
    const open = places.filter(isOpen);
    if (open.length > 0) this.#parts.set(part, open);
    else this.#parts.delete(part);
  }

  /** On both sides less than a block: the next block is found separately. */
  #hideAround(secret: string, at: number, place: number): void {
    const text = this.#text;
    let [from, to] = [0, PART];
    while (from > 1 - PART && at + from > 0 && place + from > 0 && secret[at + from - 1] === text[place + from - 1])
      from--;
    while (
      to < 2 * PART - 1 &&
      at + to < secret.length &&
      place + to < text.length &&
      secret[at + to] === text[place + to]
    )
      to++;
    this.#hidden.fill(1, place + from, place + to);
  }

  get shown(): string {
    let shown = '';
    for (let at = 0; at < this.#text.length; at++) {
      if (!this.#hidden[at]) shown += this.#text[at];
      else if (!this.#hidden[at - 1]) shown += HIDDEN;
    }
    return shown;
  }
}

/** The encodings in which remotes repeat their input: quoted by database languages, escaped, encoded. */
const formsOf = (text: string): Set<string> =>
  new Set([
    text,
    text.replaceAll("'", "''"),
    text.replaceAll('"', '""'),
    text.replaceAll('\\', '\\\\'),
    text.replaceAll('\\', '\\\\').replaceAll("'", "''"),
    text.replaceAll('\\', '\\\\').replaceAll("'", "\\'"),
    JSON.stringify(text).slice(1, -1),
    encodeURIComponent(text.toWellFormed()),
    new URLSearchParams([['', text]]).toString().slice(1),
    Buffer.from(text).toString('base64').replace(/=+$/, ''),
    Buffer.from(text).toString('base64url'),
    Buffer.from(text).toString('hex'),
  ]);
