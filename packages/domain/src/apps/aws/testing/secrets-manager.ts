import { AwsRefusal } from './answer.ts';
import { tagged, untagged } from './tags.ts';

type Input = Record<string, unknown>;

export interface StoredSecret {
  value: string;
  isDeleted: boolean;
  kmsKeyId?: unknown;
  tags?: { Key: string; Value: string }[];
}

/** AWS Secrets Manager, as far as syncs use it. */
export class SecretsManager {
  readonly secrets = new Map<string, StoredSecret>();

  #existing(id: unknown): StoredSecret {
    const secret = this.secrets.get(String(id));
    if (!secret)
      throw new AwsRefusal(400, 'ResourceNotFoundException', "Secrets Manager can't find the specified secret.");
    if (secret.isDeleted)
      throw new AwsRefusal(
        400,
        'InvalidRequestException',
        'You cannot do this to a secret that was marked for deletion.',
      );
    return secret;
  }

  readonly actions: Record<string, (input: Input) => object> = {
    GetSecretValue: ({ SecretId }) => ({ Name: SecretId, SecretString: this.#existing(SecretId).value }),
    DescribeSecret: ({ SecretId }) => ({ Name: SecretId, Tags: this.#existing(SecretId).tags ?? [] }),
    ListSecrets: ({ MaxResults, NextToken }) => {
      if (Number(MaxResults) > 100) throw new AwsRefusal(400, 'InvalidParameterException', 'One hundred at most');
      const all = [...this.secrets]
        .filter(([, { isDeleted }]) => !isDeleted)
        .map(([Name, { tags }]) => ({ Name, ...(tags && { Tags: tags }) }));
      const from = Number(NextToken ?? 0);
      const to = from + Number(MaxResults);
      return { SecretList: all.slice(from, to), ...(to < all.length && { NextToken: String(to) }) };
    },
    BatchGetSecretValue: ({ SecretIdList }) => {
      const ids = SecretIdList as string[];
      if (ids.length < 1 || ids.length > 20) throw new AwsRefusal(400, 'InvalidParameterException', 'One to twenty');
      const SecretValues: object[] = [];
      const Errors: object[] = [];
      for (const id of ids) {
        try {
          SecretValues.push({ Name: id, SecretString: this.#existing(id).value });
        } catch (error) {
          Errors.push({ SecretId: id, ErrorCode: (error as AwsRefusal).code, Message: (error as Error).message });
        }
      }
      return { SecretValues, Errors };
    },
    CreateSecret: ({ Name, SecretString, ClientRequestToken, KmsKeyId, Tags }) => {
      requireToken(ClientRequestToken);
      const known = this.secrets.get(String(Name));
      if (known?.isDeleted)
        throw new AwsRefusal(
          400,
          'InvalidRequestException',
          'A secret with this name is already scheduled for deletion.',
        );
      if (known) throw new AwsRefusal(400, 'ResourceExistsException', 'The secret already exists.');
      if (String(SecretString) === '') throw new AwsRefusal(400, 'InvalidParameterException', 'Too short');
      this.secrets.set(String(Name), {
        value: String(SecretString),
        isDeleted: false,
        ...(KmsKeyId !== undefined && { kmsKeyId: KmsKeyId }),
        ...(Tags !== undefined && { tags: Tags as StoredSecret['tags'] }),
      });
      return { Name };
    },
    PutSecretValue: ({ SecretId, SecretString, ClientRequestToken }) => {
      requireToken(ClientRequestToken);
      this.#existing(SecretId).value = String(SecretString);
      return { Name: SecretId };
    },
    DeleteSecret: ({ SecretId, RecoveryWindowInDays }) => {
      if (Number(RecoveryWindowInDays) < 7)
        throw new AwsRefusal(400, 'InvalidParameterException', 'Seven days at least');
      this.#existing(SecretId).isDeleted = true;
      return { Name: SecretId };
    },
    TagResource: ({ SecretId, Tags }) => {
      const secret = this.#existing(SecretId);
      secret.tags = tagged(secret.tags, Tags);
      return {};
    },
    UntagResource: ({ SecretId, TagKeys }) => {
      const secret = this.#existing(SecretId);
      secret.tags = untagged(secret.tags, TagKeys);
      return {};
    },
    RestoreSecret: ({ SecretId }) => {
      const secret = this.secrets.get(String(SecretId));
      if (!secret) throw new AwsRefusal(400, 'ResourceNotFoundException');
      secret.isDeleted = false;
      return { Name: SecretId };
    },
  };
}

function requireToken(token: unknown): void {
  if (typeof token !== 'string' || token.length < 32)
    throw new AwsRefusal(400, 'InvalidParameterException', 'Name a token');
}
