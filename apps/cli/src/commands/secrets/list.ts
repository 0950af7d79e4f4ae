import { EXIT } from '../../exit.ts';
import { formOf, render } from '../../format/output.ts';
import { printable } from '../../format/printable.ts';
import { tableOf } from '../../format/table.ts';
import { placeOfCommand } from '../../place.ts';
import { readCached } from '../../cache/read-cached.ts';
import type { Secret } from '../../secrets.ts';
import { openSession } from '../../session.ts';
import type { Action, Invocation } from '../../table/command.ts';
import type { getFlags, listFlags } from './flags.ts';

export const listSecrets: Action<typeof listFlags> = async (invocation) => {
  const { flags, io } = invocation;
  const secrets = await read(invocation);
  const form = formOf(flags);
  if (form) return io.write(await render(form, secrets.map(pairOf), io, dotenvOptions(invocation)));
  if (!flags.plain) return io.write(shown(secrets));
  io.write(secrets.map(({ secretKey, secretValue }) => `${printable(secretKey)}=${secretValue}\n`).join(''));
};

export const getSecrets: Action<typeof getFlags> = async (invocation) => {
  const { flags, io, args } = invocation;
  const secrets = await read(invocation);
  const found = args.map((name) => secrets.find(({ secretKey }) => secretKey === name));
  const missing = args.filter((_, index) => !found[index]);
  for (const name of missing) io.say('error', `There is no secret ${name} that you may read`);
  const present = found.filter((one) => one !== undefined);
  const form = formOf(flags);
  if (form) io.write(await render(form, present.map(pairOf), io, dotenvOptions(invocation)));
  else if (flags.plain || flags['raw-value']) io.write(present.map(({ secretValue }) => `${secretValue}\n`).join(''));
  else if (present.length) io.write(shown(present));
  return missing.length ? EXIT.failure : EXIT.done;
};

async function read(invocation: Invocation<typeof listFlags>): Promise<Secret[]> {
  const session = await openSession(invocation);
  return readCached(invocation, session, [await placeOfCommand(invocation, session.client)]);
}

const dotenvOptions = ({ flags }: Invocation<typeof listFlags>) =>
  ({ pair: ['secretKey', 'secretValue'], keepsLoaders: flags['loader-variables'] }) as const;
const pairOf = ({ secretKey, secretValue }: Secret) => ({ secretKey, secretValue });

const shown = (secrets: readonly Secret[]): string =>
  tableOf(
    ['SECRET NAME', 'SECRET VALUE', 'SECRET TYPE'],
    secrets.map(({ secretKey, secretValue, type }) => [secretKey, secretValue, type]),
  );
