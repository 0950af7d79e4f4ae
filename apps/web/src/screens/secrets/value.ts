import { coffer } from '../../app/session.ts';
import type { Draft } from './drafts.ts';

type At = Pick<Draft, 'environment' | 'secretPath' | 'secretKey'>;

/** The name under which a value is revealed. */
export const valueName = (projectId: string, { environment, secretPath, secretKey }: At): string =>
  ['value', projectId, environment, secretPath, secretKey].join('\n');

/** Reads a value, which the server records. It is not cached. @throws CofferError 403 without the right to read it. */
export async function readValue(
  projectId: string,
  { environment, secretPath, secretKey }: At,
  { version, includeImports = false }: { readonly version?: number; readonly includeImports?: boolean } = {},
): Promise<{ value: string; version: number; isHidden: boolean }> {
  const { secret } = await coffer.secrets.get.query({
    projectId,
    environment,
    secretPath,
    secretName: secretKey,
    ...(version !== undefined && { version }),
    ...(includeImports && { includeImports }),
  });
  return { value: secret.secretValue, version: secret.version, isHidden: secret.secretValueHidden };
}
