import { badRequest } from '../../../kernel/index.ts';
import { RESERVED } from '../../coverage/index.ts';
import { MAX_PATH } from '../../folder/index.ts';

/** A secret by its location: the form of references. */
export interface Target {
  readonly environment: string;
  readonly path: string;
  readonly key: string;
}

/** The location of a value, to which references without a location are relative. */
export type Origin = Pick<Target, 'environment' | 'path'>;

/** The target of a reference; `isLocal` if it is written without a location. */
export interface Reference extends Target {
  readonly isLocal: boolean;
  /** As written in the value, such as `${env.KEY}`. */
  readonly text: string;
}

const REFERENCE = /\$\{([A-Za-z0-9_.-]+)\}/g;

/** A longer text cannot be a name. */
const MAX_KEY = 255;
const MAX_ENVIRONMENT = 64;

/**
 * The target of a reference's text: `KEY` in the same folder, `env.KEY` at the root of an environment,
 * `env.folder.sub.KEY` below it. Folders and keys with a dot in their name cannot be referenced, nor can folders of
 * replication. Text that cannot be the name of a secret is not a reference.
 */
function parseReference(text: string, { environment, path }: Origin): Reference | undefined {
  const written = `\${${text}}`;
  const parts = text.split('.');
  const key = parts.pop()!;
  if (key === '' || key.length > MAX_KEY || parts.includes('')) return undefined;
  const [otherEnvironment, ...folders] = parts;
  if (otherEnvironment === undefined) return { environment, path, key, isLocal: true, text: written };
  const otherPath = `/${folders.join('/')}`;
  return otherEnvironment.length > MAX_ENVIRONMENT || otherPath.length > MAX_PATH || otherPath.includes(`/${RESERVED}`)
    ? undefined
    : { environment: otherEnvironment, path: otherPath, key, isLocal: false, text: written };
}

/** Whether a value can refer to anything at all. */
export const mayRefer = (value: string): boolean => value.includes('${');

const REFERABLE = /^[A-Za-z0-9_-]+$/;

/** The references of a value, in order; equal texts are parsed once. */
export function* eachReference(value: string, origin: Origin): Generator<{ reference: Reference; index: number }> {
  if (!mayRefer(value)) return;
  const known = new Map<string, Reference | undefined>();
  for (const { 1: text, index } of value.matchAll(REFERENCE)) {
    if (!known.has(text!)) known.set(text!, parseReference(text!, origin));
    const reference = known.get(text!);
    if (reference) yield { reference, index };
  }
}

/** All that a value refers to, each once. */
export function referencesIn(value: string, origin: Origin): Reference[] {
  const found = new Set<Reference>();
  for (const { reference } of eachReference(value, origin)) found.add(reference);
  return [...found];
}

/**
 * Replaces each reference; `replace` is asked once for equal texts, and leaves what it answers `undefined` for unchanged.
 * Returns `undefined` if the result has more than `most` characters: names can be longer than what they replace.
 */
export function replaceReferences(
  value: string,
  origin: Origin,
  replace: (reference: Reference) => string | undefined,
  most: number,
): string | undefined {
  const known = new Map<string, string | undefined>();
  let result = '';
  let end = 0;
  for (const { 0: whole, 1: text, index } of value.matchAll(REFERENCE)) {
    if (!known.has(text!)) {
      const reference = parseReference(text!, origin);
      known.set(text!, reference && replace(reference));
    }
    const replaced = known.get(text!);
    if (replaced === undefined) continue;
    result += value.slice(end, index) + replaced;
    end = index + whole.length;
    if (result.length > most) return undefined;
  }
  result += value.slice(end);
  return result.length > most ? undefined : result;
}

/**
 * The shortest reference to a target from its origin: `${KEY}` or `${env.folder.KEY}`.
 *
 * @throws DomainError 400 `secret.not_referable` for a key that cannot be referenced.
 */
export function writeReference(target: Target, origin: Origin): string {
  if (!REFERABLE.test(target.key)) {
    throw badRequest(
      'secret.not_referable',
      `Other secrets refer to this one. Its name can have only letters, digits, - and _, unlike ${target.key}`,
    );
  }
  if (target.environment === origin.environment && target.path === origin.path) return `\${${target.key}}`;
  const folders = target.path.split('/').filter(Boolean);
  return `\${${[target.environment, ...folders, target.key].join('.')}}`;
}

/** A canonical text for each target, for maps and messages: `dev/folder/KEY`. */
export const targetKey = ({ environment, path, key }: Target): string =>
  `${environment}${path === '/' ? '' : path}/${key}`;
