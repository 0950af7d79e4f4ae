import { z } from 'zod';
import { CaCertificate } from '../../../../crypto/pem.ts';
import { sealed } from '../../../../family/sealed-field.ts';
import { text } from '../../../../kernel/schema.ts';
import { Host, Port } from '../../fields.ts';

export const PORT = 27_017;

export const Inputs = z.object({
  host: Host,
  port: Port.optional().describe(`Default: ${PORT}`),
  username: text(255).min(1).describe('The user that creates the users, in the database admin'),
  password: sealed(text(1024).min(1), { sentTo: ['host', 'port', 'ca'] }),
  database: text(63)
    .trim()
    .min(1)
    .regex(/^[^/\\. "$*<>:|?]+$/, 'Expected the name of a database')
    .describe('The database in which the users are created'),
  ca: CaCertificate.nullish().describe('PEM of the root certificate by which the server is trusted. Empty: no TLS'),
  roles: z
    .array(text(128).trim().min(1))
    .min(1)
    .max(50)
    .describe('Roles of that database, or built-in roles such as readWrite'),
});
export type Inputs = z.output<typeof Inputs>;
