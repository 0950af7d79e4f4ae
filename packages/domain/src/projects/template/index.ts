export * from './template.entity.ts';
export * from './template.service.ts';
export * from './template.ts';
