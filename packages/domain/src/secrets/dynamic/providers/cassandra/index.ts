export { cassandra } from './cassandra.ts';
