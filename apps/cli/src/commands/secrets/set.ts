import type { CofferClient } from '@coffer/client';
import { waitsForApproval } from '../../approval.ts';
import { failure, usage } from '../../exit.ts';
import { pathOf, readText } from '../../files.ts';
import { parseDotenv } from '../../format/parse-dotenv.ts';
import { formOf, render } from '../../format/output.ts';
import { tableOf } from '../../format/table.ts';
import type { Io } from '../../io.ts';
import { placeOfCommand, type Place } from '../../place.ts';
import { connect } from '../../session.ts';
import type { Action, Invocation } from '../../table/command.ts';
import type { setFlags } from './flags.ts';

interface Change {
  readonly secretKey: string;
  readonly secretValue: string;
  readonly operation: 'SECRET CREATED' | 'SECRET VALUE MODIFIED' | 'SECRET VALUE UNCHANGED';
}

export const setSecrets: Action<typeof setFlags> = async (invocation) => {
  const { flags, io } = invocation;
  const wanted = await valuesOf(invocation);
  const client = await connect(invocation);
  const place = await placeOfCommand(invocation, client);
  const changes = compare(wanted, await present(client, place, flags.type));
  // What the form cannot hold is an error before anything is changed.
  const result = await shown(changes, invocation);
  if (flags['dry-run']) io.say('info', 'Nothing was changed');
  else await write(client, place, changes, invocation);
  io.write(result);
};

/** The values by name: of arguments, or of a file. @throws CommandError for what is no pair. */
async function valuesOf({ flags, args, io }: Invocation<typeof setFlags>): Promise<ReadonlyMap<string, string>> {
  if (flags.file !== undefined && args.length) throw usage('Pass either --file or NAME=value, not both');
  if (flags.file !== undefined) return fromFile(readText(pathOf(flags.file, io.cwd)), flags.file);
  if (!args.length)
    throw usage('coffer secrets set needs NAME=value', 'For example: coffer secrets set API_KEY=@key.txt');
  const all = new Map<string, string>();
  for (const word of args) all.set(...(await pairOf(word, io)));
  return all;
}

async function pairOf(word: string, io: Io): Promise<[string, string]> {
  const [, name, value] = /^([^=]+)=([^]*)$/.exec(word) ?? [];
  if (!name || value === undefined) throw usage(`${word} is no pair: write NAME=value, or NAME=@path`);
  if (value === '-') return [name, (await io.readInput()).replace(/\r?\n$/, '')];
  if (value.startsWith('@')) return [name, readText(pathOf(value.slice(1), io.cwd))];
  return [name, value.startsWith(String.raw`\@`) ? value.slice(1) : value];
}

async function fromFile(text: string, path: string): Promise<ReadonlyMap<string, string>> {
  if (!/\.ya?ml$/i.test(path)) return parseDotenv(text);
  const parsed = await parseYaml(text);
  if (typeof parsed !== 'object' || !parsed || Array.isArray(parsed))
    throw failure(`${path} holds no names with values`);
  return new Map(
    Object.entries(parsed).map(([name, value]) => {
      if (typeof value !== 'string') throw failure(`${path}: ${name} is no text`);
      return [name, value];
    }),
  );
}

/** YAML with numbers and booleans as they are written: `0042` and `1.10` are values of secrets. @throws YAMLParseError */
async function parseYaml(text: string): Promise<unknown> {
  const { parseDocument, visit } = await import('yaml');
  const document = parseDocument(text);
  const [fault] = document.errors;
  if (fault) throw fault;
  visit(document, {
    Scalar: (_at, node) => {
      if (node.type === 'PLAIN' && node.value !== null) node.value = node.source;
    },
  });
  return document.toJS();
}

/** What is there now, by name; values only where they may be read. */
async function present(
  client: CofferClient,
  place: Place,
  type: string,
): Promise<ReadonlyMap<string, string | undefined>> {
  const { secrets } = await client.secrets.list.query({ ...place, includePersonalOverrides: type === 'personal' });
  return new Map(
    secrets
      .filter((secret) => type === 'shared' || secret.type === type)
      .map(({ secretKey, secretValue, secretValueHidden }) => [secretKey, secretValueHidden ? undefined : secretValue]),
  );
}

const compare = (wanted: ReadonlyMap<string, string>, there: ReadonlyMap<string, string | undefined>): Change[] =>
  [...wanted].map(([secretKey, secretValue]) => {
    const operation = !there.has(secretKey)
      ? 'SECRET CREATED'
      : there.get(secretKey) === secretValue
        ? 'SECRET VALUE UNCHANGED'
        : 'SECRET VALUE MODIFIED';
    return { secretKey, secretValue, operation };
  });

/** Writes what differs. */
async function write(
  client: CofferClient,
  place: Place,
  changes: readonly Change[],
  { flags, io }: Invocation<typeof setFlags>,
): Promise<void> {
  const tagIds = await Promise.all(flags.tag.map((slug) => tagId(client, place.projectId, slug)));
  const tagged = tagIds.length ? { tagIds } : {};
  const differing = changes.filter(({ operation }) => operation !== 'SECRET VALUE UNCHANGED' || tagIds.length);
  if (!differing.length) return;
  if (flags.type === 'personal') return writePersonal(client, place, differing);
  const secrets = differing.map(({ secretKey, secretValue }) => ({ secretKey, secretValue, ...tagged }));
  waitsForApproval(await client.secrets.updateMany.mutate({ ...place, mode: 'upsert', secrets }), io);
}

/** Personal values have no batch. */
async function writePersonal(client: CofferClient, place: Place, changes: readonly Change[]): Promise<void> {
  for (const { secretKey: secretName, secretValue, operation } of changes) {
    const input = { ...place, secretName, secretValue, type: 'personal' as const };
    await (operation === 'SECRET CREATED' ? client.secrets.create.mutate(input) : client.secrets.update.mutate(input));
  }
}

async function tagId(client: CofferClient, projectId: string, tagSlug: string): Promise<string> {
  const { workspaceTag } = await client.tags.getBySlug.query({ projectId, tagSlug });
  return workspaceTag.id;
}

async function shown(changes: readonly Change[], { flags, io }: Invocation<typeof setFlags>): Promise<string> {
  const form = formOf(flags);
  const valueOf = ({ secretValue }: Change) => (flags['show-values'] ? secretValue : '***');
  if (form) {
    const records = changes.map((one) => ({
      secretKey: one.secretKey,
      secretValue: valueOf(one),
      operation: one.operation,
    }));
    return render(form, records, io, { pair: ['secretKey', 'secretValue'] });
  }
  return tableOf(
    ['SECRET NAME', 'SECRET VALUE', 'STATUS'],
    changes.map((one) => [one.secretKey, valueOf(one), one.operation]),
  );
}
