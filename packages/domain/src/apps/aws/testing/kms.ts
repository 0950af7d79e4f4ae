import { AwsRefusal } from './answer.ts';

const PAGE = 2;

/** The aliases of KMS keys: https://docs.aws.amazon.com/kms/latest/APIReference/API_ListAliases.html */
export class Kms {
  /** Aliases that AWS has reserved have no key. */
  readonly aliases: { AliasName: string; TargetKeyId?: string }[] = [
    { AliasName: 'alias/aws/ssm' },
    ...['coffer', 'shop', 'web'].map((name) => ({ AliasName: `alias/${name}`, TargetKeyId: `key-of-${name}` })),
  ];

  readonly actions: Record<string, (input: Record<string, unknown>) => object> = {
    ListAliases: ({ Limit: limit, Marker: marker = '0' }) => {
      if (!(Number(limit) >= 1 && Number(limit) <= 100)) throw new AwsRefusal(400, 'ValidationException');
      const end = Number(marker) + PAGE;
      const more = end < this.aliases.length;
      const page = this.aliases.slice(Number(marker), end);
      return { Aliases: page, Truncated: more, ...(more && { NextMarker: String(end) }) };
    },
  };
}
