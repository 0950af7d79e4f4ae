import { z } from 'zod';
import { aws as connector, Region } from '../../../../connections/apps/aws/index.ts';
import { definePkiSync, includeRootCa } from '../../destination.ts';
import { ACM_KEYS, CertificateManager } from './certificate-manager.ts';

export const awsCertificateManager = definePkiSync({
  connector,
  destination: 'aws-certificate-manager',
  title: 'AWS Certificate Manager',
  config: z.object({ region: Region }),
  options: z.object({
    includeRootCa,
    preserveArn: z.boolean().default(true).describe('Whether a renewed certificate keeps the ARN of the one before'),
  }),
  limits: {
    name: /^[\w/-]{1,256}$/,
    expected: 'letters, digits and _/-, and 256 of them at most',
    longestName: 256,
    keys: ACM_KEYS,
  },
  replaces: ({ preserveArn }) => preserveArn,
  open: async (client, { region }, { syncId }) =>
    new CertificateManager(await client.json('acm', region), region, syncId),
});
