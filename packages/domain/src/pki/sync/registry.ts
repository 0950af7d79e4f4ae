import { defineFamily } from '../../family/index.ts';
import { badRequest } from '../../kernel/index.ts';
import { awsCertificateManager } from './destinations/aws-certificate-manager/index.ts';
import { awsSecretsManager } from './destinations/aws-secrets-manager/index.ts';
import { azureKeyVault } from './destinations/azure-key-vault/index.ts';
import { cloudflareCustomCertificate } from './destinations/cloudflare-custom-certificate/index.ts';

const destinations = [awsCertificateManager, awsSecretsManager, azureKeyVault, cloudflareCustomCertificate] as const;
/** The published name of a destination of certificates. */
export type PkiSyncDestination = (typeof destinations)[number]['destination'];

/** Every destination of certificates. To add one, implement it in `destinations/` and name it here. */
export const pkiSyncs = defineFamily(destinations, 'destination', (destination, offered) =>
  badRequest('pki_sync.not_offered', `No certificates are synced to ${destination} yet; offered are ${offered}`),
);
