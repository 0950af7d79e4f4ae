import { outputFlags } from '../../format/output.ts';
import { placeFlags, projectFlags } from '../../place.ts';
import { cachedReadFlags, readFlags } from '../../secrets.ts';
import { list, text, textOr, toggle, type Flags } from '../../table/command.ts';
import { loaderFlags } from '../../variables.ts';

export const listFlags = {
  ...placeFlags,
  ...cachedReadFlags,
  ...outputFlags,
  ...loaderFlags,
  plain: toggle(false, 'print NAME=value lines, or with get only the values'),
} as const satisfies Flags;

export const getFlags = {
  ...listFlags,
  'raw-value': toggle(false, 'a legacy name of --plain'),
} as const satisfies Flags;

const typeOf = (value: 'shared' | 'personal') =>
  textOr(value, 'shared secrets, or personal values over them', { choices: ['shared', 'personal'] });

export const setFlags = {
  ...placeFlags,
  ...outputFlags,
  type: typeOf('shared'),
  file: text('file with NAME=value lines, or YAML, in place of arguments', { placeholder: 'path', byCaller: true }),
  tag: list('slug of a tag for the secrets; can be repeated', { placeholder: 'slug' }),
  'show-values': toggle(false, 'print the values that were set'),
  'dry-run': toggle(false, 'print what would change, and change nothing'),
} as const satisfies Flags;

export const deleteFlags = {
  ...placeFlags,
  ...outputFlags,
  type: typeOf('personal'),
  'dry-run': toggle(false, 'print what would be deleted, and delete nothing'),
} as const satisfies Flags;

export const exampleFlags = { ...placeFlags, tags: readFlags.tags } as const satisfies Flags;

export const diffFlags = {
  ...projectFlags,
  ...outputFlags,
  env: textOr('dev', 'environment of places without one', { short: 'e' }),
  expand: readFlags.expand,
  'include-imports': readFlags['include-imports'],
  recursive: readFlags.recursive,
  'secret-overriding': toggle(false, 'personal values replace shared ones'),
  tags: readFlags.tags,
  'show-values': toggle(false, 'print the values that differ'),
} as const satisfies Flags;
