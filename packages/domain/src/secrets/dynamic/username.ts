import { randomInt } from 'node:crypto';
import { badRequest, fillTemplate, placeholdersIn, readTemplate, type TextTemplate } from '../../kernel/index.ts';

/** The rules of a target for names of logins. */
export interface UsernameRules {
  readonly maxLength: number;
  /** A permitted character, such as `/[A-Za-z0-9_]/`. No quotes, blanks or backslashes. */
  readonly alphabet: RegExp;
}

/** The values for templates. */
export interface UsernameFacts {
  /** The actor that requests the lease. */
  readonly identityName: string;
  readonly now: Date;
}

const USUAL = '{{randomUsername}}';
const ALPHANUMERIC = 'abcdefghijklmnopqrstuvwxyz0123456789';
/** Of `randomUsername`: 123 bits. */
const RANDOM_LENGTH = 24;
/** Minimum of random characters in a name: 41 bits, so that no two logins of one target share a name. */
const LEAST_RANDOM = 8;
const UNIX_TIMESTAMP_LENGTH = 10;

type Change = (text: string) => string;

interface Variable {
  readonly name: 'random' | 'unixTimestamp' | 'identity.name';
  /** The number of random characters. */
  readonly length: number;
  readonly change: Change;
}
type UsernameTemplate = TextTemplate<Variable>;

/**
 * Templates of names are text with `{{randomUsername}}`, `{{random 12}}` (so many letters and digits),
 * `{{unixTimestamp}}` (seconds) and `{{identity.name}}` (the requester of the lease), the last also as `{{truncate
 * identity.name 8}}`, `{{lowercase identity.name}}` and `{{uppercase identity.name}}`.
 *
 * @throws DomainError 400 if a template has other placeholders, or its names would be invalid for the target or not
 * random enough.
 */
export function requireTemplate(template: string, rules: UsernameRules): void {
  const pieces = readUsername(template);
  const literal = fillTemplate(pieces, () => '');
  const strange = Array.from(literal).find((character) => !rules.alphabet.test(character));
  if (strange !== undefined) throw refused(`user names cannot contain ${JSON.stringify(strange)}`);
  const random = placeholdersIn(pieces).reduce((sum, { length }) => sum + length, 0);
  if (random < LEAST_RANDOM) throw refused(`it needs {{randomUsername}} or at least {{random ${LEAST_RANDOM}}}`);
  const least = fixedLength(pieces);
  if (least > rules.maxLength) throw refused(`a user name has at most ${rules.maxLength} characters, not ${least}`);
}

/** A name by a template that `requireTemplate` took. */
export function makeUsername(template: string | null, rules: UsernameRules, facts: UsernameFacts): string {
  const pieces = readUsername(template ?? USUAL);
  const names = placeholdersIn(pieces).filter((variable) => variable.name === 'identity.name').length;
  const room = Math.max(0, Math.floor((rules.maxLength - fixedLength(pieces)) / Math.max(1, names)));
  const name = Array.from(facts.identityName)
    .filter((character) => rules.alphabet.test(character))
    .join('');
  return fillTemplate(pieces, (variable) => {
    if (variable.name === 'random') return variable.change(randomText(variable.length));
    if (variable.name === 'unixTimestamp') return String(Math.floor(facts.now.getTime() / 1000));
    return variable.change(name).slice(0, room);
  }).slice(0, rules.maxLength);
}

/** Begins with a letter. */
const randomText = (length: number): string =>
  Array.from({ length }, (_, i) => ALPHANUMERIC[randomInt(i === 0 ? 26 : 36)]).join('');

const fixedLength = (pieces: UsernameTemplate): number =>
  pieces.reduce((sum, piece) => {
    if (typeof piece === 'string') return sum + piece.length;
    return sum + (piece.name === 'unixTimestamp' ? UNIX_TIMESTAMP_LENGTH : piece.length);
  }, 0);

function readUsername(template: string): UsernameTemplate {
  const pieces = readTemplate(template, ({ expression, end }) =>
    end === undefined ? undefined : readVariable(expression),
  );
  const hasBraces = pieces.some((piece) => typeof piece === 'string' && /\{\{|\}\}/.test(piece));
  if (hasBraces) throw refused('a brace is not closed');
  return pieces;
}

const same: Change = (text) => text;

function readVariable(expression: string): Variable {
  const [first = '', second, third, ...more] = expression.split(/\s+/);
  const isName = second === 'identity.name' && more.length === 0;
  const count = (text = '') => (/^[1-9]\d?$/.test(text) ? Number(text) : undefined);
  if (expression === 'randomUsername') return { name: 'random', length: RANDOM_LENGTH, change: same };
  if (expression === 'unixTimestamp') return { name: 'unixTimestamp', length: 0, change: same };
  if (expression === 'identity.name') return { name: 'identity.name', length: 0, change: same };
  if (first === 'random' && third === undefined && count(second))
    return { name: 'random', length: count(second)!, change: same };
  if (first === 'truncate' && isName && count(third))
    return { name: 'identity.name', length: 0, change: (text) => text.slice(0, count(third)) };
  if (first === 'lowercase' && isName && third === undefined)
    return { name: 'identity.name', length: 0, change: (text) => text.toLowerCase() };
  if (first === 'uppercase' && isName && third === undefined)
    return { name: 'identity.name', length: 0, change: (text) => text.toUpperCase() };
  throw refused(`it does not know {{${expression.slice(0, 50)}}}`);
}

const refused = (why: string) => badRequest('dynamic_secret.username_template', `usernameTemplate: ${why}`);
