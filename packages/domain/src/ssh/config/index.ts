export * from './config.service.ts';
export * from './config.ts';
