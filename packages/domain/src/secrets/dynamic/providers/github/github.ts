import { z } from 'zod';
import { checkInstallation, installationToken, type GitHubInstallation } from '../../../../apps/github/index.ts';
import { readPrivateKey } from '../../../../crypto/index.ts';
import { badRequest } from '../../../../kernel/index.ts';
import { defineProvider, type ProviderIo } from '../../provider.ts';
import { Inputs } from './inputs.ts';

/** Milliseconds: how long GitHub lets tokens live. */
const LIFE = 3_600_000;

function installationOf({ appId, installationId, privateKey: pem }: Inputs): GitHubInstallation {
  const privateKey = readPrivateKey(pem);
  if (privateKey?.asymmetricKeyType !== 'rsa')
    throw badRequest('github.private_key', 'privateKey has to be an RSA private key in PEM, as GitHub generates it');
  return { appId: String(appId), installationId: String(installationId), privateKey };
}

const hiding = (io: ProviderIo) => ({ fetch: io.fetch, now: io.now, hide: (text: string) => void io.secret(text) });

/** Tokens of an installation of a GitHub App. */
export const github = defineProvider({
  type: 'github',
  title: 'GitHub',
  inputs: Inputs,
  data: z.object({
    TOKEN: z.string(),
    EXPIRES_AT: z.string(),
    PERMISSIONS: z.record(z.string(), z.string()),
    REPOSITORY_SELECTION: z.string(),
  }),
  target: ({ appId, installationId }) => `https://api.github.com app ${appId} installation ${installationId}`,
  validate: (inputs) => void installationOf(inputs),
  check: async (inputs, io) => void (await checkInstallation(hiding(io), installationOf(inputs))),
  prepare(_inputs, { leaseId, now, expireAt }) {
    if (expireAt.getTime() - now.getTime() > LIFE)
      throw badRequest('github.ttl', 'GitHub ends tokens after an hour: ttl can be 1h at most');
    return leaseId;
  },
  async issue(inputs, _lease, io) {
    const { token, expires_at, permissions, repository_selection } = await installationToken(
      hiding(io),
      installationOf(inputs),
    );
    return {
      TOKEN: token,
      EXPIRES_AT: expires_at,
      PERMISSIONS: permissions,
      REPOSITORY_SELECTION: repository_selection,
    };
  },
  renew: () =>
    Promise.reject(
      badRequest('github.not_renewable', 'The expiry of a GitHub token cannot be changed: create another lease'),
    ),
  // Only who has a token can revoke it, and Coffer does not keep it: GitHub ends it.
  revoke: () => Promise.resolve(),
});
