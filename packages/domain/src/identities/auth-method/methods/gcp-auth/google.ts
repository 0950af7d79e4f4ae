import { decodeJwt } from 'jose';
import { z } from 'zod';
import { unauthenticated } from '../../../../kernel/index.ts';
import type { LoginAttempt } from '../../auth-method.ts';
import { verifyProof } from '../../proof/index.ts';

const API = 'https://www.googleapis.com';
const ISSUERS = ['https://accounts.google.com', 'accounts.google.com'];
const SERVICE_ACCOUNT = /^[a-z0-9][a-z0-9-]{0,62}@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.){1,8}gserviceaccount\.com$/;

type Attempt = Pick<LoginAttempt, 'identityId' | 'keySets' | 'now'>;

const text = z.string().max(1024).optional().catch(undefined);
const Instance = z.object({
  email: z.string().regex(SERVICE_ACCOUNT),
  email_verified: z.literal(true),
  google: z
    .object({
      compute_engine: z.object({ project_id: text, zone: text, instance_id: text, instance_name: text }).default({}),
    })
    .default({ compute_engine: {} }),
});

const notAnAccount = () => unauthenticated('gcp_auth.no_service_account', 'This is not the token of a service account');

/**
 * The instance of an ID token from the metadata server. Without `format=full` the token contains neither project nor
 * zone.
 */
export async function verifyInstance(jwt: string, { identityId, keySets, now }: Attempt) {
  const claims = await verifyProof(jwt, keySets.keysAt(`${API}/oauth2/v3/certs`), {
    algorithms: ['RS256'],
    issuer: ISSUERS,
    audiences: identityId,
    now,
  });
  const { success, data } = Instance.safeParse(claims);
  if (!success) throw notAnAccount();
  const {
    project_id: projectId,
    zone,
    instance_id: instanceId,
    instance_name: instanceName,
  } = data.google.compute_engine;
  return { serviceAccount: data.email, projectId, zone, instanceId, instanceName };
}

/**
 * The service account that signed a token with one of its own keys, for which Google publishes certificates. Other
 * claims are not verified by Google and are ignored. `requireAllowed` is called before any remote call. Published
 * clients sign `{sub, aud}` without an expiry: such a token is valid while Google publishes its key.
 */
export async function verifyServiceAccount(
  jwt: string,
  { identityId, keySets, now }: Attempt,
  requireAllowed: (email: string) => void,
) {
  const email = signerOf(jwt);
  requireAllowed(email);
  const certificates = keySets.certificatesAt(`${API}/service_accounts/v1/metadata/x509/${encodeURIComponent(email)}`);
  await verifyProof(jwt, certificates, { algorithms: ['RS256'], audiences: identityId, mayBeEndless: true, now });
  return { serviceAccount: email };
}

/** Whom the token has to be signed by; whether it is will be seen. */
function signerOf(jwt: string): string {
  const { sub } = claimsOf(jwt);
  if (typeof sub !== 'string' || !SERVICE_ACCOUNT.test(sub)) throw notAnAccount();
  return sub;
}

function claimsOf(jwt: string): { sub?: unknown } {
  try {
    return decodeJwt(jwt);
  } catch {
    throw unauthenticated('proof.malformed', 'This is not a signed JWT');
  }
}
