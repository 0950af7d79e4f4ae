export { cachedSshTemplate, requireSshTemplate } from './find.ts';
export * from './template.service.ts';
export * from './template.ts';
