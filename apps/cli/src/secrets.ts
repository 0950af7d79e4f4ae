import type { CofferClient, Inputs, Outputs } from '@coffer/client';
import type { Io } from './io.ts';
import type { Place } from './place.ts';
import { text, toggle, type Flags, type Values } from './table/command.ts';

/** Flags of commands that read secrets. */
export const readFlags = {
  expand: toggle(true, 'resolve references to other secrets'),
  'include-imports': toggle(true, 'include imported secrets'),
  recursive: toggle(false, 'include the folders below'),
  'secret-overriding': toggle(true, 'personal values replace shared ones'),
  tags: text('only secrets with one of these tags: slugs, separated by commas', { short: 't' }),
} as const satisfies Flags;

/** Flags of commands that can read secrets without the server. */
export const cachedReadFlags = {
  ...readFlags,
  'offline-cache': toggle(
    true,
    'use the values of the last read while the server is unreachable, where the project allows it and there is a key',
  ),
} as const satisfies Flags;

/** Events of changes to secrets. */
export const SECRET_EVENTS = ['secret:create', 'secret:update', 'secret:delete', 'secret:import-mutation'] as const;

/** A secret of a list. */
export type Listed = Outputs['secrets']['list']['secrets'][number];

/** A secret as a program gets it. */
export type Secret = Pick<
  Listed,
  'secretKey' | 'secretValue' | 'type' | 'id' | 'secretPath' | 'secretComment' | 'skipMultilineEncoding' | 'workspace'
> & { readonly tags: readonly { readonly id: string; readonly slug: string; readonly name: string }[] };

/**
 * Lists the secrets of folders, by name: a later folder replaces an earlier one, a folder its imports, and of imports the
 * last one wins.
 */
export async function listByName(
  client: CofferClient,
  places: readonly Place[],
  flags: Pick<Values<typeof readFlags>, 'include-imports' | 'recursive' | 'tags'>,
  more: Omit<Inputs['secrets']['list'], keyof Place> = {},
): Promise<Listed[]> {
  const { recursive, tags } = flags;
  const options = { includeImports: flags['include-imports'], recursive, ...(tags && { tagSlugs: tags }), ...more };
  const answers = await Promise.all(places.map((place) => client.secrets.list.query({ ...place, ...options })));
  const byName = new Map<string, Listed>();
  for (const { secrets, imports = [] } of answers)
    for (const secret of [...imports.flatMap((one) => one.secrets), ...secrets]) byName.set(secret.secretKey, secret);
  return [...byName.values()].toSorted((a, b) => (a.secretKey < b.secretKey ? -1 : 1));
}

/**
 * Reads the secrets of folders. Says which references could not be resolved, and leaves out, with a warning, the values that the
 * caller may not read.
 */
export async function readSecrets(
  client: CofferClient,
  places: readonly Place[],
  flags: Values<typeof readFlags>,
  io: Pick<Io, 'say'>,
): Promise<Secret[]> {
  const found = await listByName(client, places, flags, {
    expandSecretReferences: flags.expand,
    includePersonalOverrides: flags['secret-overriding'],
  });
  for (const secret of found) warnAbout(secret, io);
  return found.filter(({ secretValueHidden }) => !secretValueHidden);
}

export function warnAbout(
  { secretKey, secretValueHidden, secretReferenceErrors = [] }: Listed,
  io: Pick<Io, 'say'>,
): void {
  if (secretValueHidden) io.say('warn', `${secretKey} is left out: you may not read its value`);
  for (const { reference, message } of secretReferenceErrors)
    io.say('warn', `${secretKey}: ${reference} is not resolved: ${message}`);
}
