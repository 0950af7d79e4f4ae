import { z } from 'zod';
import { defineEvent, defineUpdate, Id, Uuid } from '../../kernel/schema.ts';
import { caChain, passphrase, rotatePassphrase } from '../est-config/fields.ts';

/** How clients enrol by EST (RFC 7030) on a template. The passphrase is not shown again. */
export const EstConfig = z.object({
  id: Uuid,
  certificateTemplateId: Uuid,
  isEnabled: z.boolean(),
  disableBootstrapCertValidation: z.boolean(),
  caChain: z.string().nullable().describe('PEM'),
});
export type EstConfig = z.output<typeof EstConfig>;
/** The response of an update. */
export const ChangedEstConfig = EstConfig.omit({ caChain: true }).extend({
  passphrase: z.string().optional().describe('Returned once, if it was generated'),
});
export type ChangedEstConfig = z.output<typeof ChangedEstConfig>;

export const EstTemplateRef = z.object({ certificateTemplateId: Id });
export type EstTemplateRef = z.output<typeof EstTemplateRef>;

export const CreateEstConfig = EstTemplateRef.extend({
  passphrase: passphrase.optional().describe('Default: generated, and returned once'),
  caChain: caChain.optional(),
  isEnabled: z.boolean().default(true),
  disableBootstrapCertValidation: z.boolean().default(false),
});
export type CreateEstConfig = z.output<typeof CreateEstConfig>;

export const UpdateEstConfig = EstTemplateRef.extend({
  passphrase: passphrase.optional(),
  rotatePassphrase,
  caChain: caChain.optional(),
  isEnabled: z.boolean().optional(),
  disableBootstrapCertValidation: z.boolean().optional(),
});
export type UpdateEstConfig = z.output<typeof UpdateEstConfig>;

const data = z.object({ certificateTemplateId: z.string(), isEnabled: z.boolean() });
export const estConfigCreated = defineEvent('est_config.created', 'create-certificate-template-est-config', data);
export const estConfigUpdated = defineUpdate('est_config.updated', 'update-certificate-template-est-config', data);
export const estConfigRead = defineEvent(
  'est_config.read',
  'get-certificate-template-est-config',
  data.omit({ isEnabled: true }),
);
