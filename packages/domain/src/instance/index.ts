export * from './admin-sign-up.ts';
export * from './applied-rate-limits.ts';
export * from './audit-log.ts';
export * from './bootstrap.ts';
export * from './config.ts';
export * from './encryption-strategy.ts';
export * from './identity-management.ts';
export * from './instance.ts';
export * from './organizations.ts';
export * from './overview.ts';
export * from './rate-limit.service.ts';
export {
  limitInForce,
  RATE_LIMIT_CLASSES,
  byClass,
  RateLimit,
  UpdateRateLimits,
  type RateLimitClass,
  type RateLimits,
  type StoredRateLimits,
} from './rate-limit.ts';
export * from './status.ts';
export * from './user-management.ts';
export { issueSetupCode } from './setup-code.ts';
