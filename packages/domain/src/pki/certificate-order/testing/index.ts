export * from './pebble.ts';
