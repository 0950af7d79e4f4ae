// Writes the guides and generated rows of families into the pages of docs/, and lists of their inputs, which
// `@coffer/domain/schemas` exports without the members themselves: `pnpm pages`. With --check it writes nothing, and
// fails if something is out of date. A comment with its name marks each generated block of a page.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { helpOf, isOffered } from '../apps/cli/src/help.ts';
import { table } from '../apps/cli/src/table/table.ts';
import { authMethods } from '../packages/domain/src/identities/auth-method/registry.ts';
import { connectors, rotations, syncs } from '../packages/domain/src/connections/registry.ts';
import { pkiSyncs } from '../packages/domain/src/pki/sync/registry.ts';
import { providers } from '../packages/domain/src/secrets/dynamic/registry.ts';

const DOMAIN = new URL('../packages/domain/src/', import.meta.url);
const DOCS = new URL('../docs/', import.meta.url);
const BLOCK = /(<!-- from [^>]*scripts\/pages\.mjs: ([a-z ]+) -->\n\n)[^]*?(<!-- end -->)/g;

/** The guides of the members of a family, in their folders. */
const guides = (folder, names, file = 'guide.md') =>
  names.map((name) => readFileSync(new URL(`${folder}/${name}/${file}`, DOMAIN), 'utf8')).join('\n');

/** As providers are published. */
const PUBLISHED_PROVIDERS = [
  ...[
    'sql-database',
    'aws-iam',
    'redis',
    'mongo-db',
    'rabbit-mq',
    'ldap',
    'totp',
    'kubernetes',
    'cassandra',
    'sap-ase',
  ],
  ...['sap-hana', 'aws-elasticache', 'mongo-db-atlas', 'elastic-search', 'azure-entra-id', 'snowflake', 'vertica'],
  ...['gcp-iam', 'github', 'couchbase'],
];
const listed = (names) => names.map((name) => `\`${name}\``).join(', ');

function offeredProviders() {
  const missing = PUBLISHED_PROVIDERS.filter((name) => !providers.names.includes(name));
  return `Offered are ${listed(providers.names)}; what each of them takes is in
[dynamic-secrets.md](dynamic-secrets.md). Published and not offered: ${listed(missing)}.\n`;
}

/** The rows of unpublished login methods: those without a row in the page. */
function furtherLoginMethods(page) {
  const written = page.replace(BLOCK, '');
  return authMethods.members
    .filter(({ kind }) => !written.includes(`/api/v1/auth/${kind}/identities/{identityId}\``))
    .map(({ kind, title }) => {
      const methods = ['POST', 'GET', 'PATCH', 'DELETE'];
      const operations = [
        `POST /api/v1/auth/${kind}/login`,
        ...methods.map((method) => `${method} /api/v1/auth/${kind}/identities/{identityId}`),
      ];
      return `## Login: ${title}

| Operation | Shown by | Difference, and why |
| --- | --- | --- |
| ${operations.map((one) => `\`${one}\``).join('<br>')} | family.test.ts › ${title} over HTTP › returns exactly the published fields when it is attached, read, updated and detached<br>family.test.ts › ${title} over HTTP › logs in by JSON and by form; the token reads a secret, until the method is detached | Not published: an addition. |
`;
    })
    .join('\n');
}

/** The rows of what has a path for each app: creating and updating connections, and lists of what is there. */
function connectionRows() {
  const apps = connectors.names.toSorted();
  const suite = 'connections/app-connection.test.ts';
  const row = (operationOf, tests) =>
    `| ${apps.map((app) => `\`${operationOf(app)}\``).join('<br>')} | ${tests.map((test) => `${suite} › ${test}`).join('<br>')} | See above. |\n`;
  const create = row(
    (app) => `POST /api/v1/app-connections/${app}`,
    [
      'creating a connection › to %s is accepted by it, and returns all published fields without secrets',
      'creating a connection › is rejected if %s does not accept the credentials, without repeating these',
      'creating a connection › is rejected if a field is missing, invalid, or of another method',
      'creating a connection › is rejected if the name is taken in the same project or organization, and nowhere else',
    ],
  );
  const update = row(
    (app) => `PATCH /api/v1/app-connections/${app}/{connectionId}`,
    [
      'updating a connection › changes the given fields, and counts changes of the credentials',
      'updating a connection › requires the credential again if the target changes, and sends the stored one nowhere else',
    ],
  );
  const lists = connectors.members.flatMap((one) => Object.keys(one.lists ?? {}).map((list) => [one.app, list]));
  const rows = `| ${lists
    .map(([app, list]) => `\`GET /api/v1/app-connections/${app}/{connectionId}/${list}\``)
    .toSorted()
    .join('<br>')} | ${[
    'what is at an app › is listed as published: $app/$list',
    'what is at an app › is not listed if the app fails, with its reason and without the credential',
  ]
    .map((test) => `${suite} › ${test}`)
    .join('<br>')} | See above. |\n`;
  return `| Operation | Shown by | Difference, and why |\n| --- | --- | --- |\n${create}${update}${rows}`;
}

const integrated = syncs.members.flatMap(({ destination, integration }) => (integration ? [destination] : []));

/** The page of an app: what its folder says, and what can be done with a connection to it. Empty if nothing is said. */
function appPage({ app, title }) {
  const own = new URL(`connections/apps/${app}/guide.md`, DOMAIN);
  const about = existsSync(own) ? [readFileSync(own, 'utf8')] : [];
  const destinations = (family) => family.members.map((one) => [one.destination, one.connector.app]);
  const members = [
    ['connections/sync/destinations', destinations(syncs)],
    ['pki/sync/destinations', destinations(pkiSyncs)],
  ];
  const sections = members.flatMap(([folder, all]) => {
    const names = all.flatMap(([name, of]) => (of === app ? [name] : []));
    return names.length > 0 ? [guides(folder, names)] : [];
  });
  if (about.length + sections.length === 0) return '';
  const GENERATED = '<!-- from the guides of its folder, and of those that use it, by scripts/pages.mjs -->';
  return [`# ${title}\n`, `${GENERATED}\n`, ...about, ...sections].join('\n');
}

/** The rows of creating and updating secret syncs, which have a path for each destination. */
function syncRows() {
  const suite = 'connections/secret-sync/secret-sync.test.ts';
  const row = (operationOf, tests) =>
    `| ${syncs.names
      .toSorted()
      .map((name) => `\`${operationOf(name)}\``)
      .join('<br>')} | ${tests.map((test) => `${suite} › ${test}`).join('<br>')} | See above. |\n`;
  const create = row(
    (name) => `POST /api/v1/secret-syncs/${name}`,
    [
      'a secret sync › to %s returns all published fields when it is created, read, found by name and listed',
      'creating a secret sync › is rejected without the right to the folder, to what it holds, or to the connection',
      'creating a secret sync › is rejected with a connection to another app, or of another project',
    ],
  );
  const update = row(
    (name) => `PATCH /api/v1/secret-syncs/${name}/{syncId}`,
    [
      'updating a secret sync › changes the given fields, and counts the changes',
      'updating a secret sync › takes the right to the connection where it is used in another way',
    ],
  );
  return `| Operation | Shown by | Difference, and why |\n| --- | --- | --- |\n${create}${update}`;
}

/** The rows of listing, creating and updating PKI syncs, which have a path for each destination. */
function pkiSyncRows() {
  const suite = 'pki/sync/sync.test.ts';
  const row = (operationOf, tests) =>
    `| ${pkiSyncs.names
      .toSorted()
      .map((name) => `\`${operationOf(name)}\``)
      .join('<br>')} | ${tests.map((test) => `${suite} › ${test}`).join('<br>')} | See above. |\n`;
  const create = row(
    (name) => `POST /api/v1/cert-manager/syncs/${name}`,
    [
      'a PKI sync › to %s returns all published fields when it is created, read and listed',
      'creating a PKI sync › is rejected without the right to it, to the connection, or to each of the private keys',
      'creating a PKI sync › is rejected with a connection to another app, or of another project',
    ],
  );
  const list = row(
    (name) => `GET /api/v1/cert-manager/syncs/${name}`,
    ['a PKI sync › to %s returns all published fields when it is created, read and listed'],
  );
  const update = row(
    (name) => `PATCH /api/v1/cert-manager/syncs/${name}/{pkiSyncId}`,
    [
      'updating a PKI sync › changes the given fields',
      'updating a PKI sync › takes the right to each of the private keys where these leave in another way',
    ],
  );
  return `| Operation | Shown by | Difference, and why |\n| --- | --- | --- |\n${create}${list}${update}`;
}

/** The rows of creating and updating rotations, which have a path for each type. */
function rotationRows() {
  const suite = 'connections/rotation/rotation.test.ts';
  const row = (operationOf, tests) =>
    `| ${rotations.names
      .toSorted()
      .map((type) => `\`${operationOf(type)}\``)
      .join('<br>')} | ${tests.map((test) => `${suite} › ${test}`).join('<br>')} | See above. |\n`;
  const create = row(
    (type) => `POST /api/v2/secret-rotations/${type}`,
    [
      'creating a rotation › answers all published fields, and the same when it is read, listed and found by its name',
      'creating a rotation › is rejected without the right to use the connection, to create rotations or to create the secrets',
    ],
  );
  const update = row(
    (type) => `PATCH /api/v2/secret-rotations/${type}/{rotationId}`,
    [
      'updating a rotation › changes the given fields, and records their names',
      'updating a rotation › renames its secrets by another mapping, which others may not do, and follows references to them',
    ],
  );
  return `| Operation | Shown by | Difference, and why |\n| --- | --- | --- |\n${create}${update}`;
}

/** The help of each command, without the flags of every command, which stand once. */
function commandHelp() {
  const sections = (path) => {
    const command = path.at(-1);
    const [help] = helpOf(path).split('\n\nFlags of every command:');
    const title = path.map(({ name }) => name).join(' ');
    const own = command.load ? [`### ${title}\n\n\`\`\`\n${help.trimEnd()}\n\`\`\`\n`] : [];
    return [...own, ...(command.commands ?? []).filter(isOffered).flatMap((one) => sections([...path, one]))];
  };
  const [, everywhere] = helpOf([table]).split('Flags of every command:\n');
  const flags = `### Flags of every command\n\n\`\`\`\n${everywhere.trimEnd()}\n\`\`\`\n`;
  const missing = table.commands.filter((one) => !isOffered(one)).map(({ name }) => `coffer ${name}`);
  return [flags, ...sections([table]), `Published and not offered: ${listed(missing)}.\n`].join('\n');
}

const blocks = {
  commands: commandHelp,
  'login methods': () => guides('identities/auth-method/methods', authMethods.names),
  providers: () => guides('secrets/dynamic/providers', providers.names),
  destinations: () => guides('connections/sync/destinations', integrated, 'integration.md'),
  'offered providers': offeredProviders,
  'further login methods': furtherLoginMethods,
  'app connections': connectionRows,
  'secret syncs': syncRows,
  'certificate syncs': pkiSyncRows,
  'rotation types': () => guides('connections/rotation/types', rotations.names),
  'secret rotations': rotationRows,
};

const camelCase = (name) => name.replaceAll(/-(.)/g, (_, letter) => letter.toUpperCase());
const GENERATED = '// Generated from registry.ts by scripts/pages.mjs.\n\n';

/** The inputs of providers, without what carries them out. */
const providerInputs = () =>
  `${GENERATED}${providers.names
    .toSorted()
    .map((name) => `import { Inputs as ${camelCase(name)} } from './providers/${name}/inputs.ts';\n`)
    .join('')}
/** Every provider and its inputs: what a form needs, without what carries it out. */
export const providerInputs = [
${providers.members.map(({ type, title }) => `  { type: '${type}', title: '${title}', inputs: ${camelCase(type)} },\n`).join('')}] as const;
`;

/** What login methods are configured with, and what logins give. */
const authMethodInputs = () =>
  `${GENERATED}${authMethods.names
    .toSorted()
    .map((name) => `import * as ${camelCase(name)} from './methods/${name}/inputs.ts';\n`)
    .join('')}
/** Every login method: its \`Config\` and, where there is a login, its \`Credentials\`, without what verifies them. */
export const authMethodInputs = {
${authMethods.names.map((kind) => `  ${kind.includes('-') ? `'${kind}'` : kind}: ${camelCase(kind)},\n`).join('')}} as const;
`;

const lists = {
  'secrets/dynamic/inputs.ts': providerInputs,
  'identities/auth-method/inputs.ts': authMethodInputs,
};

const stale = [];
for (const [name, list] of Object.entries(lists)) {
  const file = new URL(name, DOMAIN);
  const made = list();
  if (made === readFileSync(file, 'utf8')) continue;
  stale.push(name);
  if (!process.argv.includes('--check')) writeFileSync(file, made);
}
for (const name of [
  ...['cli.md', 'compatibility.md', 'dynamic-secrets.md', 'integrations.md', 'login-methods.md', 'rotations.md'],
]) {
  const file = new URL(name, DOCS);
  const page = readFileSync(file, 'utf8');
  const made = page.replace(BLOCK, (_, begin, block, end) => {
    const text = blocks[block](page);
    delete blocks[block];
    return `${begin}${text}${text && '\n'}${end}`;
  });
  if (made === page) continue;
  stale.push(name);
  if (!process.argv.includes('--check')) writeFileSync(file, made);
}
for (const connector of connectors.members) {
  const file = new URL(`connections/${connector.app}.md`, DOCS);
  const made = appPage(connector);
  if (made === '' || (existsSync(file) && made === readFileSync(file, 'utf8'))) continue;
  stale.push(`connections/${connector.app}.md`);
  if (!process.argv.includes('--check')) writeFileSync(file, made);
}
const unplaced = Object.keys(blocks);
if (unplaced.length > 0) throw new Error(`No page has a place for: ${unplaced.join(', ')}`);
if (stale.length > 0 && process.argv.includes('--check')) {
  console.error(`Not as their members say: ${stale.join(', ')}. Run: pnpm pages`);
  process.exitCode = 1;
}
