export * from './api-key.ts';
export * from './api-key.service.ts';
export * from './authenticate.ts';
