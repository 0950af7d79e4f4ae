import { z } from 'zod';
import { AwsTags } from '../../aws-tags.ts';

/** Options of resources that are created at AWS. */
export const AwsOptions = z.object({
  keyId: z.string().max(1024).optional(),
  tags: AwsTags.optional(),
});
export type AwsOptions = z.output<typeof AwsOptions>;

/** The same in AWS's form. */
export const creationOptionsOf = ({ keyId, tags }: AwsOptions, keyField: 'KmsKeyId' | 'KeyId') => ({
  ...(keyId && { [keyField]: keyId }),
  ...(tags?.length && { Tags: tags.map(({ key, value }) => ({ Key: key, Value: value })) }),
});
