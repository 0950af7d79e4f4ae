import { createHmac, randomBytes } from 'node:crypto';
import { columnSeal, type SealedRow } from '../../crypto/index.ts';
import type { Context } from '../../kernel/index.ts';
import type { IntegrationCredentials } from './integration-auth.ts';

/** What is stored sealed under the key of the project: credentials, and the keys of hashes. */

const credentialsOf = columnSeal('integration_auths.sealed');
const hashKeys = columnSeal('integrations.sealed');

/** The fields of an authentication that are sealed; the others are answered. */
export type SealedCredentials = Pick<IntegrationCredentials, 'accessId' | 'accessToken' | 'awsAssumeIamRoleArn'>;

export const sealCredentials = (
  ctx: Context,
  row: SealedRow,
  { accessId, accessToken, awsAssumeIamRoleArn }: SealedCredentials,
): Promise<Buffer> => credentialsOf.sealJson(ctx, row, { accessId, accessToken, awsAssumeIamRoleArn });

/** All that an authentication holds. */
export async function openCredentials(
  ctx: Context,
  row: SealedRow & { sealed: Uint8Array; url?: string | null; namespace?: string | null },
): Promise<IntegrationCredentials> {
  const { accessId, accessToken, awsAssumeIamRoleArn } = await credentialsOf.openJson<SealedCredentials>(
    ctx,
    row,
    row.sealed,
  );
  return { accessId, accessToken, awsAssumeIamRoleArn, url: row.url ?? null, namespace: row.namespace ?? null };
}

/** A new key for the hashes of an integration, sealed. */
export const sealNewHashKey = (ctx: Context, row: SealedRow): Promise<Buffer> =>
  hashKeys.seal(ctx, row, randomBytes(32).toString('base64url'));

/** Hashes texts under the key of an integration; the same texts of another integration have another hash. */
export type Hash = (...texts: readonly string[]) => Buffer;

export async function openHash(ctx: Context, row: SealedRow & { sealed: Uint8Array }): Promise<Hash> {
  const key = await hashKeys.open(ctx, row, row.sealed);
  return (...texts) => {
    const hmac = createHmac('sha256', key);
    // With their lengths: no two lists of texts are hashed alike.
    for (const text of texts) hmac.update(`${Buffer.byteLength(text)}:`).update(text);
    return hmac.digest();
  };
}
