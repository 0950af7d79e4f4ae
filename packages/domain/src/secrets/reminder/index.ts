export * from './reminder.ts';
