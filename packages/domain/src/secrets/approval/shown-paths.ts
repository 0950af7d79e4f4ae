import type { Context } from '../../kernel/index.ts';
import type { RulePlace } from '../folder/index.ts';
import type { ChangeDetails } from './approval.ts';
import { isApprover, isCommitter, type ReviewState } from './review-state.ts';
import type { RequestRow } from './row.ts';

/** The path of a folder that a request names, or null for a reader who must not know it. */
type ShownPath = (environment: string, path: string) => string | null;

/**
 * Whoever has made a request, or may approve it, is shown all paths in it; other readers those of folders that they see, by the
 * names in the request and by `present` ones.
 */
export function shownPathsOf(
  ctx: Context,
  seesFolder: (place: RulePlace) => boolean,
  row: RequestRow,
  standing: ReviewState,
): (present: readonly RulePlace[]) => ShownPath {
  if (isCommitter(ctx, row) || isApprover(ctx, standing, row)) return () => (_, path) => path;
  return (present) => {
    const isSeen = present.every((place) => seesFolder(place));
    return (environment, secretPath) => (isSeen && seesFolder({ environment, secretPath }) ? secretPath : null);
  };
}

interface Placed {
  readonly environment: string;
  readonly secretPath: string | null;
}

export const withShownPath = <Thing extends Placed>(thing: Thing, shown: ShownPath): Thing =>
  thing.secretPath === null ? thing : { ...thing, secretPath: shown(thing.environment, thing.secretPath) };

interface ShownSides {
  readonly before: ShownPath;
  readonly after: ShownPath;
}

/** A change with the paths of both of its sides. Those of an import are its sources, which whoever may read the import is shown. */
export function withShownPaths(change: ChangeDetails, { before, after }: ShownSides): ChangeDetails {
  const placed = withShownPath(change, after);
  if (change.kind === 'import') return placed;
  return {
    ...placed,
    before: change.before && withShownPath(change.before, before),
    after: change.after && withShownPath(change.after, after),
  };
}
