export * from './capture.ts';
export { ApprovalNeeded, coveredPath, honouringPolicies, requireNoPolicyIn, RESERVED } from './coverage.ts';
export * from './watch.ts';
