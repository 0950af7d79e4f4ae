export * from './login-access.service.ts';
export * from './login-access.ts';
