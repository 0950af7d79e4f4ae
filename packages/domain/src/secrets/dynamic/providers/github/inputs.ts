import { z } from 'zod';
import { sealed } from '../../../../family/sealed-field.ts';
import { text } from '../../../../kernel/schema.ts';

export const Inputs = z.object({
  appId: z.int().positive().describe('The ID of a GitHub App'),
  installationId: z.int().positive().describe('The ID of the installation whose repositories the tokens reach'),
  privateKey: sealed(text(16_384).trim().min(1).describe('A private key of the app, in PEM'), {
    sentTo: ['appId', 'installationId'],
  }),
});
export type Inputs = z.output<typeof Inputs>;
