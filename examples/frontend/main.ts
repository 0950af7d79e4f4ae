// The typed client: what an application, a job or a page in a browser does with Coffer. Every name and type below comes
// from the server's own router, so that a field that is renamed there does not compile here.
//
//   node examples/frontend/main.ts
//
// COFFER_URL, COFFER_CLIENT_ID, COFFER_CLIENT_SECRET and COFFER_PROJECT_ID are what examples/http/quickstart.sh ends with.
// A page gives `token: () => session.token` in place of `auth`: it has a user, not a client secret.
import { CofferError, createCofferClient, type CofferClient, type Inputs, type Outputs } from '@coffer/client';

type Secret = Outputs['secrets']['list']['secrets'][number];
type Place = Pick<Inputs['secrets']['list'], 'projectId' | 'environment'>;

const { COFFER_URL = 'http://127.0.0.1:8080', COFFER_CLIENT_ID, COFFER_CLIENT_SECRET, COFFER_PROJECT_ID } = process.env;
if (!COFFER_CLIENT_ID || !COFFER_CLIENT_SECRET || !COFFER_PROJECT_ID) {
  throw new Error('Set COFFER_CLIENT_ID, COFFER_CLIENT_SECRET and COFFER_PROJECT_ID');
}

// It logs in when it is first needed, and again before its token ends.
const coffer = createCofferClient({
  url: COFFER_URL,
  auth: { clientId: COFFER_CLIENT_ID, clientSecret: COFFER_CLIENT_SECRET },
});
const place: Place = { projectId: COFFER_PROJECT_ID, environment: 'dev' };

// Concurrent calls share one request.
const [{ project }, { secrets }] = await Promise.all([
  coffer.projects.get.query({ projectId: place.projectId }),
  coffer.secrets.list.query({ ...place, viewSecretValue: false }),
]);
console.log(`${project.name} has ${secrets.length} secrets, last changed on ${newest(secrets)}`);

await setSecret(coffer, place, 'GREETING', 'Hello');
await setSecret(coffer, place, 'GREETING', 'Hello, world');
const { secret } = await coffer.secrets.get.query({ ...place, secretName: 'GREETING' });
console.log(`${secret.secretKey} is "${secret.secretValue}" in version ${secret.version}`);

// A call can be aborted; `timeoutMs` does that automatically.
await coffer.secrets.list
  .query(place, { signal: AbortSignal.abort() })
  .catch(() => console.log('Nobody waited for the list'));

// Changes are sent as they happen: their location, never the value.
const changes = coffer.secretEvents.watch.subscribe({
  projectId: place.projectId,
  register: [{ event: 'secret:update', conditions: { environmentSlug: place.environment } }],
});
for await (const { data: told } of changes) {
  // The beginning: from here on nothing is missed.
  if (!told) await setSecret(coffer, place, 'GREETING', 'Hello again');
  else {
    console.log(`heard of ${JSON.stringify(told.data.payload)}`);
    break;
  }
}

/** Creates or updates a secret: errors have a stable code. */
async function setSecret(
  { secrets: calls }: CofferClient,
  at: Place,
  secretName: string,
  secretValue: string,
): Promise<void> {
  try {
    await calls.update.mutate({ ...at, secretName, secretValue });
  } catch (error) {
    if (!(error instanceof CofferError) || error.reason !== 'secret.not_found') throw error;
    console.log(`${secretName} is new (${error.status} ${error.reason}, in the log under ${error.reqId})`);
    await calls.create.mutate({ ...at, secretName, secretValue });
  }
}

/** Times are ISO 8601, so that text comparison gives the later one. */
function newest(all: readonly Secret[]): string {
  return (
    all
      .map(({ updatedAt }) => updatedAt)
      .toSorted()
      .at(-1) ?? 'no day'
  );
}
