import { createSign } from 'node:crypto';
import { z } from 'zod';
import { malformed, requestTokens, type TokenIo } from '../../family/index.ts';
import type { AppSettings, ServiceAccountKey } from '../../kernel/index.ts';
import { gcpClient } from './client.ts';

const TOKEN_URL = 'https://oauth2.googleapis.com/token';
const SCOPE = 'https://www.googleapis.com/auth/cloud-platform';
/** Seconds: an assertion is used once, immediately. */
const ASSERTION_LIFE = 300;
/** Seconds: what Google allows, where the policy of an organization extends it. */
export const MAX_TOKEN_LIFE = 12 * 3600;

/**
 * The end of the name of every service account that an organization may use: the first two parts of its ID. Who controls
 * the account shows by this name that it is for that organization, although others use the same Coffer.
 */
export const accountSuffixOf = (organizationId: string): string => organizationId.split('-').slice(0, 2).join('-');

/** Whether a service account is for an organization. */
export const isAccountOf = (email: string, organizationId: string): boolean =>
  email.split('@')[0]!.endsWith(accountSuffixOf(organizationId));

const base64url = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** https://developers.google.com/identity/protocols/oauth2/service-account#httprest */
function assertionOf({ clientEmail, privateKeyId, privateKey }: ServiceAccountKey, now: Date): string {
  const iat = Math.floor(now.getTime() / 1000);
  const claims = { iss: clientEmail, scope: SCOPE, aud: TOKEN_URL, iat, exp: iat + ASSERTION_LIFE };
  const signed = `${base64url({ alg: 'RS256', typ: 'JWT', kid: privateKeyId })}.${base64url(claims)}`;
  return `${signed}.${createSign('RSA-SHA256').update(signed).sign(privateKey, 'base64url')}`;
}

const Generated = z.object({ accessToken: z.string().min(1), expireTime: z.string() });

/**
 * An access token of a service account, for which the one of the operator creates it
 * (https://cloud.google.com/iam/docs/reference/credentials/rest/v1/projects.serviceAccounts/generateAccessToken).
 *
 * @param seconds The lifetime of the token.
 * @throws DomainError 400 where Google refuses.
 */
export async function impersonate(io: TokenIo, key: ServiceAccountKey, email: string, seconds = 3600): Promise<string> {
  const assertion = assertionOf(key, io.now);
  io.hide(assertion);
  const grant = { grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion };
  const { accessToken: own } = await requestTokens(io, TOKEN_URL, grant);
  const url = `https://iamcredentials.googleapis.com/v1/projects/-/serviceAccounts/${encodeURIComponent(email)}:generateAccessToken`;
  const body = { scope: [SCOPE], lifetime: `${seconds}s` };
  const { data } = Generated.safeParse((await gcpClient(io, own).ask(url, { method: 'POST', body })).body);
  if (!data) throw malformed(url, 'no access token');
  io.hide(data.accessToken);
  return data.accessToken;
}

/** The variable of the operator by which service accounts are impersonated, where it is not set. */
export const missingAccountSetting = ({ gcpServiceAccount }: AppSettings): string | undefined =>
  gcpServiceAccount ? undefined : 'COFFER_GCP_SERVICE_ACCOUNT';
