export * from './host-group.service.ts';
export * from './host-group.ts';
export * from './hosts.ts';
