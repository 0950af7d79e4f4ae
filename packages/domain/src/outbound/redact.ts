import { WorkBudget } from '../kernel/index.ts';
import { RedactedText } from './redacted-text.ts';

/** Maximum length of a remote's text that is shown and stored. Published: the maximum of `statusDetails`. */
const MOST_SHOWN = 255;
/** The maximum length of a message that is worth reading. */
const MOST_READ = 1024;
/** Shorter texts occur everywhere: redacting them would disclose more, and leave nothing readable. */
const SHORTEST = { credential: 3, value: 4 } as const;
/** Parts of a secret that are looked for in one go, and their cost: then the clock is read. */
const PARTS = { count: 10_000, cost: 500 } as const;

/** The cost of a secret, and of looking for all of its forms. */
const [COST_OF_SECRET, COST_OF_FORMS] = [5, 100];

/** What must not be heard. */
export interface SensitiveTexts {
  /** Of these no part is shown either. */
  readonly credentials: Iterable<string>;
  /** For long secrets, every quoted part that contains one complete block of them. */
  readonly values?: Iterable<string>;
}

/**
 * A remote's text for display and storage: without secrets, complete, partial or in an encoding in which the remote may
 * quote them; in one line, and truncated to 255 characters. There may be any number of secrets, of any length: others
 * have their turns in between.
 */
export async function redact(words: string, { credentials, values = [] }: SensitiveTexts): Promise<string> {
  const said = new RedactedText(words.slice(0, MOST_READ));
  const work = new WorkBudget();
  for (const credential of credentials) {
    if (credential.length < SHORTEST.credential) continue;
    for (const form of formsOf(credential)) {
      said.hide(form);
      await hideParts(said, form, 1, work);
    }
  }
  for (const value of values) {
    if (value.length < SHORTEST.value) continue;
    if (mayQuote(said, value)) {
      for (const form of formsOf(value)) said.hide(form);
      work.spend(COST_OF_FORMS);
    }
    await hideParts(said, value, RedactedText.PART, work);
  }
  const line = said.shown.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ').trim();
  return line.length <= MOST_SHOWN ? line : `${line.slice(0, MOST_SHOWN - 1)}…`;
}

/** Hides text that contains a part of a secret. One part begins every given number of characters. */
async function hideParts(said: RedactedText, secret: string, every: number, work: WorkBudget): Promise<void> {
  const step = PARTS.count * every;
  for (let from = 0; from < secret.length; from += step) {
    const to = Math.min(from + step, secret.length);
    said.hideParts(secret, { from, to, every });
    await work.spendAndRest(COST_OF_SECRET + (PARTS.cost * (to - from)) / step);
  }
}

/** So many characters of a secret decide how its forms begin: a pair of surrogates may be cut off after them. */
const BEGINNING = RedactedText.START + 1;

/** Whether a text may contain a secret in one of its forms: none is shorter than the secret. Most begin like nothing in it. */
const mayQuote = (said: RedactedText, secret: string): boolean =>
  secret.length <= said.length && [...formsOf(secret.slice(0, BEGINNING))].some((form) => said.mayHold(form));

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
