import { badRequest, type Rule } from '../../kernel/index.ts';
import type { Giving } from '../boundary.ts';
import { isWithin, spanOf, spanOfWindow, type TimeWindow } from '../temporary.ts';
import type { PrivilegeEntity } from './privilege.entity.ts';
import type { UpdatePrivilege } from './privilege.ts';

const rowSpan = (row: PrivilegeEntity) =>
  spanOf(row.isTemporary, row.temporaryAccessStartTime ?? null, row.temporaryAccessEndTime ?? null);

/** The rules that a privilege takes along where it ends: none where it is over. */
export const stillForbidding = (row: PrivilegeEntity, now: number) => (rowSpan(row).end > now ? row.permissions : []);

/**
 * The window that a change names; what it leaves out of a temporary one stays as it is.
 *
 * @throws DomainError 400 `privilege.window` where it leaves out what a permanent privilege does not have.
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

interface GivenByUpdate extends Pick<Giving, 'rules' | 'ruleSets'> {
  readonly until: number;
  readonly replaced: readonly Rule[];
  readonly replacedUntil: number;
}

/** What an update gives: rules, or the same rules for longer, and what is forbidden no longer, or not as long. */
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
  if (!isShorter) return { until: after.end, rules, ...lifted };
  return { until: after.end, ruleSets: permissions || isLonger ? [rules] : [], ...lifted };
}

/** When the last of the rights ends that an update gives. */
export const lastEndOfUpdate = ({ until, replaced, replacedUntil }: GivenByUpdate): number =>
  replaced.some(({ inverted }) => inverted) ? Math.max(until, replacedUntil) : until;

/** When the rules of a privilege end. */
export const endOf = (row: PrivilegeEntity): number => rowSpan(row).end;
