import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const SOURCES = new URL('../../', import.meta.url).pathname;

/** Operations that end memberships, also together with a group or an account. */
const ENDS =
  /\bdelete from (memberships|group_members|groups)\b|nativeDelete\((Membership|Group|User)Entity\b|em\.remove\(membership\)|\b(removeUsers|removeEverybody|deleteUserRow)\(tx,/;

/** They call `endTokensOfLeavers`. */
const ENDS_TOKENS = /\b(notingAbandoned|keepingAllAdmins|keepingAnAdmin)\(\s*tx,/;

const WITH_TOKENS = [
  'organizations/group/group.service.ts',
  'organizations/group/members.ts',
  'organizations/member/member.service.ts',
  'projects/member/member-kind.ts',
  'users/account/account.service.ts',
];
const OTHERS: Record<string, string> = {
  'access/membership/remove.ts': 'removes rows for the operations of this list',
  'organizations/organization/delete.ts': 'deletes the organization with all tokens',
  'projects/project/project.service.ts': 'deletes the project with all tokens',
  'users/user/stored.ts': 'removes rows for the operations of this list',
};

describe('everything that ends memberships', () => {
  it('deletes the service tokens of leavers, or is listed as deleting them otherwise', () => {
    const sources = globSync('**/*.ts', { cwd: SOURCES }).filter(
      (path) => !/\.test\.ts$|(^|\/)testing\/|^migrations\//.test(path),
    );
    expect(sources.length).toBeGreaterThan(500);
    const textOf = (path: string) => readFileSync(`${SOURCES}${path}`, 'utf8');
    const ending = sources.filter((path) => ENDS.test(textOf(path))).toSorted();
    expect(ending).toEqual([...WITH_TOKENS, ...Object.keys(OTHERS)].toSorted());
    expect(WITH_TOKENS.filter((path) => !ENDS_TOKENS.test(textOf(path)))).toEqual([]);
  });
});
