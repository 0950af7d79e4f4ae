export * from './capture.ts';
export {
  ApprovalNeeded,
  coveredPath,
  enforcingPolicies,
  isWatched,
  policiesCovering,
  requireMayEndPublication,
  requireMayLeave,
  requireNoPolicyAt,
  requireNoPolicyIn,
  requireNoPolicyInProject,
} from './coverage.ts';
export * from './reserved.ts';
export * from './watch.ts';
