import { z } from 'zod';
import { CaCertificate } from '../../../../crypto/pem.ts';
import { sealed } from '../../../../family/sealed-field.ts';
import { text } from '../../../../kernel/schema.ts';
import { Host, NoGateway, OptionalStatement, Port, Statement } from '../../fields.ts';
import { PasswordRequirements } from '../../password-requirements.ts';

/** The published names of the kinds of databases. */
const CLIENTS = ['postgres', 'mysql2', 'mssql'] as const;

export const Inputs = z.object({
  client: z.enum(CLIENTS, `Supported: ${CLIENTS.join(', ')}`),
  host: Host,
  port: Port,
  database: text(255).min(1),
  username: text(255).min(1).describe('The user that creates the logins'),
  password: sealed(text(1024), { sentTo: ['client', 'host', 'port', 'ca'] }),
  passwordRequirements: PasswordRequirements.nullish(),
  creationStatement: Statement.describe('With {{username}}, {{password}}, {{expiration}} and {{database}}'),
  revocationStatement: Statement.describe('With {{username}} and {{database}}'),
  renewStatement: OptionalStatement.describe('With {{username}}, {{expiration}} and {{database}}'),
  ca: CaCertificate.nullish().describe(
    'PEM of the root certificate by which the server is trusted; makes TLS mandatory',
  ),
  gatewayId: NoGateway,
});
export type Inputs = z.output<typeof Inputs>;
