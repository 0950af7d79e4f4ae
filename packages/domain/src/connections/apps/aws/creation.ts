import { z } from 'zod';
import { AwsTags } from '../../aws-tags.ts';

/** Options of resources that are created at AWS. */
export const AwsOptions = z.object({
  keyId: z.string().max(1024).optional(),
  tags: AwsTags.optional(),
  syncSecretMetadataAsTags: z
    .boolean()
    .optional()
    .describe('Whether the tags of each item are the metadata of its secret, and `tags`, which take precedence'),
});
export type AwsOptions = z.output<typeof AwsOptions>;

interface AwsTag {
  readonly Key: string;
  readonly Value?: string | undefined;
}

/** What makes the tags of an item those of its secret. Tags of AWS itself stay. */
export function tagChangesOf(present: readonly AwsTag[], metadata: ReadonlyMap<string, string>, { tags }: AwsOptions) {
  const wanted = new Map([...metadata, ...(tags ?? []).map(({ key, value }) => [key, value] as const)]);
  const known = new Map(present.map(({ Key, Value = '' }) => [Key, Value]));
  return {
    add: [...wanted].flatMap(([Key, Value]) => (known.get(Key) === Value ? [] : [{ Key, Value }])),
    remove: [...known.keys()].filter((key) => !wanted.has(key) && !key.startsWith('aws:')),
  };
}

/** The same in AWS's form. */
export const creationOptionsOf = ({ keyId, tags }: AwsOptions, keyField: 'KmsKeyId' | 'KeyId') => ({
  ...(keyId && { [keyField]: keyId }),
  ...(tags?.length && { Tags: tags.map(({ key, value }) => ({ Key: key, Value: value })) }),
});
