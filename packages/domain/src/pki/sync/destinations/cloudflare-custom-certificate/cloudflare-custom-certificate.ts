import { z } from 'zod';
import { cloudflare as connector } from '../../../../connections/apps/cloudflare/index.ts';
import { needed } from '../../../../connections/connection/index.ts';
import { definePkiSync } from '../../destination.ts';
import { CustomCertificates } from './custom-certificates.ts';

const ZONE = 'the ID of a zone, 32 hexadecimal digits';

export const cloudflareCustomCertificate = definePkiSync({
  connector,
  destination: 'cloudflare-custom-certificate',
  title: 'Cloudflare Custom Certificate',
  config: z.object({
    zoneId: needed(ZONE)
      .toLowerCase()
      .regex(/^[0-9a-f]{32}$/, ZONE)
      .meta({ examples: ['023e105f4ecef8ad9ca31a8372d0c353'] }),
  }),
  options: z.object({}),
  limits: {
    // Names are kept here only: certificates have IDs there.
    name: /^[\w/-]{1,255}$/,
    expected: 'letters, digits and _/-, and 255 of them at most',
    longestName: 255,
    keys: ['RSA_2048', 'RSA_3072', 'RSA_4096', 'EC_prime256v1', 'EC_secp384r1'],
  },
  // A zone has one on most plans.
  replaces: () => true,
  open: (client, { zoneId }) => new CustomCertificates(client, zoneId),
});
