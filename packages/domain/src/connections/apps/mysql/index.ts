export { mysql } from './mysql.ts';
