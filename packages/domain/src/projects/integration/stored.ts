import { createHmac, randomBytes } from 'node:crypto';
import { open, seal, type SealedLocation } from '../../crypto/index.ts';
import type { Context, KeySet } from '../../kernel/index.ts';
import type { IntegrationCredentials } from './integration-auth.ts';

/** What is stored sealed under the key of the project: credentials, and the keys of hashes. */

interface Stored {
  readonly id: string;
  readonly organizationId: string;
  readonly projectId: string;
}

const aadOf = (table: 'integration_auths' | 'integrations', { id, projectId }: Stored): SealedLocation => ({
  column: `${table}.sealed`,
  owner: projectId,
  row: id,
  version: 0,
});

const keysOf = (ctx: Context, { organizationId, projectId }: Stored): Promise<KeySet> =>
  ctx.keys.project(organizationId, projectId);

/** The fields of an authentication that are sealed; the others are answered. */
export type SealedCredentials = Pick<IntegrationCredentials, 'accessId' | 'accessToken' | 'awsAssumeIamRoleArn'>;

export async function sealCredentials(ctx: Context, row: Stored, credentials: SealedCredentials): Promise<Buffer> {
  const { accessId, accessToken, awsAssumeIamRoleArn } = credentials;
  const text = JSON.stringify({ accessId, accessToken, awsAssumeIamRoleArn });
  return seal(await ctx.keys.sealing(row.organizationId, row.projectId), text, aadOf('integration_auths', row));
}

/** All that an authentication holds. */
export async function openCredentials(
  ctx: Context,
  row: Stored & { sealed: Uint8Array; url?: string | null; namespace?: string | null },
): Promise<IntegrationCredentials> {
  const text = open(await keysOf(ctx, row), Buffer.from(row.sealed), aadOf('integration_auths', row));
  const { accessId, accessToken, awsAssumeIamRoleArn } = JSON.parse(text) as SealedCredentials;
  return { accessId, accessToken, awsAssumeIamRoleArn, url: row.url ?? null, namespace: row.namespace ?? null };
}

/** A new key for the hashes of an integration, sealed. */
export const sealNewHashKey = async (ctx: Context, row: Stored): Promise<Buffer> =>
  seal(
    await ctx.keys.sealing(row.organizationId, row.projectId),
    randomBytes(32).toString('base64url'),
    aadOf('integrations', row),
  );

/** Hashes texts under the key of an integration; the same texts of another integration have another hash. */
export type Hash = (...texts: readonly string[]) => Buffer;

export async function openHash(ctx: Context, row: Stored & { sealed: Uint8Array }): Promise<Hash> {
  const key = open(await keysOf(ctx, row), Buffer.from(row.sealed), aadOf('integrations', row));
  return (...texts) => {
    const hmac = createHmac('sha256', key);
    // With their lengths: no two lists of texts are hashed alike.
    for (const text of texts) hmac.update(`${Buffer.byteLength(text)}:`).update(text);
    return hmac.digest();
  };
}
