export * from './access-token.ts';
export { requireTrusted } from './authenticate.ts';
export { longestLife, type TokenSettings } from './expiry.ts';
export * from './issue.ts';
export { renewToken, revokePresentedToken } from './renew.ts';
export * from './token-list.ts';
