export * from './incident-contact.entity.ts';
export * from './incident-contact.service.ts';
export * from './incident-contact.ts';
