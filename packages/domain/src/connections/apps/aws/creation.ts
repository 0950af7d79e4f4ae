import { z } from 'zod';

export const AwsTags = z.array(z.object({ key: z.string().min(1).max(128), value: z.string().max(256) })).max(50);

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
