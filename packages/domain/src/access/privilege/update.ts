import { badRequest, type Rule } from '../../kernel/index.ts';
import type { Giving } from '../boundary.ts';
import { isWithin, spanOf, spanOfWindow, type TimeWindow } from '../temporary.ts';
import type { PrivilegeEntity } from './privilege.entity.ts';
import type { UpdatePrivilege } from './privilege.ts';

const rowSpan = (row: PrivilegeEntity) =>
  spanOf(row.isTemporary, row.temporaryAccessStartTime ?? null, row.temporaryAccessEndTime ?? null);

/** The rules that are removed when a privilege ends; none if it has ended already. */
export const stillForbidding = (row: PrivilegeEntity, now: number) => (rowSpan(row).end > now ? row.permissions : []);

/**
 * The updated window; absent fields of a temporary window stay unchanged.
 *
 * @throws DomainError 400 `privilege.window` if a permanent privilege gets an incomplete window.
 */
export function nextWindow(row: PrivilegeEntity, given: UpdatePrivilege['type'] = {}): TimeWindow | undefined {
  const { isTemporary = row.isTemporary, temporaryMode, ...rest } = given;
  if (
    given.isTemporary === undefined &&
    temporaryMode === undefined &&
    Object.values(rest).every((one) => one === undefined)
  )
    return undefined;
  if (given.isTemporary === false) return { isTemporary: false };
  const temporaryRange = rest.temporaryRange ?? row.temporaryRange;
  const temporaryAccessStartTime = rest.temporaryAccessStartTime ?? row.temporaryAccessStartTime;
  if (!isTemporary || !temporaryRange || !temporaryAccessStartTime) {
    throw badRequest(
      'privilege.window',
      'Send isTemporary, temporaryMode, temporaryRange and temporaryAccessStartTime together: this privilege is permanent',
    );
  }
  return { isTemporary: true, temporaryMode: 'relative', temporaryRange, temporaryAccessStartTime };
}

interface GivenByUpdate extends Pick<Giving, 'rules' | 'areStored' | 'ruleSets'> {
  readonly until: number;
  readonly replaced: readonly Rule[];
  readonly replacedUntil: number;
}

/** What an update grants: rules, or the same rules for longer, and forbidding rules that are removed or shortened. */
export function givenByUpdate(
  row: PrivilegeEntity,
  { permissions, type }: { permissions?: readonly Rule[] | undefined; type: TimeWindow | undefined },
  now: number,
): GivenByUpdate | undefined {
  const before = rowSpan(row);
  const after = type ? spanOfWindow(type) : before;
  const rules = permissions ?? row.permissions;
  const isLonger = !isWithin(after, before, now);
  const isShorter = !isWithin(before, after, now);
  if (!permissions && !isLonger && !isShorter) return undefined;
  const lifted = { replaced: stillForbidding(row, now), replacedUntil: before.end };
  if (!isShorter) return { until: after.end, rules, areStored: !permissions, ...lifted };
  return { until: after.end, ruleSets: permissions || isLonger ? [rules] : [], ...lifted };
}

/** When the last right that an update grants ends. */
export const lastEndOfUpdate = ({ until, replaced, replacedUntil }: GivenByUpdate): number =>
  replaced.some(({ inverted }) => inverted) ? Math.max(until, replacedUntil) : until;

/** When the rules of a privilege end. */
export const endOf = (row: PrivilegeEntity): number => rowSpan(row).end;
