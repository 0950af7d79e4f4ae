import { z } from 'zod';
import { isRsaKey } from '../../kernel/rsa-pem.ts';
import type { ServiceAccountKey } from '../../kernel/app-settings.ts';
import { badRequest } from '../../kernel/errors.ts';

const KeyFile = z.object({
  type: z.literal('service_account'),
  client_email: z.email(),
  private_key_id: z.string().min(1),
  private_key: z.string().refine(isRsaKey),
});

/**
 * Reads a key of a service account as Google Cloud issues it
 * (https://cloud.google.com/iam/docs/keys-create-delete).
 *
 * @throws DomainError 400 for anything else.
 */
export function parseServiceAccountKey(text: string): ServiceAccountKey {
  const { data } = KeyFile.safeParse(jsonIn(text));
  if (!data)
    throw badRequest('gcp.service_account_key', 'expected the JSON key of a service account, with its RSA private key');
  return { clientEmail: data.client_email, privateKeyId: data.private_key_id, privateKey: data.private_key };
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
