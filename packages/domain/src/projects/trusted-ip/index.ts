export * from './trusted-ip.entity.ts';
export * from './trusted-ip.ts';
