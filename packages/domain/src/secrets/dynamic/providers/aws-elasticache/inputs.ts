import { z } from 'zod';
import { REGION } from '../../../../apps/aws/service.ts';
import { sealed } from '../../../../family/sealed-field.ts';
import { text } from '../../../../kernel/schema.ts';
import { Statement } from '../../fields.ts';

const CLUSTER = 'Expected the name of a replication group';

export const Inputs = z.object({
  clusterName: text(40)
    .trim()
    .toLowerCase()
    .regex(/^[a-z](?:-?[a-z0-9])*$/, CLUSTER)
    .describe('The replication group, with a user group'),
  accessKeyId: text(128)
    .trim()
    .regex(/^\w{16,128}$/, 'Expected an access key ID')
    .meta({ examples: ['AKIAIOSFODNN7EXAMPLE'] }),
  secretAccessKey: sealed(text(1024).trim().min(1), { sentTo: ['region', 'accessKeyId'] }),
  region: text(32)
    .trim()
    .regex(REGION, 'Expected a region, for example eu-central-1')
    .meta({ examples: ['eu-central-1'] }),
  creationStatement: Statement.describe('JSON of a user, with {{username}} and {{password}}'),
  revocationStatement: Statement.describe('JSON with its UserId'),
  ca: text(20_000).nullish().describe('Not used: AWS is trusted by the roots of the system'),
});
export type Inputs = z.output<typeof Inputs>;
