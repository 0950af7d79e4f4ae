import type { CofferClient, Outputs } from '@coffer/client';
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

type Listed = Outputs['secrets']['list']['secrets'][number];

/** A secret as a program gets it. */
export type Secret = Pick<
  Listed,
  'secretKey' | 'secretValue' | 'type' | 'id' | 'secretPath' | 'secretComment' | 'skipMultilineEncoding' | 'workspace'
> & { readonly tags: readonly { readonly id: string; readonly slug: string; readonly name: string }[] };

/**
 * Reads the secrets of folders, by name: a later folder replaces an earlier one, a folder its imports, and of imports the
 * last one wins. Says which references could not be resolved, and which values the caller may not read.
 */
export async function readSecrets(
  client: CofferClient,
  places: readonly Place[],
  flags: Values<typeof readFlags>,
  io: Pick<Io, 'say'>,
): Promise<Secret[]> {
  const options = {
    expandSecretReferences: flags.expand,
    includeImports: flags['include-imports'],
    recursive: flags.recursive,
    includePersonalOverrides: flags['secret-overriding'],
    ...(flags.tags && { tagSlugs: flags.tags }),
  };
  const answers = await Promise.all(places.map((place) => client.secrets.list.query({ ...place, ...options })));
  const byName = new Map<string, Listed>();
  for (const { secrets, imports = [] } of answers)
    for (const secret of [...imports.flatMap((one) => one.secrets), ...secrets]) byName.set(secret.secretKey, secret);
  const found = [...byName.values()].toSorted((a, b) => (a.secretKey < b.secretKey ? -1 : 1));
  for (const secret of found) warnAbout(secret, io);
  return found.filter(({ secretValueHidden }) => !secretValueHidden);
}

function warnAbout({ secretKey, secretValueHidden, secretReferenceErrors = [] }: Listed, io: Pick<Io, 'say'>): void {
  if (secretValueHidden) io.say('warn', `${secretKey} is left out: you may not read its value`);
  for (const { reference, message } of secretReferenceErrors)
    io.say('warn', `${secretKey}: ${reference} is not resolved: ${message}`);
}
