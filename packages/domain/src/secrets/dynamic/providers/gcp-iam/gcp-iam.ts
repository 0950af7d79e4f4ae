import { z } from 'zod';
import {
  accountSuffixOf,
  impersonate,
  isAccountOf,
  MAX_TOKEN_LIFE,
  missingAccountSetting,
} from '../../../../apps/gcp/index.ts';
import { badRequest } from '../../../../kernel/index.ts';
import { defineProvider, type ProviderIo } from '../../provider.ts';
import { Inputs } from './inputs.ts';

/** Seconds: of the token with which the inputs are checked. */
const CHECK_LIFE = 60;

/** Access tokens of a service account of Google Cloud. */
export const gcpIam = defineProvider({
  type: 'gcp-iam',
  title: 'GCP IAM',
  inputs: Inputs,
  missingSetting: missingAccountSetting,
  data: z.object({ SERVICE_ACCOUNT_EMAIL: z.string(), TOKEN: z.string() }),
  target: ({ serviceAccountEmail }) => `https://iamcredentials.googleapis.com ${serviceAccountEmail}`,
  check: async (inputs, io) => void (await tokenFor(inputs, io, CHECK_LIFE)),
  prepare(_inputs, { leaseId, now, expireAt }) {
    if (lifeOf(expireAt, now) > MAX_TOKEN_LIFE)
      throw badRequest('gcp_iam.ttl', 'Tokens of service accounts are valid for 12h at most: request a shorter lease');
    return leaseId;
  },
  async issue(inputs, { expireAt }, io) {
    const token = await tokenFor(inputs, io, Math.max(1, lifeOf(expireAt, io.now)));
    return { SERVICE_ACCOUNT_EMAIL: inputs.serviceAccountEmail, TOKEN: io.secret(token) };
  },
  renew: () =>
    Promise.reject(
      badRequest('gcp_iam.not_renewable', 'The expiry of an access token cannot be changed: create another lease'),
    ),
  // Google revokes no access token of a service account: it ends with its lease at the latest.
  revoke: async () => undefined,
});

const lifeOf = (expireAt: Date, now: Date): number => Math.ceil((expireAt.getTime() - now.getTime()) / 1000);

async function tokenFor({ serviceAccountEmail: email }: Inputs, io: ProviderIo, seconds: number): Promise<string> {
  const { organizationId, settings } = io;
  if (!isAccountOf(email, organizationId))
    throw badRequest(
      'gcp_iam.service_account',
      `The name of the service account has to end with ${accountSuffixOf(organizationId)}, so that no other organization of this server can use it`,
    );
  const { gcpServiceAccount: own } = settings;
  if (!own)
    throw badRequest(
      'gcp_iam.not_configured',
      `The operator of this server has not set ${missingAccountSetting(settings)}`,
    );
  return impersonate(
    { fetch: io.fetch, now: io.now, hide: (credential) => io.secret(credential) },
    own,
    email,
    seconds,
  );
}
