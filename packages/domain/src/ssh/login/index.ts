export { ENDED_LOGINS, OF_ENDED_LOGINS, OF_LOGIN } from './ended-login.ts';
export * from './keeping-logins.ts';
export * from './login.ts';
export * from './mappings.ts';
export * from './own-logins.ts';
export * from './successor.ts';
