/** Stand-ins for those whose machines log in; apart from the others, since they are made of larger libraries. */
export * from './azure.ts';
export * from './cluster.ts';
export * from './google.ts';
export { AwsAccount, type AwsPrincipal } from '../../../apps/aws/testing/account.ts';
export * from './signed-request.ts';
