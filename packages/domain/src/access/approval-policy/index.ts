export * from './approval-person.ts';
export * from './approver.ts';
export {
  isExempt,
  requireExemptionsWithin,
  requireMayDecidePolicies,
  requireMayGiveMachineRights,
} from './exemption.ts';
export * from './find.ts';
export * from './letting-in.ts';
export * from './pick.ts';
export * from './policy.service.ts';
export * from './policy.ts';
export * from './kept-reviews.ts';
export * from './review.ts';
export * from './visible.ts';
