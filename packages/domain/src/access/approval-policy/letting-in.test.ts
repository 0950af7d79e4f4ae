import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const SOURCES = new URL('../../', import.meta.url).pathname;

/** Operations that add somebody to a place, or restore that. */
const WRITES =
  /\baddMembers?\(tx\b|\bmembers\.addAll\(|em\.create\(MembershipEntity\b|\binto (memberships|group_members)\b|\bupdate (memberships|group_members)\b|\.isActive = |\.status = 'accepted';/;

/**
 * The operations that check which policies concern the new members, and those that need no check because nobody can be
 * concerned.
 */
const ASKED = [
  'organizations/group/members.ts',
  'invitations/invite.ts',
  'organizations/member/member.service.ts',
  'projects/member/enter.ts',
  'projects/member/member-kind.ts',
];
const NOT_ASKED: Record<string, string> = {
  'access/membership/membership.service.ts': 'is what the others call',
  'identities/identity/identity.service.ts': 'makes an identity, and lets it into no project',
  'instance/bootstrap.ts': 'makes an organization',
  'instance/claim.ts': 'makes an organization',
  'organizations/group/group.service.ts': 'makes a group, in which nobody is',
  'invitations/accept.ts': 'takes an invitation: whoever invited was asked, and whoever gave more since',
  'organizations/organization/organization.service.ts': 'makes an organization',
  'projects/identity/project-identity.service.ts': 'makes an identity, and asks requireMayGiveMachineRights for it',
  'projects/member/user-member.service.ts': 'calls addAll of member-kind.ts, which asks',
  'projects/project/create.ts': 'makes a project, which has no policies',
};

describe('everything that adds an actor to a place', () => {
  it('checks whether the caller may let in approvers and exempt machines, or is listed as not needing to', () => {
    const sources = globSync('**/*.ts', { cwd: SOURCES }).filter(
      (path) => !/\.test\.ts$|(^|\/)testing\/|^migrations\//.test(path),
    );
    expect(sources.length).toBeGreaterThan(500);
    const textOf = (path: string) => readFileSync(`${SOURCES}${path}`, 'utf8');
    const writing = sources.filter((path) => WRITES.test(textOf(path))).toSorted();
    expect(writing).toEqual([...ASKED, ...Object.keys(NOT_ASKED)].toSorted());
    expect(ASKED.filter((path) => !/\bawait requireMayLetIn\(tx,/.test(textOf(path)))).toEqual([]);
  });
});
