import { z } from 'zod';
import { aws as connector, Region, SecretsManager } from '../../../../connections/apps/aws/index.ts';
import { needed } from '../../../../connections/connection/index.ts';
import { OF_PKI_SYNC } from '../../../../connections/pki-sync/index.ts';
import { definePkiSync, includeRootCa } from '../../destination.ts';
import { CertificateSecrets } from './certificate-secrets.ts';

const field = (name: string) => needed('the name of a field', 255).default(name);
const FieldMappings = z
  .object({
    certificate: field('certificate'),
    privateKey: field('private_key'),
    certificateChain: field('certificate_chain'),
    caCertificate: field('ca_certificate'),
  })
  .refine((fields) => new Set(Object.values(fields)).size === 4, 'Expected four different names');

export const awsSecretsManager = definePkiSync({
  connector,
  destination: 'aws-secrets-manager',
  title: 'AWS Secrets Manager',
  config: z.object({ region: Region, keyId: z.string().max(1024).optional() }),
  options: z.object({
    includeRootCa,
    preserveSecretOnRenewal: z
      .boolean()
      .default(true)
      .describe('Whether a renewed certificate is written into the secret of the one before'),
    updateExistingCertificates: z
      .boolean()
      .default(true)
      .describe('Whether a secret is written again when its content is to be another one, for the same certificate'),
    fieldMappings: FieldMappings.prefault({}).describe('The names of the fields in the JSON object'),
  }),
  limits: {
    name: /^[\w/-]{1,512}$/,
    expected: 'letters, digits and _/-, and 512 of them at most',
    longestName: 512,
    keys: ['RSA_2048', 'RSA_3072', 'RSA_4096', 'EC_prime256v1', 'EC_secp384r1', 'ED25519'],
  },
  replaces: ({ preserveSecretOnRenewal }) => preserveSecretOnRenewal,
  updates: ({ updateExistingCertificates }) => updateExistingCertificates,
  async open(client, { region, keyId }, { syncId, fieldMappings }) {
    const tags = [{ key: OF_PKI_SYNC, value: syncId }];
    const secrets = await SecretsManager.open(client, region, { keyId, tags });
    return new CertificateSecrets(secrets, fieldMappings, syncId);
  },
});
