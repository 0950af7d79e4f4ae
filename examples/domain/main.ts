// Coffer without HTTP: a service that imports what Coffer knows and does, and calls its operations on the database
// itself. Rules, encryption and the audit log are those of the server, which may run on the same database meanwhile.
//
//   node examples/domain/main.ts
//
// DATABASE_URL and COFFER_ROOT_KEY are those of the server. COFFER_TOKEN is what examples/http/quickstart.sh ends with:
// whoever it stands for is who acts here, with that one's rights and no more.
import {
  authenticate,
  bearerToken,
  createOutbound,
  CreateProject,
  createProject,
  CreateSecrets,
  createSecrets,
  DomainError,
  ListSecrets,
  listSecrets,
  openCoffer,
  parseRootKey,
  ReadSecret,
  readSecret,
} from '@coffer/domain';

const { DATABASE_URL, COFFER_ROOT_KEY, COFFER_TOKEN } = process.env;
if (!DATABASE_URL || !COFFER_ROOT_KEY || !COFFER_TOKEN) {
  throw new Error('Set DATABASE_URL, COFFER_ROOT_KEY and COFFER_TOKEN');
}

// One for the life of the process: it has connections, keys and caches, and receives invalidations.
const outbound = createOutbound({ allow: [] });
const coffer = await openCoffer({
  databaseUrl: DATABASE_URL,
  rootKey: parseRootKey(COFFER_ROOT_KEY),
  fetch: outbound.fetch,
});

try {
  const actor = await authenticate(coffer.contextFor({ type: 'anonymous' }), bearerToken(COFFER_TOKEN));
  // A context is one call: its actor, and its request data for the audit log.
  const call = () =>
    coffer.contextFor(actor, { id: 'req-domain-example', ipAddress: '127.0.0.1', userAgent: 'example' });

  const project = await createProject(call(), CreateProject.parse({ projectName: 'Domain example' }));
  const place = { projectId: project.id, environment: 'dev', secretPath: '/' };

  // Schemas validate input and fill in defaults.
  const secrets = [
    { secretKey: 'HOST', secretValue: 'db.example.com' },
    { secretKey: 'DATABASE', secretValue: 'postgres://${HOST}/app' },
  ];
  await createSecrets(call(), CreateSecrets.parse({ ...place, secrets }));

  const query = { ...place, secretName: 'DATABASE', expandSecretReferences: true };
  const { secretValue, version } = await readSecret(call(), ReadSecret.parse(query));
  console.log(`DATABASE is ${secretValue} in version ${version}`);

  const list = await listSecrets(call(), ListSecrets.parse(place));
  console.log(`${project.name} (${project.id}) has ${list.secrets.map(({ secretKey }) => secretKey).join(' and ')}`);

  // Errors have one class: a kind, a stable code, and a message.
  await readSecret(call(), ReadSecret.parse({ ...place, secretName: 'NOTHING' })).catch((error: unknown) => {
    if (!(error instanceof DomainError)) throw error;
    console.log(`NOTHING: ${error.kind}, ${error.code}`);
  });
} finally {
  await coffer.close();
  await outbound.close();
}
