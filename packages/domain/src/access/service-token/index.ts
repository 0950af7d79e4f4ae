export * from './authenticate.ts';
export { serviceRules } from '../service-rules.ts';
export * from './service-token.service.ts';
export * from './service-token.ts';
