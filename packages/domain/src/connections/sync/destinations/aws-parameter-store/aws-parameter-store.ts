import { z } from 'zod';
import { orReject, recoverFrom, serviceIn, urlOf } from '../../../../apps/aws/index.ts';
import { allPages, malformed, RemoteName } from '../../../../family/index.ts';
import { AwsOptions, aws as connector, creationOptionsOf, Region, tagChangesOf } from '../../../apps/aws/index.ts';
import { needed } from '../../../fields.ts';
import { defineSync, type Limits } from '../../sync.ts';

const PATH = 'a path of parameters such as /app/dev/';
const PAGE = 10;
const Page = z.object({
  Parameters: z.array(z.object({ Name: RemoteName, Value: z.string().optional() })),
  NextToken: z.string().nullish(),
});

const TagsOfOne = z.object({
  TagList: z.array(z.object({ Key: z.string(), Value: z.string().optional() })).default([]),
});

const limits: Limits = {
  name: /^[\w.-]{1,255}$/,
  expected: 'letters, digits and _.-',
  bytes: [1, 8_192],
  secrets: 10_000,
  concurrency: 4,
};

export const awsParameterStore = defineSync({
  connector,
  destination: 'aws-parameter-store',
  title: 'AWS Parameter Store',
  config: z.object({
    region: Region,
    path: needed(PATH, 1000)
      .regex(/^\/?(?:[\w.-]+\/)*[\w.-]*$/, PATH)
      .overwrite((path) => `/${path}/`.replace(/\/+/g, '/'))
      .meta({ examples: ['/app/dev/'] }),
  }),
  options: AwsOptions,
  writesMetadata: (_config, { syncSecretMetadataAsTags = false }) => syncSecretMetadataAsTags,
  layout: ({ region, path }) => ({ as: 'secrets', location: `${region} ${path}`, limits, listsAll: true }),
  async open(client, { region, path }, options) {
    const aws = await client.json('ssm', region);
    const url = urlOf(serviceIn('ssm', region));
    const folder = path === '/' ? path : path.slice(0, -1);
    return {
      async list() {
        const found = new Map<string, string | undefined>();
        const parameters = await allPages(async (token: string | undefined) => {
          const input = { Path: folder, WithDecryption: true, MaxResults: PAGE, ...(token && { NextToken: token }) };
          const { success, data } = Page.safeParse(await orReject(aws('GetParametersByPath', input)));
          if (!success) throw malformed(url, 'no parameters');
          return { items: data.Parameters, next: data.NextToken };
        });
        for (const { Name, Value } of parameters) if (Name.startsWith(path)) found.set(Name.slice(path.length), Value);
        return found;
      },
      async put(name, value, exists) {
        const { Tags, ...making } = creationOptionsOf(options, 'KeyId');
        const input = { Name: path + name, Value: value, Type: 'SecureString', ...making };
        const overwrite = () => aws('PutParameter', { ...input, Overwrite: true });
        // AWS accepts tags only on creation.
        const create = () => aws('PutParameter', { ...input, ...(Tags && { Tags }), Overwrite: false });
        await (exists
          ? orReject(overwrite())
          : recoverFrom(create(), ['ParameterAlreadyExists'], () => orReject(overwrite())));
      },
      remove: async (name) => {
        await recoverFrom(aws('DeleteParameter', { Name: path + name }), ['ParameterNotFound'], () => ({}));
      },
      async tag(name, metadata) {
        const parameter = { ResourceType: 'Parameter', ResourceId: path + name };
        const { success, data } = TagsOfOne.safeParse(await orReject(aws('ListTagsForResource', parameter)));
        if (!success) throw malformed(url, 'no list of tags');
        const { add, remove } = tagChangesOf(data.TagList, metadata, options);
        if (remove.length > 0) await orReject(aws('RemoveTagsFromResource', { ...parameter, TagKeys: remove }));
        if (add.length > 0) await orReject(aws('AddTagsToResource', { ...parameter, Tags: add }));
      },
    };
  },
  integration: { name: 'aws-parameter-store', fields: { region: 'region', path: 'path' }, mappings: ['one-to-one'] },
});
