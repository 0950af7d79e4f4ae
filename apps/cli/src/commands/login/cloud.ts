import { createSign } from 'node:crypto';
import { failure } from '../../exit.ts';
import type { Io } from '../../io.ts';

/** Addresses of the metadata services of clouds; variables replace them, as the clouds' own libraries have it. */
const AZURE = 'http://169.254.169.254';
const GOOGLE = 'http://metadata.google.internal';

/**
 * The token of the managed identity of this machine, for the Azure Resource Manager.
 * https://learn.microsoft.com/entra/identity/managed-identities-azure-resources/how-to-use-vm-token
 */
export async function azureToken(io: Io): Promise<string> {
  const base = io.env['AZURE_POD_IDENTITY_AUTHORITY_HOST'] || AZURE;
  const query = new URLSearchParams({ 'api-version': '2018-02-01', resource: 'https://management.azure.com/' });
  const answer = await metadata(`${base}/metadata/identity/oauth2/token?${query}`, { metadata: 'true' }, 'Azure');
  const { access_token: token } = JSON.parse(answer) as { access_token?: string };
  if (!token) throw failure('The metadata service of Azure returned no token');
  return token;
}

/**
 * An ID token of the service account of this machine, for an audience.
 * https://cloud.google.com/compute/docs/instances/verifying-instance-identity
 */
export async function googleIdentityToken(audience: string, io: Io): Promise<string> {
  const host = io.env['GCE_METADATA_HOST'];
  const query = new URLSearchParams({ audience, format: 'full' });
  const path = '/computeMetadata/v1/instance/service-accounts/default/identity';
  const url = `${host ? `http://${host}` : GOOGLE}${path}?${query}`;
  return (await metadata(url, { 'metadata-flavor': 'Google' }, 'Google Cloud')).trim();
}

async function metadata(url: string, headers: Record<string, string>, cloud: string): Promise<string> {
  try {
    const response = await fetch(url, { headers, redirect: 'error', signal: AbortSignal.timeout(5000) });
    if (response.ok) return await response.text();
    throw failure(`The metadata service of ${cloud} answered ${response.status}`);
  } catch (error) {
    if (error instanceof Error && error.name === 'CommandError') throw error;
    throw failure(`The metadata service of ${cloud} could not be reached: this method works on machines of ${cloud}`);
  }
}

/**
 * A JWT that a service account signs with its own key (RFC 7523), as the server checks it for `iam` of Google Cloud.
 *
 * @param key The text of the key file.
 */
export async function googleServiceAccountToken(audience: string, key: string): Promise<string> {
  const { client_email: email, private_key: privateKey, private_key_id: kid } = keyOf(key);
  if (!email || !privateKey) throw failure('The file is no key of a service account of Google Cloud');
  const iat = Math.floor(Date.now() / 1000);
  const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
  const signed = `${encode({ alg: 'RS256', typ: 'JWT', kid })}.${encode({ sub: email, aud: audience, iat, exp: iat + 900 })}`;
  return `${signed}.${createSign('RSA-SHA256').update(signed).sign(privateKey, 'base64url')}`;
}

function keyOf(text: string): { client_email?: string; private_key?: string; private_key_id?: string } {
  try {
    return JSON.parse(text) as object;
  } catch {
    throw failure('The file is no key of a service account of Google Cloud');
  }
}
