import { AwsRefusal } from './answer.ts';

interface Tag {
  readonly Key: string;
  readonly Value: string;
}

/** Tags with others, which replace those with the same keys. */
export function tagged(tags: readonly Tag[] = [], added: unknown): Tag[] {
  const all = new Map(tags.map((tag) => [tag.Key, tag]));
  for (const { Key, Value } of added as Tag[]) {
    if (
      !/^(?!aws:)[\p{L}\p{Z}\p{N}_.:/=+\-@]{1,128}$/u.test(Key) ||
      !/^[\p{L}\p{Z}\p{N}_.:/=+\-@]{0,256}$/u.test(Value)
    )
      throw new AwsRefusal(400, 'InvalidParameterException', `The tag ${Key} is invalid`);
    all.set(Key, { Key, Value });
  }
  if (all.size > 50) throw new AwsRefusal(400, 'TooManyTagsError', 'Fifty at most');
  return [...all.values()];
}

export const untagged = (tags: readonly Tag[] = [], keys: unknown): Tag[] =>
  tags.filter(({ Key }) => !(keys as string[]).includes(Key));
