import { z } from 'zod';
import { sealed } from '../../../../family/sealed-field.ts';
import { text } from '../../../../kernel/schema.ts';

const Name = text(255).trim().min(1);
const EXPECTED = 'Expected the ID of a project: 24 hexadecimal digits';

export const Inputs = z.object({
  adminPublicKey: text(255)
    .trim()
    .regex(/^[\w-]+$/, 'Expected a public key')
    .describe('The public key of an API key of the project'),
  adminPrivateKey: sealed(text(255).trim().min(1).describe('The private key of the API key'), {
    sentTo: ['adminPublicKey', 'groupId'],
  }),
  groupId: text(24)
    .trim()
    .toLowerCase()
    .regex(/^[0-9a-f]{24}$/, EXPECTED)
    .meta({ examples: ['5f1b2c3d4e5f60718293a4b5'] })
    .describe('The ID of the project'),
  roles: z
    .array(
      z.object({
        databaseName: Name,
        roleName: Name.describe('A built-in or custom role, such as readWrite'),
        collectionName: Name.nullish(),
      }),
    )
    .min(1)
    .max(50)
    .describe('Roles of the users'),
  scopes: z
    .array(z.object({ name: Name, type: z.enum(['CLUSTER', 'DATA_LAKE', 'STREAM']) }))
    .max(50)
    .default([])
    .describe('What the users reach; none: everything in the project'),
});
export type Inputs = z.output<typeof Inputs>;
