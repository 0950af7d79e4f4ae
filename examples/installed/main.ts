// Coffer in a repository of its own: the packages as they are installed, without this workspace and without HTTP.
//
//   npm install @coffer/domain @coffer/api @coffer/postgres @coffer/ssh @coffer/x509
//   DATA_DIRECTORY=./data node main.ts
//
// It starts a PostgreSQL of its own in DATA_DIRECTORY, makes the first administrator, writes a secret by the procedures
// of the API, and reads it by an operation of the domain. Without a database, it makes and reads a certificate request
// and an SSH key.
import { randomBytes } from 'node:crypto';
import { ApiCall, appRouter, NO_HTTP } from '@coffer/api';
import {
  authenticate,
  bearerToken,
  createOutbound,
  type Coffer,
  openCoffer,
  parseRootKey,
  readSecret,
  type RequestInfo,
} from '@coffer/domain';
import { ReadSecret } from '@coffer/domain/schemas';
import { startEmbeddedPostgres } from '@coffer/postgres';
import { blobOf, lineOf, readPublicKey } from '@coffer/ssh';
import { generateKey, makeCsr, readCsr } from '@coffer/x509';

const { DATA_DIRECTORY } = process.env;
if (!DATA_DIRECTORY) throw new Error('Set DATA_DIRECTORY');

const request: RequestInfo = { id: 'req-installed', ipAddress: '127.0.0.1', userAgent: 'example' };

/** The procedures, called with a token as a request would have it. */
const callerOf = (coffer: Coffer, token?: string) =>
  appRouter.createCaller(
    new ApiCall(coffer, request, { ...NO_HTTP, credential: token ? bearerToken(token) : undefined }),
  );

const postgres = await startEmbeddedPostgres({ directory: DATA_DIRECTORY });
const outbound = createOutbound({ allow: [] });
const coffer = await openCoffer({
  databaseUrl: postgres.url,
  rootKey: parseRootKey(randomBytes(32).toString('base64')),
  fetch: outbound.fetch,
});
try {
  const { identity } = await callerOf(coffer).instance.bootstrap({
    email: 'ann@example.com',
    password: randomBytes(18).toString('base64'),
    organization: 'Acme',
  });
  const { token } = identity.credentials;
  const caller = callerOf(coffer, token);
  const { project } = await caller.projects.create({ projectName: 'Installed' });
  const place = { projectId: project.id, environment: 'dev', secretPath: '/' };
  await caller.secrets.create({ ...place, secretName: 'GREETING', secretValue: 'Hello' });

  const actor = await authenticate(coffer.contextFor({ type: 'anonymous' }), bearerToken(token));
  const secret = await readSecret(
    coffer.contextFor(actor, request),
    ReadSecret.parse({ ...place, secretName: 'GREETING' }),
  );
  console.log(`GREETING is ${secret.secretValue} in version ${secret.version}`);

  const algorithm = 'EC_prime256v1';
  const csr = await makeCsr({ commonName: 'shop.example.com' }, { ...(await generateKey(algorithm)), algorithm });
  console.log(`The request is for ${readCsr(csr).subject.commonName}`);

  const { publicKey } = await generateKey('ED25519');
  const { type, comment } = readPublicKey(lineOf(blobOf(publicKey), 'ann@example.com'));
  console.log(`The ${type} key is for ${comment}`);
} finally {
  await coffer.close();
  await outbound.close();
  await postgres.stop();
}
