import { z } from 'zod';
import { CaCertificate } from '../../../../crypto/pem.ts';
import { sealed } from '../../../../family/sealed-field.ts';
import { text } from '../../../../kernel/schema.ts';
import { Host, OptionalStatement, Port, Statement } from '../../fields.ts';

export const Inputs = z.object({
  host: Host,
  port: Port,
  username: text(255).trim().describe('The user that creates the users; empty or default: the default user'),
  password: sealed(text(1024).nullish(), { sentTo: ['host', 'port', 'ca'] }),
  creationStatement: Statement.describe('With {{username}}, {{password}} and {{expiration}}'),
  revocationStatement: Statement.describe('With {{username}}'),
  renewStatement: OptionalStatement.describe('With {{username}} and {{expiration}}'),
  ca: CaCertificate.nullish().describe('PEM of the root certificate by which the server is trusted. Empty: no TLS'),
});
export type Inputs = z.output<typeof Inputs>;
