import type { Context } from '../../kernel/index.ts';
import type { Scope } from '../commit/index.ts';
import { foldersAt, withAllBelow, type PastFolder } from '../folder/index.ts';
import { secretsAt, type PastSecretRow } from '../secret/index.ts';
import type { HistoricEnvironment } from './places.ts';

/** A folder of an environment with all below it, as they were at a revision. */
export interface Past {
  readonly environment: HistoricEnvironment;
  /** The topmost first; none where the folder was not there. */
  readonly folders: readonly PastFolder[];
  readonly secrets: readonly PastSecretRow[];
}

/** The folder of a path in the past: the one that has the path now, otherwise the one that had it. */
export interface PastPlace {
  readonly environment: HistoricEnvironment;
  readonly path: string;
  /** Of the folder that has the path today. */
  readonly folderId: string | undefined;
}

export async function pastOf(
  ctx: Context,
  scope: Scope,
  { environment, path, folderId }: PastPlace,
  revision: number,
): Promise<Past> {
  const all = await foldersAt(ctx, environment.id, revision);
  const top = all.find((folder) => folder.id === folderId) ?? all.find((folder) => folder.path === path);
  const folders = top ? withAllBelow(all, top.path) : [];
  const secrets = await secretsAt(ctx, scope, { environment: environment.slug, folders }, { revision });
  return { environment, folders, secrets };
}
