/** A folder of an environment. */
export interface Origin {
  readonly environment: string;
  readonly secretPath: string;
}

interface OpenReference {
  /** Where its `${` is. */
  readonly start: number;
  /** What stands between that and the caret. */
  readonly typed: string;
  /** The part that is looked for: a name, or the place before it while no name is begun. */
  readonly search: string;
}

/** What a reference may have: see the references of the server. */
const PART = /^[A-Za-z0-9._-]*$/;
const REFERABLE = /^[A-Za-z0-9_-]+$/;

/** The reference that is being typed at the caret. */
export function openReference(text: string, caret: number): OpenReference | undefined {
  const start = text.lastIndexOf('${', caret);
  if (start < 0 || start + 2 > caret) return undefined;
  const typed = text.slice(start + 2, caret);
  if (!PART.test(typed)) return undefined;
  const search = typed.slice(typed.lastIndexOf('.') + 1);
  return search === '' ? undefined : { start, typed, search };
}

/** How a value at `origin` refers to a secret: by its name alone in the same folder. `undefined` where no reference can. */
export function writtenReference(
  { environment, secretPath, secretKey }: Origin & { readonly secretKey: string },
  origin: Origin,
): string | undefined {
  if (!REFERABLE.test(secretKey)) return undefined;
  if (environment === origin.environment && secretPath === origin.secretPath) return secretKey;
  return [environment, ...secretPath.split('/').filter(Boolean), secretKey].join('.');
}
