export { elasticSearch } from './elastic-search.ts';
