export * from './membership.entity.ts';
export * from './membership.service.ts';
export * from './membership.ts';
