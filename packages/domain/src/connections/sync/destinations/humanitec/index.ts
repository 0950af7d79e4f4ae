export { humanitec } from './humanitec.ts';
