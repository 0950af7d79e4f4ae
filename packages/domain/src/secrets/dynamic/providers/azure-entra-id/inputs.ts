import { z } from 'zod';
import { sealed } from '../../../../family/sealed-field.ts';
import { text } from '../../../../kernel/schema.ts';

const TENANT = 'Expected the ID of a tenant, or one of its domains';

export const Application = z.object({
  tenantId: text(254)
    .trim()
    .regex(/^[a-z0-9](?:[a-z0-9.-]{0,252}[a-z0-9])?$/i, TENANT)
    .meta({ examples: ['11112222-bbbb-3333-cccc-4444dddd5555'] }),
  applicationId: text(128)
    .trim()
    .regex(/^[\w-]+$/, 'Expected the client ID of an application')
    .describe('The client ID of the application with which Coffer calls Microsoft Graph'),
  clientSecret: sealed(
    text(1024)
      .trim()
      .regex(/^[\x21-\x7e]+$/, 'Expected a client secret')
      .describe('A client secret of the application'),
    { sentTo: ['tenantId', 'applicationId'] },
  ),
});
export const Inputs = Application.extend({
  userId: text(128)
    .trim()
    .regex(/^[\w-]+$/, 'Expected the object ID of a user')
    .describe('The object ID of the user whose password each lease sets'),
  email: text(320)
    .trim()
    .regex(/^[^\s@]+@[^\s@]+$/, 'Expected an e-mail address')
    .describe('The user principal name, or e-mail address, of the same user')
    .meta({ examples: ['ci@acme.example'] }),
});
export type Inputs = z.output<typeof Inputs>;
