import { WorkBudget, type Context } from '../../kernel/index.ts';
import { openVersion, type KeyInUse, type OpenVersion } from '../key/index.ts';

/** How many versions a signature or MAC is compared with: it does not name the one that made it. */
const MAX_VERIFIED_VERSIONS = 100;

/** The newest version of a key of which something is true. `cost`: of finding out, as of `WorkBudget`. */
export async function versionThat(
  ctx: Context,
  key: KeyInUse,
  cost: number,
  isRight: (version: OpenVersion) => Promise<boolean> | boolean,
): Promise<number | undefined> {
  const oldest = Math.max(1, key.row.version - MAX_VERIFIED_VERSIONS + 1);
  const pace = new WorkBudget();
  for (let version = key.row.version; version >= oldest; version--) {
    const opened = await openVersion(key, ctx, version);
    if (opened && (await isRight(opened))) return version;
    await pace.spendAndRest(cost);
  }
  return undefined;
}
