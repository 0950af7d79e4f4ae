export { mongodb } from './mongodb.ts';
