import type { JWTPayload } from 'jose';
import { countNodes, isSpecific, readGlob, type Glob } from '../../../access/index.ts';
import { badRequest, forbidden, unauthenticated } from '../../../kernel/index.ts';
import { entriesOf } from '../fields.ts';
import type { BoundFields } from './bound.ts';

/** Characters, of all claims that are mapped: as much as a token has. */
const MAX_MAPPED = 20_000;

/** Of all bindings of a method, with alternatives expanded: they are compiled and matched in one turn of the event loop. */
const MAX_GLOBS = 10_000;

/** @throws DomainError 401 where a list is given and none of its globs matches an audience. */
export function requireAudience({ aud }: JWTPayload, audiences: string): void {
  if (audiences !== '' && !matches(aud, globsOf(audiences)))
    throw unauthenticated('proof.audience', 'The token has another audience');
}

/** @throws DomainError 403 where a glob is given and does not match the subject. */
export function requireSubject({ sub }: JWTPayload, subject: string): void {
  if (subject !== '' && !(typeof sub === 'string' && matches(sub, [readGlob(subject)])))
    throw forbidden('proof.subject', 'The subject of this token may not log in');
}

/** @throws DomainError 403 where an issuer is given and the token's is not the same to the letter. */
export function requireIssuer({ iss }: JWTPayload, issuer: string): void {
  if (issuer !== '' && iss !== issuer) throw forbidden('proof.issuer', 'The issuer of this token is not accepted');
}

/**
 * Every bound claim, by its path, must match one of the globs of its list.
 *
 * @throws DomainError 401 with the first that does not.
 */
export function requireBoundClaims(claims: JWTPayload, bound: Readonly<Record<string, string>>): void {
  for (const [path, list] of Object.entries(bound))
    if (!matches(claimAt(claims, path), globsOf(list)))
      throw unauthenticated('proof.claim', `The claim ${path} of this token is not allowed to log in`);
}

/**
 * The mapped claims, by their names, as texts.
 *
 * @throws DomainError 401 if the token lacks one, or they are too long.
 */
export function mapClaims(claims: JWTPayload, mapping: Readonly<Record<string, string>>): Record<string, string> {
  const mapped = Object.entries(mapping).map(([name, path]) => {
    const value = claimAt(claims, path);
    const texts = textsOf(value);
    const text = Array.isArray(value) ? texts.join(',') : texts[0];
    if (!text || text.includes('\0') || !text.isWellFormed())
      throw unauthenticated('proof.claim', `The token has no usable claim ${path}`);
    return [name, text] as const;
  });
  if (mapped.reduce((sum, [, text]) => sum + text.length, 0) > MAX_MAPPED)
    throw unauthenticated('proof.claim', `The mapped claims of this token have more than ${MAX_MAPPED} characters`);
  return Object.fromEntries(mapped);
}

/**
 * That globs can be read, before they are stored.
 *
 * @throws DomainError 400, naming the field.
 */
export function requireReadable({ boundAudiences, boundSubject, boundClaims }: BoundFields): void {
  const globs = [boundAudiences, ...Object.values(boundClaims)].flatMap(entriesOf);
  const size = [boundSubject, ...globs].reduce((sum, glob) => sum + Math.max(glob.length, countNodes(glob)), 0);
  if (size > MAX_GLOBS)
    throw badRequest(
      'auth_method.too_many_globs',
      `The globs of all bindings can have at most ${MAX_GLOBS} characters together, with their alternatives expanded`,
    );
  within('boundAudiences', () => globsOf(boundAudiences));
  within('boundSubject', () => readGlob(boundSubject));
  for (const [path, list] of Object.entries(boundClaims)) within(`boundClaims.${path}`, () => globsOf(list));
}

/**
 * Claims about the token, its issuer and the login, which say nothing of whose it is (RFC 7519, section 4.1; OpenID Connect Core,
 * sections 2 and 5.1), also those that Cognito, Entra, Keycloak and Okta add.
 */
const NO_BINDING: readonly string[] = [
  ...['iss', 'exp', 'nbf', 'iat', 'jti', 'auth_time', 'nonce', 'acr', 'amr', 'at_hash', 'c_hash', 'sid'],
  ...['email_verified', 'phone_number_verified', 'updated_at', 'locale', 'zoneinfo', 's_hash', 'cnf'],
  ...['token_use', 'token_type', 'typ', 'ver', 'idtyp', 'session_state'],
];

/**
 * The fields that are bindings; nothing is compiled for it, because a login asks this before any proof. A glob that matches
 * anything is not, nor is the issuer, who issues tokens to others, too.
 */
export const boundFieldsOf = ({ boundSubject, boundClaims, boundAudiences }: BoundFields) => ({
  boundSubject: boundSubject !== '' && isSpecific(boundSubject),
  boundClaims: Object.entries(boundClaims).some(([path, list]) => bindsBy(path) && areSpecific(list)),
  boundAudiences: areSpecific(boundAudiences),
});

/** What is in a claim, such as an element of its list, is as much as the claim. */
const bindsBy = (path: string): boolean => !NO_BINDING.includes(path.split('.', 1)[0]!);

const areSpecific = (list: string) => entriesOf(list).length > 0 && entriesOf(list).every(isSpecific);

function within(field: string, read: () => unknown): void {
  try {
    read();
  } catch (error) {
    throw badRequest('auth_method.bad_glob', `${field}: ${(error as Error).message}`);
  }
}

const globsOf = (list: string) => entriesOf(list).map(readGlob);

const matches = (value: unknown, globs: readonly Glob[]): boolean =>
  textsOf(value).some((text) => globs.some((glob) => glob.matches(text)));

/** The values of a claim: one, or any of a list. An object has none. */
function textsOf(value: unknown): string[] {
  const said: unknown[] = Array.isArray(value) ? value : [value];
  return said.flatMap((one) => (isText(one) ? [String(one)] : []));
}

/** An integer beyond 2^53 is not the one that the token has: different ones are read as one number. */
const isText = (one: unknown): boolean =>
  typeof one === 'number'
    ? Number.isFinite(one) && (Number.isSafeInteger(one) || !Number.isInteger(one))
    : typeof one === 'string' || typeof one === 'boolean';

/**
 * The claim at a dotted path. Names may contain dots themselves (`kubernetes.io`), and the shortest existing name is
 * used: a claim that is added beside an object cannot replace one inside it.
 */
export function claimAt(holder: unknown, path: string): unknown {
  if (typeof holder !== 'object' || holder === null) return undefined;
  const claims = holder as Record<string, unknown>;
  for (let dot = path.indexOf('.'); dot >= 0; dot = path.indexOf('.', dot + 1)) {
    const name = path.slice(0, dot);
    if (has(claims, name)) return claimAt(claims[name], path.slice(dot + 1));
  }
  return has(claims, path) ? claims[path] : undefined;
}

/** Whether it has a claim of this name; a list has its elements, and no `length`. */
const has = (claims: object, name: string): boolean => Object.prototype.propertyIsEnumerable.call(claims, name);
