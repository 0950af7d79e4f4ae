export * from './capture.ts';
export {
  ApprovalNeeded,
  coveredPath,
  enforcingPolicies,
  policiesCovering,
  requireMayEndPublication,
  requireNoPolicyAt,
  requireNoPolicyIn,
  requireNoPolicyInProject,
} from './coverage.ts';
export * from './reserved.ts';
export * from './watch.ts';
