import { z } from 'zod';
import { CaCertificate } from '../../../../crypto/pem.ts';
import { sealed } from '../../../../family/sealed-field.ts';
import { text } from '../../../../kernel/schema.ts';
import { Host, NoGateway, OptionalStatement, Port, Statement } from '../../fields.ts';

export const Inputs = z.object({
  host: Host.describe('A node of the cluster, or several with commas between them'),
  port: Port,
  localDataCenter: text(255).min(1).describe('The data center of these nodes'),
  keyspace: text(48)
    .regex(/^\w*$/, 'Expected letters, digits and underscores')
    .nullish()
    .describe('The keyspace that statements are about, and {{keyspace}}'),
  username: text(255).min(1).describe('The role that creates the roles'),
  password: sealed(text(1024), { sentTo: ['host', 'port', 'ca'] }),
  creationStatement: Statement.describe('With {{username}}, {{password}}, {{expiration}} and {{keyspace}}'),
  revocationStatement: Statement.describe('With {{username}} and {{keyspace}}'),
  renewStatement: OptionalStatement.describe('With {{username}}, {{expiration}} and {{keyspace}}'),
  ca: CaCertificate.nullish().describe('PEM of the root certificate by which the nodes are trusted. Empty: no TLS'),
  gatewayId: NoGateway,
});
export type Inputs = z.output<typeof Inputs>;
