export * from './capture.ts';
export { ApprovalNeeded, coveredPath, honouringPolicies, RESERVED } from './coverage.ts';
export * from './watch.ts';
