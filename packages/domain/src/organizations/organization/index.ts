export * from './create.ts';
export * from './delete.ts';
export * from './organization.entity.ts';
export * from './organization.service.ts';
export * from './organization.ts';
export * from './own.ts';
export * from './role.ts';
