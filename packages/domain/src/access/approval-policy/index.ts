export * from './approver.ts';
export * from './committer.ts';
export {
  isExempt,
  requireExemptionsWithin,
  requireMayGiveMachineRights,
  requireMayLoosen,
  requireMayMakeApprovers,
} from './exemption.ts';
export * from './find.ts';
export * from './pick.ts';
export * from './policy.service.ts';
export * from './policy.ts';
export * from './review.ts';
export * from './visible.ts';
