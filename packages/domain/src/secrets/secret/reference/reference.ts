/** A secret by its place: how references name what they refer to. */
export interface Target {
  readonly environment: string;
  readonly path: string;
  readonly key: string;
}

/** Where a value stands, from which its references without a place start. */
export type Origin = Pick<Target, 'environment' | 'path'>;

const REFERENCE = /\$\{([A-Za-z0-9_.-]+)\}/g;

/**
 * What a reference's text refers to: `KEY` in the same folder, `env.KEY` at the root of an environment,
 * `env.folder.sub.KEY` below it. Folders and keys with a dot in their name cannot be referred to.
 */
export function parseReference(text: string, { environment, path }: Origin): Target | undefined {
  const parts = text.split('.');
  if (parts.includes('')) return undefined;
  const key = parts.pop()!;
  const [otherEnvironment, ...folders] = parts;
  return otherEnvironment === undefined
    ? { environment, path, key }
    : { environment: otherEnvironment, path: `/${folders.join('/')}`, key };
}

/** All that a value refers to. */
export function referencesIn(value: string, origin: Origin): Target[] {
  if (!value.includes('${')) return [];
  return [...value.matchAll(REFERENCE)].flatMap(([, text]) => parseReference(text!, origin) ?? []);
}

/** Writes something else in the place of each reference; `undefined` leaves it as it is. */
export const replaceReferences = (
  value: string,
  origin: Origin,
  replace: (target: Target, text: string) => string | undefined,
): string =>
  value.replace(REFERENCE, (whole, text: string) => {
    const target = parseReference(text, origin);
    return (target && replace(target, text)) ?? whole;
  });

/** A reference to a target, as short as it can be written at its origin: `${KEY}` or `${env.folder.KEY}`. */
export function writeReference(target: Target, origin: Origin): string {
  if (target.environment === origin.environment && target.path === origin.path) return `\${${target.key}}`;
  const folders = target.path.split('/').filter(Boolean);
  return `\${${[target.environment, ...folders, target.key].join('.')}}`;
}

/** One text for each target, for maps and messages: `dev/folder/KEY`. */
export const targetKey = ({ environment, path, key }: Target): string =>
  `${environment}${path === '/' ? '' : path}/${key}`;
