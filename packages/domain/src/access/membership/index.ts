export * from './belonging.ts';
export * from './last-admin.ts';
export * from './leavers.ts';
export * from './membership.entity.ts';
export * from './membership.service.ts';
export * from './membership.ts';
export * from './remove.ts';
export * from './roles.ts';
