import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { AwsFault, orReject, recoverFrom, serviceIn, urlOf, type AwsJson } from '../../../apps/aws/index.ts';
import { allPages, malformed, readExactly, rejected, RemoteName } from '../../../family/index.ts';
import { DomainError } from '../../../kernel/index.ts';
import { OF_PKI_SYNC } from '../../pki-sync/index.ts';
import type { AwsClient } from './aws.ts';
import { creationOptionsOf, tagChangesOf, type AwsOptions } from './creation.ts';

/** The recovery window of deleted secrets. */
const RECOVERY_DAYS = 7;
const BATCH = 20;
const PAGE = 100;
const Tag = z.object({ Key: z.string(), Value: z.string().optional() });
const Listed = z.object({ Name: RemoteName, Tags: z.array(Tag).default([]) });
const Page = z.object({ SecretList: z.array(Listed), NextToken: z.string().nullish() });

const Batch = z.object({
  SecretValues: z.array(z.object({ Name: RemoteName, SecretString: z.string().optional() })),
  Errors: z
    .array(z.object({ SecretId: z.string(), ErrorCode: z.string(), Message: z.string().default('') }))
    .default([]),
});
const Described = z.object({ Tags: z.array(z.object({ Key: z.string(), Value: z.string().default('') })).default([]) });
/** The error codes for missing secrets, and for those scheduled for deletion. */
const GONE = ['ResourceNotFoundException', 'InvalidRequestException'];

/** A client for the secrets of one region (AWS Secrets Manager). */
export class SecretsManager {
  readonly #aws: AwsJson;
  readonly #url: string;
  readonly #options: AwsOptions;
  /** As they are when the first item is tagged. */
  #tags: Promise<Map<string, z.output<typeof Listed>['Tags']>> | undefined;

  private constructor(aws: AwsJson, region: string, options: AwsOptions) {
    this.#aws = aws;
    this.#url = urlOf(serviceIn('secretsmanager', region));
    this.#options = options;
  }

  static async open(client: AwsClient, region: string, options: AwsOptions): Promise<SecretsManager> {
    const aws = await client.json('secretsmanager', region);
    return new SecretsManager(aws, region, options);
  }

  /**
   * The names and values in one secret; `undefined` if it does not exist. Rejects values that are not a JSON object.
   */
  async readObject(name: string): Promise<Readonly<Record<string, unknown>> | undefined> {
    const found = await recoverFrom(this.#aws('GetSecretValue', { SecretId: name }), GONE, () => undefined);
    return found && objectOf(this.#url, found['SecretString']);
  }

  /** The existing secrets among these names, or all; `undefined` if a value is not text, or of others and not readable. */
  async list(names: readonly string[], { isWhole }: { isWhole: boolean }): Promise<Map<string, string | undefined>> {
    const found = new Map<string, string | undefined>();
    const asked = new Set(names);
    const there = isWhole ? await this.#all() : new Map<string, z.output<typeof Listed>['Tags']>();
    // Private keys of certificates are not read to be compared.
    for (const [name, tags] of there) if (tags.some(({ Key }) => Key === OF_PKI_SYNC)) found.set(name, undefined);
    const all = [...new Set([...names, ...there.keys()])].filter((name) => !found.has(name));
    for (let at = 0; at < all.length; at += BATCH) {
      const input = { SecretIdList: all.slice(at, at + BATCH) };
      const { success, data } = Batch.safeParse(await orReject(this.#aws('BatchGetSecretValue', input)));
      if (!success) throw malformed(this.#url, 'no secrets');
      for (const { SecretId, ErrorCode, Message } of data.Errors) {
        if (GONE.includes(ErrorCode)) continue;
        if (asked.has(SecretId)) throw rejected(this.#url, 400, `${SecretId}: ${ErrorCode}: ${Message}`);
        found.set(SecretId, undefined);
      }
      for (const { Name, SecretString } of data.SecretValues) found.set(Name, SecretString);
    }
    return found;
  }

  /** All secrets, with their tags. */
  async #all(): Promise<Map<string, z.output<typeof Listed>['Tags']>> {
    const all = await allPages(async (token: string | undefined) => {
      const input = { MaxResults: PAGE, ...(token && { NextToken: token }) };
      const { success, data } = Page.safeParse(await orReject(this.#aws('ListSecrets', input)));
      if (!success) throw malformed(this.#url, 'no list of secrets');
      return { items: data.SecretList, next: data.NextToken };
    });
    return new Map(all.map(({ Name, Tags }) => [Name, Tags]));
  }

  /** Writes one secret: updates it, creates it, or restores it if it was deleted. */
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

  /** The tags of an existing secret. */
  async tagsOf(name: string): Promise<Readonly<Record<string, string>>> {
    const { success, data } = Described.safeParse(await orReject(this.#aws('DescribeSecret', { SecretId: name })));
    if (!success) throw malformed(this.#url, 'no secret');
    return Object.fromEntries(data.Tags.map(({ Key, Value }) => [Key, Value]));
  }

  async tag(name: string, metadata: ReadonlyMap<string, string>): Promise<void> {
    const present = (await (this.#tags ??= this.#all())).get(name) ?? [];
    const { add, remove } = tagChangesOf(present, metadata, this.#options);
    if (remove.length > 0) await orReject(this.#aws('UntagResource', { SecretId: name, TagKeys: remove }));
    if (add.length > 0) await orReject(this.#aws('TagResource', { SecretId: name, Tags: add }));
  }

  async remove(name: string): Promise<void> {
    const input = { SecretId: name, RecoveryWindowInDays: RECOVERY_DAYS };
    try {
      await this.#aws('DeleteSecret', input);
    } catch (error) {
      if (!(error instanceof AwsFault)) throw error;
      // One with replicas is refused by the code for one that is scheduled for deletion.
      if (!GONE.includes(error.code) || (await this.#isThere(name))) throw error.rejection;
    }
  }

  #isThere(name: string): Promise<boolean> {
    const read = this.#aws('GetSecretValue', { SecretId: name }).then(() => true);
    return recoverFrom(read, GONE, () => false);
  }
}

/** A value of others is not overwritten if it is not an object of names and values. */
function objectOf(url: string, text: unknown): Readonly<Record<string, unknown>> {
  try {
    const read = readExactly(text as string);
    if (typeof read === 'object' && read !== null && !Array.isArray(read)) return read as Record<string, unknown>;
  } catch (error) {
    // The parser's message quotes the text.
    if (error instanceof DomainError) throw error;
  }
  throw malformed(url, 'a secret that is no JSON object of names and values: choose another, or one-to-one');
}
