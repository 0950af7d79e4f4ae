/** Stand-ins for clouds; in a separate file because they need larger libraries. */
export * from './azure.ts';
export * from './cluster.ts';
export * from './google.ts';
export { AwsAccount, type AwsPrincipal } from '../../../apps/aws/testing/account.ts';
export * from './signed-request.ts';
