import { notFound, statement, type Ability, type Context, type Fields, type Permission } from '../../kernel/index.ts';
import { folderAt, folderPermissions, requireVisible } from '../../secrets/folder/index.ts';
import { secretPermissions, SHARED_SECRET_AT } from '../../secrets/secret/index.ts';
import { authorize, grant, HIDDEN, organizationOf, projectPermissions, projectSubjects } from '../../access/index.ts';

/** A secret, or a folder. */
export interface QueriedPlace {
  readonly projectId: string;
  readonly environment: string;
  readonly secretPath: string;
  readonly secretName?: string | undefined;
}

export interface FoundPlace {
  /** Of the secret. */
  readonly secretTags: string[] | null;
  /** The fields that rules use. For a folder, the names and tags of its secrets are hidden. */
  readonly fields: Fields;
  /** What can be done there. */
  readonly permissions: readonly Permission[];
}

const SECRET = statement(
  'access.secret',
  `select array(select t.slug from tags t where t.id = any(s.tag_ids) order by t.slug) as tags from ${SHARED_SECRET_AT}`,
);

const { describeSecret, readValue, create, edit, delete: remove } = secretPermissions;
const OF_SECRETS = [describeSecret, readValue, create, edit, remove];

/** Everything that can be done in a folder. */
const IN_FOLDERS: readonly Permission[] = [
  ...Object.values(folderPermissions),
  ...OF_SECRETS,
  ...Object.entries(projectSubjects)
    .filter(([subject, entry]) => !['secret-folders', 'secrets'].includes(subject) && hasPlace(entry))
    .flatMap(([subject]): Permission[] => Object.values(projectPermissions(subject as keyof typeof projectSubjects))),
];

function hasPlace(entry: object): boolean {
  return 'conditions' in entry && (entry.conditions as readonly string[]).includes('secretPath');
}

/**
 * The secret or folder of a query. The caller learns no more about it than by reading it.
 *
 * @throws DomainError 403 and 404 as the single read of the secret, or of the folder, does.
 */
export async function findPlace(ctx: Context, ability: Ability, asked: QueriedPlace): Promise<FoundPlace> {
  const { projectId, environment, secretPath, secretName } = asked;
  if (secretName === undefined) {
    grant(ctx, folderPermissions.read);
    requireVisible(ability, { environment, secretPath });
    await folderAt(ctx, { projectId, environment, path: secretPath });
    const fields = { environment, secretPath, secretName: HIDDEN, secretTags: HIDDEN, metadata: HIDDEN };
    return { secretTags: null, fields, permissions: IN_FOLDERS };
  }
  const where = [organizationOf(ctx), projectId, environment, secretPath, secretName];
  const [row] = await ctx.sql<{ tags: string[] }>(SECRET, where);
  const fields = { environment, secretPath, secretName, secretTags: row?.tags ?? [] };
  await authorize(ctx, describeSecret, { projectId, ...fields });
  if (!row) throw notFound('secret');
  return { secretTags: row.tags, fields, permissions: OF_SECRETS };
}
