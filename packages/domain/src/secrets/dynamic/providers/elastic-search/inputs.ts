import { z } from 'zod';
import { CaCertificate } from '../../../../crypto/pem.ts';
import { sealed } from '../../../../family/sealed-field.ts';
import { text } from '../../../../kernel/schema.ts';
import { HttpHost, Port } from '../../fields.ts';

const Auth = z.discriminatedUnion(
  'type',
  [
    z.object({
      type: z.literal('user'),
      username: text(1024).min(1),
      password: sealed(text(1024).min(1)),
    }),
    z.object({
      type: z.literal('api-key'),
      apiKeyId: text(1024).trim().min(1),
      apiKey: sealed(text(1024).trim().min(1)),
    }),
  ],
  'Supported: user, api-key',
);

export const Inputs = z.object({
  host: HttpHost.describe('Address of the cluster. Default scheme: https://'),
  port: Port.describe('For example 9200'),
  roles: z.array(text(507).trim().min(1)).min(1).max(100).describe('Roles of the users'),
  auth: sealed(Auth.describe('Who creates the users: needs the cluster privilege manage_security'), {
    sentTo: ['host', 'port', 'ca'],
  }),
  ca: CaCertificate.nullish().describe(
    'PEM of the root certificate by which the server is trusted; excludes plain HTTP',
  ),
});
export type Inputs = z.output<typeof Inputs>;
