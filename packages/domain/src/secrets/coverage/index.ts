export * from './capture.ts';
export { ApprovalNeeded, coveredPath, enforcingPolicies, requireNoPolicyIn, RESERVED } from './coverage.ts';
export * from './watch.ts';
