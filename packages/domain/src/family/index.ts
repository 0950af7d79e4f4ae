export * from './configuration.ts';
export * from './define.ts';
export * from './presence.ts';
export * from './receiver.ts';
export * from './remote-answer.ts';
export * from './remote-error.ts';
export * from './remote-session.ts';
export * from './sealed-field.ts';
