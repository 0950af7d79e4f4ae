import { abilityIn, eachInTurns } from '../../access/index.ts';
import { badRequest, statement, type Transaction } from '../../kernel/index.ts';
import type { Scope } from '../commit/index.ts';
import { folderVisibility, type RulePlace } from '../folder/index.ts';
import { findCycle, shownCycle } from '../secret/index.ts';
import { importPermissions } from './import.ts';

const LOCK = statement('secret_imports.lock', 'select pg_advisory_xact_lock(hashtextextended($1, 18))');

/**
 * Two writers could each close one half of a cycle, or take one position: those of one project are serialized. Locked
 * before trees of folders: see `lockNames` for the order of all locks.
 */
export const lockImports = (tx: Transaction, { projectId }: Pick<Scope, 'projectId'>) => tx.sql(LOCK, [projectId]);

interface Edge {
  folderId: string;
  fromEnvironment: string;
  fromPath: string;
  toEnvironment: string;
  toPath: string;
}

const EDGES = statement(
  'secret_imports.edges',
  `select f.id as "folderId", e.slug as "fromEnvironment", f.path as "fromPath", s.slug as "toEnvironment", i.import_path as "toPath"
   from secret_imports i join folders f on f.id = i.folder_id join environments e on e.id = f.environment_id
   join environments s on s.id = i.import_environment_id
   where i.project_id = $1 and not i.is_reserved`,
);

/**
 * Refuses folders that would import themselves, directly or indirectly: those that got an import, or another path. The
 * imports are locked.
 *
 * @param source The folder that the caller has them import.
 * @throws DomainError 400 `secret_import.cycle` with the cycle, `…` for folders that the caller may not see, or that are imported
 * where the caller may not read imports.
 */
export async function requireNoCycle(
  tx: Transaction,
  { projectId }: Pick<Scope, 'projectId'>,
  folders: readonly { readonly id: string }[],
  source?: RulePlace,
): Promise<void> {
  const edges = await tx.sql<Edge>(EDGES, [projectId]);
  const places = new Map<string, RulePlace>();
  const nodeOf = (slug: string, secretPath: string): string => {
    places.set(slug + secretPath, { environment: slug, secretPath });
    return slug + secretPath;
  };
  const leadsTo = new Map<string, string[]>();
  await eachInTurns(edges, ({ fromEnvironment, fromPath, toEnvironment, toPath }) => {
    const [from, to] = [nodeOf(fromEnvironment, fromPath), nodeOf(toEnvironment, toPath)];
    const known = leadsTo.get(from);
    if (known) known.push(to);
    else leadsTo.set(from, [to]);
  });
  const ids = new Set(folders.map(({ id }) => id));
  const starts = edges.flatMap(({ folderId, fromEnvironment, fromPath }) =>
    ids.has(folderId) ? fromEnvironment + fromPath : [],
  );
  const circle = findCycle(leadsTo, starts);
  if (!circle) return;
  const ability = await abilityIn(tx, projectId);
  const sees = folderVisibility(ability);
  const named = new Set(source ? [...starts, source.environment + source.secretPath] : starts);
  const cycle = shownCycle(circle, {
    sees: (node) => sees(places.get(node)!),
    reads: (node) => ability.can(importPermissions.read, places.get(node)),
    isNamed: (node) => named.has(node),
  });
  throw badRequest('secret_import.cycle', `This folder would import itself: ${cycle.join(' → ')}`, { cycle });
}
