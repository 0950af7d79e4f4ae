import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { orReject, recoverFrom, serviceIn, urlOf, type AwsJson } from '../../../../apps/aws/index.ts';
import { malformed, readExactly, rejected } from '../../../../family/index.ts';
import { creationOptionsOf, type AwsClient, type AwsOptions } from '../../../apps/aws/index.ts';
import type { SecretStore } from '../../sync.ts';

/** Until a secret that was removed is gone for good. */
const RECOVERY_DAYS = 7;
const BATCH = 20;

const Batch = z.object({
  SecretValues: z.array(z.object({ Name: z.string(), SecretString: z.string().optional() })),
  Errors: z
    .array(z.object({ SecretId: z.string(), ErrorCode: z.string(), Message: z.string().default('') }))
    .default([]),
});
/** What is not there, or is on its way out. */
const GONE = ['ResourceNotFoundException', 'InvalidRequestException'];

/** The secrets of one region, as the API of AWS Secrets Manager has them. */
export class SecretsManager implements SecretStore {
  readonly #aws: AwsJson;
  readonly #url: string;
  readonly #options: AwsOptions;

  private constructor(aws: AwsJson, region: string, options: AwsOptions) {
    this.#aws = aws;
    this.#url = urlOf(serviceIn('secretsmanager', region));
    this.#options = options;
  }

  static async open(client: AwsClient, region: string, options: AwsOptions): Promise<SecretsManager> {
    const aws = await client('secretsmanager', region);
    return new SecretsManager(aws, region, options);
  }

  /** The names and values in one secret; `undefined` where it is not there. What is no JSON object is refused. */
  async readObject(name: string): Promise<Readonly<Record<string, unknown>> | undefined> {
    const found = await recoverFrom(this.#aws('GetSecretValue', { SecretId: name }), GONE, () => undefined);
    return found && objectOf(this.#url, found['SecretString']);
  }

  /** Those of these names that are there; `undefined` where one is no text. */
  async list(names: readonly string[]): Promise<Map<string, string | undefined>> {
    const found = new Map<string, string | undefined>();
    for (let at = 0; at < names.length; at += BATCH) {
      const input = { SecretIdList: names.slice(at, at + BATCH) };
      const { success, data } = Batch.safeParse(await orReject(this.#aws('BatchGetSecretValue', input)));
      if (!success) throw malformed(this.#url, 'no secrets');
      const fault = data.Errors.find(({ ErrorCode }) => !GONE.includes(ErrorCode));
      if (fault) throw rejected(this.#url, 400, `${fault.SecretId}: ${fault.ErrorCode}: ${fault.Message}`);
      for (const { Name, SecretString } of data.SecretValues) found.set(Name, SecretString);
    }
    return found;
  }

  /** Writes one secret, whether it is there, is not, or was removed and can still be taken back. */
  async put(name: string, text: string, exists: boolean): Promise<void> {
    const put = () =>
      this.#aws('PutSecretValue', { SecretId: name, SecretString: text, ClientRequestToken: randomUUID() });
    const create = () =>
      this.#aws('CreateSecret', {
        Name: name,
        SecretString: text,
        ClientRequestToken: randomUUID(),
        ...creationOptionsOf(this.#options, 'KmsKeyId'),
      });
    const restore = async () => {
      await recoverFrom(this.#aws('RestoreSecret', { SecretId: name }), ['InvalidRequestException'], () => ({}));
      return orReject(put());
    };
    if (exists) await recoverFrom(put(), ['ResourceNotFoundException'], () => orReject(create()));
    else await recoverFrom(create(), ['ResourceExistsException', 'InvalidRequestException'], restore);
  }

  async remove(name: string): Promise<void> {
    const input = { SecretId: name, RecoveryWindowInDays: RECOVERY_DAYS };
    await recoverFrom(this.#aws('DeleteSecret', input), GONE, () => ({}));
  }
}

/** What others have put there is not overwritten where it is no object of names and values. */
function objectOf(url: string, text: unknown): Readonly<Record<string, unknown>> {
  try {
    const read = readExactly(text as string);
    if (typeof read === 'object' && read !== null && !Array.isArray(read)) return read as Record<string, unknown>;
  } catch {
    // What the parser says quotes the text.
  }
  throw malformed(url, 'a secret that is no JSON object of names and values: choose another, or one-to-one');
}
