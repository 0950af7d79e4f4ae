import { z } from 'zod';
import { SERVICE_ACCOUNT } from '../../../../apps/gcp/account.ts';
import { text } from '../../../../kernel/schema.ts';

export const Inputs = z.object({
  serviceAccountEmail: text(254)
    .trim()
    .regex(SERVICE_ACCOUNT, 'Expected the e-mail address of a service account')
    .describe(
      'The service account whose tokens are leased. Its name ends with the first two parts of the organization ID',
    )
    .meta({ examples: ['shop-df92581a-0fe9@acme.iam.gserviceaccount.com'] }),
});
export type Inputs = z.output<typeof Inputs>;
