import { createHash } from 'node:crypto';
import {
  badRequest,
  inTransaction,
  mapInTurns,
  newId,
  record,
  statement,
  WorkBudget,
  type Context,
  type KeySet,
  type Transaction,
} from '../../../kernel/index.ts';
import { defineChange } from '../../approval/index.ts';
import { revisionOf, type Scope } from '../../commit/index.ts';
import { lockNames } from '../../meaning/index.ts';
import {
  contentOfFolder,
  draftOf,
  newCopy,
  openingCost,
  RewriteLimit,
  rowsOfFolder,
  withMeaning,
  writeCopies,
  type Draft,
  type FolderContent,
  type SecretRow,
} from '../../secret/index.ts';
import { importReplicated, RunAs } from './replication.ts';
import { requireRunAs } from './run-as.ts';

/** Maximum number of secrets that one replication copies. */
const MAX_COPIED = 100_000;

/** The same in bytes of values, which are compared with those of the copies. */
const MAX_COPIED_BYTES = 64 * 1024 * 1024;

/** A replication with its source and destination. */
interface ReplicationRow {
  organizationId: string;
  projectId: string;
  runAs: unknown;
  isSuccess: boolean | null;
  digest: string | null;
  /** Of the import. */
  environment: string;
  secretPath: string;
  /** Of the copies. */
  folderId: string;
  folderPath: string;
  sourceEnvironment: string;
  sourcePath: string;
}

const LOCK = statement(
  'replication.lock',
  `select i.organization_id as "organizationId", i.project_id as "projectId", i.replicated_by as "runAs",
     i.is_replication_success as "isSuccess", i.replication_digest as digest, e.slug as environment,
     d.path as "secretPath", f.id as "folderId", f.path as "folderPath", s.slug as "sourceEnvironment",
     i.import_path as "sourcePath"
   from secret_imports i join folders d on d.id = i.folder_id join environments e on e.id = d.environment_id
   join folders f on f.replicates = i.id join environments s on s.id = i.import_environment_id
   where i.organization_id = $1 and i.id = $2 and i.replicated_by is not null for update of i`,
);
const PROJECT = statement(
  'replication.project',
  'select project_id as "projectId" from secret_imports where organization_id = $1 and id = $2',
);
const DONE = statement(
  'replication.done',
  `update secret_imports set is_replication_success = true, replication_status = null, last_replicated = $2,
     replication_digest = $3, replication_revision = $4, replication_failures = 0, replication_due = null
   where id = $1`,
);

export interface Replicate {
  readonly organizationId: string;
  readonly importId: string;
}

export interface Seen {
  readonly digest: string;
  readonly revision: string;
}

/** The input of a replication, locked or read. */
interface Work {
  /** The revision of the project, or an earlier one than the read data. */
  readonly revision: string;
  readonly row: ReplicationRow;
  readonly scope: Scope;
  readonly content: FolderContent;
  readonly copies: readonly SecretRow[];
}

async function look(tx: Transaction, { organizationId, importId }: Replicate): Promise<Work | undefined> {
  const [found] = await tx.sql<{ projectId: string }>(PROJECT, [organizationId, importId]);
  if (!found) return undefined;
  // Moves of folders and environments take these locks before the rows of imports.
  await lockNames(tx, 'exclusive', found);
  const [row] = await tx.sql<ReplicationRow>(LOCK, [organizationId, importId]);
  if (!row) return undefined;
  const { projectId, sourceEnvironment: environment, sourcePath: secretPath } = row;
  const revision = await revisionOf(tx, projectId);
  const content = await contentOfFolder(tx, { projectId, environment, secretPath }, MAX_COPIED_BYTES);
  if (content.secrets.size > MAX_COPIED)
    throw badRequest('secret_import.too_many', `A replication can copy at most ${MAX_COPIED} secrets`);
  if (content.isTooLarge)
    throw badRequest(
      'secret_import.too_large',
      `A replication can copy at most ${MAX_COPIED_BYTES / 1024 / 1024} MiB of values: replicate folders at a deeper level`,
    );
  const scope = { organizationId, projectId };
  await requireRunAs(tx, scope, RunAs.parse(row.runAs), content);
  return { revision, row, scope, content, copies: await rowsOfFolder(tx, scope, row.folderId) };
}

/** A digest of everything that determines the result of a replication, without values. */
async function digestOf({ content, copies, row }: Work): Promise<string> {
  const hash = createHash('sha256');
  // The text of one JSON array, in pieces.
  const list = async <T>(things: readonly T[], textOf: (thing: T) => unknown) => {
    let separator = '[';
    await mapInTurns(things, COST_OF_TRAIT, (thing) => {
      hash.update(separator + JSON.stringify(textOf(thing)));
      separator = ',';
    });
    hash.update(things.length === 0 ? '[]' : ']');
  };
  hash.update(`[${JSON.stringify(row.sourceEnvironment)},${JSON.stringify(row.sourcePath)},[`);
  for (const [index, traits] of content.traits.entries()) {
    if (index > 0) hash.update(',');
    await list(traits, (trait) => trait);
  }
  hash.update('],');
  await list(copies, (copy) => [copy.id, copy.version, copy.tags?.map((tag) => tag.id)]);
  return hash.update(']').digest('base64url');
}

/** As of `WorkBudget`. */
const COST_OF_TRAIT = 4;

/**
 * The changes that a replication must make. If a change policy covers its destination, they are requested like changes
 * of users.
 */
export const replicateImport = defineChange('secret_import.replicate', (ctx: Context, input: Replicate) =>
  inTransaction(ctx, async (tx) => {
    const work = await look(tx, input);
    if (!work) return;
    const { revision, row, scope, content, copies } = work;
    const { importId } = input;
    // What was copied is as it was, and so are the copies.
    if (row.isSuccess && row.digest === (await digestOf(work))) {
      await tx.sql(DONE, [importId, tx.now(), row.digest, revision]);
      return;
    }
    const keys = await tx.keys.project(scope.organizationId, scope.projectId);
    const plan = await planOf(keys, row, content, copies);
    const { created, updated, removed } = plan;
    const isChanged = created.length + updated.length + removed.length > 0;
    if (isChanged) {
      await writeCopies(tx, scope, plan);
      const { environment, secretPath } = row;
      const counts = { created: created.length, updated: updated.length, deleted: removed.length };
      record(tx, importReplicated, { environment, secretPath, secretImportId: importId, ...counts }, scope);
    }
    const now = isChanged ? await rowsOfFolder(tx, scope, row.folderId) : copies;
    await tx.sql(DONE, [importId, tx.now(), await digestOf({ ...work, copies: now }), revision]);
  }),
);

/** The digest of the changes, and the revision at which it was read; for pending requests. */
export const lookNow = (ctx: Context, input: Replicate): Promise<Seen | undefined> =>
  inTransaction(ctx, async (tx) => {
    const work = await look(tx, input);
    return work && { digest: await digestOf(work), revision: work.revision };
  });

async function planOf(keys: KeySet, row: ReplicationRow, content: FolderContent, copies: readonly SecretRow[]) {
  const place = { folderId: row.folderId, environment: row.environment, path: row.folderPath };
  const there = new Map(copies.map((copy) => [copy.key, copy]));
  const created: Draft[] = [];
  const updated: Draft[] = [];
  const pace = new WorkBudget();
  const limit = new RewriteLimit();
  for (const source of content.secrets.values()) {
    await pace.spendAndRest(4 * openingCost(source));
    const copy = await withMeaning(newCopy(keys, source, { ...place, id: newId() }), source, content, limit);
    const present = there.get(source.key);
    if (!present) {
      created.push(copy);
      continue;
    }
    const old = draftOf(keys, present);
    if (said(old) === said(copy)) continue;
    const { id, version, createdAt, before } = old;
    updated.push({ ...copy, id, version, createdAt, before });
  }
  const removed = copies.filter((copy) => !content.secrets.has(copy.key)).map((copy) => copy.id);
  return { created, updated, removed };
}

/** What two versions of a copy are compared by. */
const said = ({ text, tags, legacyMetadata, skipMultilineEncoding }: Draft): string =>
  JSON.stringify([
    text.value,
    text.comment,
    text.metadata.map(({ key, value, isEncrypted }) => [key, value, isEncrypted]),
    tags.map((tag) => tag.id).toSorted(),
    legacyMetadata && Object.entries(legacyMetadata).toSorted(([a], [b]) => (a < b ? -1 : 1)),
    skipMultilineEncoding,
  ]);
