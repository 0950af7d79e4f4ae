import { badRequest, type Context } from '../../kernel/index.ts';
import { keptByPkiSyncs } from '../pki-sync/index.ts';
import { foldName } from './difference.ts';
import type { Run } from './run.ts';
import type { Session } from './session.ts';
import type { ConfiguredSync } from './sync.ts';

/** Whether something at a target is not for secret syncs, by its name there. */
export type IsKept = (name: string) => boolean;

/** The same, read once, when it is needed. */
export type Kept = () => Promise<IsKept>;

export function keptFor(ctx: Context, run: Run, configured: ConfiguredSync): Kept {
  let kept: Promise<IsKept> | undefined;
  return () => (kept ??= keptNames(ctx, run, configured));
}

/** What PKI syncs keep at the target of a secret sync, at this moment. */
async function keptNames(ctx: Context, run: Run, { sync }: ConfiguredSync): Promise<IsKept> {
  const names = new Set((await keptByPkiSyncs(ctx, run)).map((name) => foldName(name, sync)));
  return (name) => names.has(foldName(name, sync));
}

/**
 * A target without what PKI syncs keep there. Where all of it is listed, what they have begun to keep meanwhile is left out, too.
 *
 * @throws DomainError 400 `secret_sync.of_pki_sync` where the target itself is such
 */
export async function withoutKept(
  ctx: Context,
  run: Run,
  { configured, kept }: { readonly configured: ConfiguredSync; readonly kept: Kept },
  session: Session,
): Promise<Session> {
  const { item } = configured.layout;
  const isKept = await kept();
  if (item && isKept(item.name))
    throw badRequest(
      'secret_sync.of_pki_sync',
      'A PKI sync keeps a certificate under the name of this target: choose another name',
    );
  return {
    ...session,
    async list(names, isWhole) {
      const found = await session.list(
        names.filter((name) => !isKept(name)),
        isWhole,
      );
      if (item) return found;
      const isKeptNow = isWhole ? await keptNames(ctx, run, configured) : isKept;
      return new Map([...found].filter(([name]) => !isKeptNow(name)));
    },
  };
}
