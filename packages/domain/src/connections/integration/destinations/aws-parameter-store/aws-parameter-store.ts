import { z } from 'zod';
import { AwsCredentials, creationOptionsOf, openAws, orReject, Region, recoverFrom } from '../../aws.ts';
import { items, needed, type Destination } from '../../destination.ts';
import { malformed } from '../../../../family/index.ts';

const PATH = 'a path of parameters such as /app/dev/ (path)';
const Target = z.object({
  region: Region,
  path: needed(PATH, 1000)
    .regex(/^\/?(?:[\w.-]+\/)*[\w.-]*$/, PATH)
    .transform((path) => `/${path}/`.replace(/\/+/g, '/')),
});

const PAGE = 10;
const MAX_PAGES = 1_000;
const Page = z.object({
  Parameters: z.array(z.object({ Name: z.string(), Value: z.string().optional() })),
  NextToken: z.string().nullish(),
});

export const awsParameterStore: Destination = {
  slug: 'aws-parameter-store',
  title: 'AWS Parameter Store',
  credentials: AwsCredentials,
  mappings: {
    'one-to-one': items(AwsCredentials, {
      target: Target,
      place: ({ region, path }) => `${region} ${path}`,
      limits: { name: /^[\w.-]{1,255}$/, expected: 'letters, digits and _.-', bytes: [1, 8_192], secrets: 10_000 },
      listsAll: true,
      atOnce: 4,
      async open({ remote, credentials, target: { region, path }, settings }) {
        const aws = await openAws(remote, credentials, { service: 'ssm', region, prefix: 'AmazonSSM' });
        const url = `https://ssm.${region}.amazonaws.com/`;
        const folder = path === '/' ? path : path.slice(0, -1);
        return {
          async list() {
            const found = new Map<string, string | undefined>();
            let token: string | undefined;
            for (let page = 0; page < MAX_PAGES; page++) {
              const input = {
                Path: folder,
                WithDecryption: true,
                MaxResults: PAGE,
                ...(token && { NextToken: token }),
              };
              const { success, data } = Page.safeParse(await orReject(aws('GetParametersByPath', input)));
              if (!success) throw malformed(url, 'no parameters');
              for (const { Name, Value } of data.Parameters)
                if (Name.startsWith(path)) found.set(Name.slice(path.length), Value);
              if (!data.NextToken) return found;
              token = data.NextToken;
            }
            throw malformed(url, 'more pages of parameters than there can be');
          },
          async put(name, value, exists) {
            const input = { Name: path + name, Value: value, Type: 'SecureString' };
            const { Tags, ...making } = creationOptionsOf(settings, 'KeyId') as { Tags?: object };
            const overwrite = () => aws('PutParameter', { ...input, ...making, Overwrite: true });
            // AWS takes tags only with what it makes anew.
            const create = () => aws('PutParameter', { ...input, ...making, ...(Tags && { Tags }), Overwrite: false });
            await (exists
              ? orReject(overwrite())
              : recoverFrom(create(), ['ParameterAlreadyExists'], () => orReject(overwrite())));
          },
          remove: async (name) => {
            await recoverFrom(aws('DeleteParameter', { Name: path + name }), ['ParameterNotFound'], () => ({}));
          },
        };
      },
    }),
  },
};
