import { z } from 'zod';
import { CaCertificate } from '../../../../crypto/pem.ts';
import { sealed } from '../../../../family/sealed-field.ts';
import { text } from '../../../../kernel/schema.ts';
import { HttpHost, Port } from '../../fields.ts';

const Pattern = text(1024).describe('A regular expression of resource names. Empty: none');

export const Inputs = z.object({
  host: HttpHost.describe('Address of the management plugin. Default scheme: https://'),
  port: Port.describe('Port of the management plugin, for example 15672 or 15671'),
  tags: z
    .array(
      text(255)
        .trim()
        .regex(/^[^\s,]+$/, 'Expected a tag without commas and spaces'),
    )
    .max(50)
    .default([])
    .describe('Tags of the users, for example monitoring; messaging needs none'),
  username: text(255).min(1).describe('The user that creates the users; needs the tag administrator'),
  password: sealed(text(1024), { sentTo: ['host', 'port', 'ca'] }),
  ca: CaCertificate.nullish().describe(
    'PEM of the root certificate by which the server is trusted; excludes plain HTTP',
  ),
  virtualHost: z.object({
    name: text(255)
      .min(1)
      // A URL has no place for these.
      .refine((name) => name !== '.' && name !== '..', 'Expected another name'),
    permissions: z.object({ read: Pattern, write: Pattern, configure: Pattern }),
  }),
});
export type Inputs = z.output<typeof Inputs>;
