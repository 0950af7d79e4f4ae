export * from './acting.ts';
export * from './ability-cache.ts';
export * from './ability.ts';
export * from './access.ts';
export { accessAllProjects } from './all-projects.ts';
export * from './authority.ts';
export * from './boundary.ts';
export * from './built-in-roles.ts';
export * from './catalogue.ts';
export * from './change.ts';
export * from './condition.ts';
export * from './decision.ts';
export { EvaluationCost } from './evaluation-cost.ts';
export { countNodes, GlobError, isSpecific, readPattern, type Token } from './glob-pattern.ts';
export type { Glob } from './glob.ts';
export * from './denials.ts';
export * from './facts.ts';
export { keepingFewRules } from './few-rules.ts';
export { formerSlugs } from './former-slugs.ts';
export { Gains, gainsIn, type GivingRule } from './gains.ts';
export { requireMayGiveRoles } from './giving-roles.ts';
export * from './grants.ts';
export { requireHoldingsWithin } from './holdings.ts';
export { requireLasting, type AskedRight } from './lasting.ts';
export { eachInTurns, filterInTurns, findInTurns } from './in-turns.ts';
export * from './limited.ts';
export {
  askMembers,
  membersWithMail,
  memberWithMail,
  peopleWith,
  unlessTooCostly,
  type MemberWithMail,
  type PersonWithMail,
} from './members-with-mail.ts';
export * from './period.ts';
export {
  forbidsAny,
  irremovable,
  misplaced,
  placesFreely,
  requireMayPlace,
  requireMayRemove,
  type Placement,
  type PlacingPermissions,
} from './placing.ts';
export * from './project-slug.ts';
export {
  EVERYTHING,
  literalsOf,
  split as splitRegion,
  TooComplicated,
  COMPARED_AT_ONCE,
  ComparisonBudget,
  type Region,
} from './region.ts';
export * from './role/role.service.ts';
export * from './role/role.ts';
export { lastEndOf } from './role/rules.ts';
export { roleRulesOfRows } from './role/stored-rules.ts';
export * from './refusal.ts';
export * from './rule.ts';
export { rulesAt, rulesThroughout, type Windowed } from './rules-at.ts';
export {
  areSameRights,
  beforeOwnChanges,
  fingerprintOf,
  hasSameRights,
  requireSame,
  type UsedRights,
} from './same-rights.ts';
export { isSamePassword, requireTriesLeft, useStored, type StoredPassword } from './stored-password.ts';
export * from './template.ts';
export * from './temporary.ts';
export * from './throttle.ts';
export * from './trusted-address.ts';
export { tryCredentials, type TriedCredentials } from './tried-credentials.ts';
