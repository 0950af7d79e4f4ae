export * from './account.ts';
export * from './call.ts';
export * from './fault.ts';
export * from './json.ts';
export * from './query.ts';
export * from './role.ts';
export * from './service.ts';
export type { AwsKeys } from './sign.ts';
export * from './xml.ts';
