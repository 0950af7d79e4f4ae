import { z } from 'zod';
import { jsonOf, malformed, rejected, RemoteName } from '../../../../family/index.ts';
import { externalInfisical as connector, type SecretsApi } from '../../../apps/external-infisical/index.ts';
import { needed } from '../../../fields.ts';
import { defineSync, type DocumentStore } from '../../sync.ts';

const PATH = 'the path of a folder, as /web';
const BATCH = 1_000;
const Listed = z.object({
  secrets: z.array(
    z.object({
      secretKey: RemoteName,
      secretValue: z.string().nullish(),
      secretValueHidden: z.boolean().default(false),
      type: z.string().default('shared'),
    }),
  ),
});
const Changed = z.object({ secrets: z.array(z.unknown()) });

interface Place {
  readonly projectId: string;
  readonly environment: string;
  readonly secretPath: string;
}

/** The shared secrets of a folder: a list, and a batch each for all that is written and all that is removed. */
function openFolder(api: SecretsApi, place: Place): DocumentStore {
  let found: ReadonlyMap<string, string | null> = new Map();

  async function change(method: 'PATCH' | 'DELETE', secrets: readonly object[], more: object = {}): Promise<void> {
    for (let at = 0; at < secrets.length; at += BATCH) {
      const path = '/api/v4/secrets/batch';
      const answer = await api.ask(method, path, { ...place, ...more, secrets: secrets.slice(at, at + BATCH) });
      if (!Changed.safeParse(jsonOf(answer)).success)
        throw rejected(api.urlOf(path), answer.status, 'a change policy there asks for an approval');
    }
  }

  return {
    async read() {
      const query = new URLSearchParams({ ...place, viewSecretValue: 'true', include_imports: 'false' });
      const path = `/api/v4/secrets?${query.toString()}`;
      const { success, data } = Listed.safeParse(jsonOf(await api.ask('GET', path)));
      if (!success) throw malformed(api.urlOf(path), 'no list of secrets');
      found = new Map(
        data.secrets.flatMap(({ secretKey, secretValue, secretValueHidden, type }) =>
          type === 'shared' ? [[secretKey, secretValueHidden ? null : (secretValue ?? '')] as const] : [],
        ),
      );
      return Object.fromEntries(found);
    },
    async write(all) {
      const puts = Object.entries(all).flatMap(([secretKey, secretValue]) =>
        found.get(secretKey) === secretValue ? [] : [{ secretKey, secretValue }],
      );
      const gone = [...found.keys()].flatMap((secretKey) => (Object.hasOwn(all, secretKey) ? [] : [{ secretKey }]));
      await change('PATCH', puts, { mode: 'upsert' });
      await change('DELETE', gone);
    },
  };
}

export const externalInfisical = defineSync({
  connector,
  destination: 'external-infisical',
  title: 'External Infisical',
  config: z.object({
    projectId: needed('the ID of the project there', 64)
      .toLowerCase()
      .regex(/^[\w-]+$/, 'the ID of the project there')
      .meta({ examples: ['6f9c1d52-3c4e-4c8e-9a43-0f6f3b1f2b11'] }),
    environment: needed('the slug of the environment there', 64).regex(/^[\w-]+$/, 'the slug of the environment there'),
    secretPath: z
      .string()
      .trim()
      .max(1024)
      .regex(/^(?:\/[\w-]+)*\/?$/, PATH)
      .overwrite((path) => path.replace(/\/$/, '') || '/')
      .default('/')
      .meta({ examples: ['/web'] }),
  }),
  layout: ({ projectId, environment, secretPath }) => ({
    as: 'document',
    location: `${projectId} ${environment} ${secretPath}`,
    limits: {
      name: /^[^:/\s][^:/]{0,254}$/,
      expected: 'at most 255 characters without : and /',
      bytes: [0, 512 * 1024],
      secrets: 10_000,
    },
  }),
  open: openFolder,
});
