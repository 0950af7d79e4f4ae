export { addConnection } from './add.ts';
export * from './connection.entity.ts';
export * from './connector.ts';
export * from './integration-auth-fields.ts';
export * from './integration-auth.ts';
export * from './remote.ts';
export * from './stored.ts';
export { whileWaiting } from './wait.ts';
